package crowd

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/keys"
)

// contents are the objects in the table. That copies and claims fit them is left to `partita table check`.
type contents struct {
	Users   map[string]storedUser // by e-mail address
	Orders  map[string]storedOrder
	Follows map[string]bool
}

type storedUser struct {
	ID, Name                                      string
	Version, Orders, Followers, Following, Copies int
}

type storedOrder struct {
	User, Status           string
	Lines, Version, Copies int
}

func newContents() contents {
	return contents{map[string]storedUser{}, map[string]storedOrder{}, map[string]bool{}}
}

// check compares the lines of an export with the ledger of all writers.
func (c *crowd) check(t *testing.T, lines []string) {
	t.Helper()
	got := readContents(t, lines)
	if diff := cmp.Diff(c.ledger(t, got), got); diff != "" {
		t.Errorf("the table (+) is not what was answered with success (-):\n%s", diff)
	}
}

// ledger returns what the table must contain. What no answer contained is copied from got.
func (c *crowd) ledger(t *testing.T, got contents) contents {
	t.Helper()
	want := newContents()
	followers := map[*account]int{}
	for _, w := range c.writers {
		following := 0
		for other, is := range w.follows {
			if is {
				following++
				followers[other]++
				want.Follows[raw(t, w.own.id)+" "+raw(t, other.id)] = true
			}
		}
		for _, o := range w.orders {
			want.Orders[raw(t, o.id)] = storedOrder{User: raw(t, w.own.id), Status: o.status, Lines: o.lines,
				Version: o.version, Copies: 2}
		}
		for _, a := range w.users {
			u := storedUser{Name: a.name, Version: a.version, Copies: 1}
			if a == w.own {
				u.Orders, u.Following = len(w.orders), following
			}
			if a.id == "" {
				u.ID = got.Users[a.email].ID
			} else {
				u.ID = raw(t, a.id)
			}
			want.Users[a.email] = u
		}
	}
	for a, n := range followers {
		u := want.Users[a.email]
		u.Followers = n
		want.Users[a.email] = u
	}
	return want
}

func raw(t *testing.T, id string) string {
	t.Helper()
	parsed, err := keys.ParseID(id)
	if err != nil {
		t.Fatalf("%q: %v", id, err)
	}
	return parsed.Value()
}

// readContents returns the objects of an export, from their base items and copies.
func readContents(t *testing.T, lines []string) contents {
	t.Helper()
	c := newContents()
	for _, line := range lines {
		var stored struct{ Item map[string]map[string]any }
		fatal.If(t, json.Unmarshal([]byte(line), &stored))
		text := func(name string) string {
			s, _ := stored.Item[name]["S"].(string)
			return s
		}
		number := func(name string) int {
			s, _ := stored.Item[name]["N"].(string)
			n, err := strconv.Atoi(s)
			if err != nil {
				t.Fatalf("%s of %s: %v", name, line, err)
			}
			return n
		}
		switch text("entityType") {
		case "User":
			c.Users[text("email")] = storedUser{
				ID: text("id"), Name: text("name"), Version: number("version"), Copies: 1 + c.Users[text("email")].Copies,
				Orders: number("orderCount"), Followers: number("followerCount"), Following: number("followingCount"),
			}
		case "Order":
			c.Orders[text("id")] = storedOrder{
				User: text("userId"), Status: text("status"), Lines: number("itemCount"), Version: number("version"),
				Copies: 1 + c.Orders[text("id")].Copies,
			}
		case "Follow":
			c.Follows[text("followerId")+" "+text("followeeId")] = true
		}
	}
	return c
}
