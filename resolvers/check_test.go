package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// smallShop returns three users who follow each other, and an order of two lines.
func smallShop(t *testing.T) []item.Item {
	t.Helper()
	at := time.Date(2026, time.January, 2, 0, 0, 0, 0, time.UTC)
	var all []item.Item
	add := func(items []item.Item, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
	}
	users := map[string]*model.User{
		"a": {OrderCount: 1, FollowerCount: 1, FollowingCount: 1},
		"b": {FollowerCount: 1, FollowingCount: 1},
		"c": {FollowerCount: 1, FollowingCount: 1},
	}
	id := func(name string) keys.ID { return keys.NewID("User", name) }
	for _, name := range slices.Sorted(maps.Keys(users)) {
		email, u := name+"@example.org", users[name]
		u.ID, u.Name, u.Email, u.CreatedAt, u.Version = id(name), name, &email, at, 1
		add(typed.StoredUser(u))
		claimed, err := claim.Email(email, u.ID)
		add([]item.Item{claimed}, err)
	}
	for _, edge := range []string{"ab", "bc", "ca"} {
		add(typed.StoredFollow(&model.Follow{FollowerID: id(edge[:1]), FolloweeID: id(edge[1:]), FollowedAt: at}))
	}
	o := &model.Order{
		ID: keys.NewID("Order", "o"), UserID: id("a"), Status: model.OrderStatusPaid, CreatedAt: at,
		Total: &model.Money{Amount: 300, Currency: "EUR"}, ItemCount: 2, Version: 1,
	}
	add(typed.StoredOrder(o))
	for line := 1; line <= o.ItemCount; line++ {
		add(typed.StoredItem(&model.Item{
			OrderID: o.ID, UserID: o.UserID, Line: line, Sku: "TEA", Name: "Tea", Quantity: line, CreatedAt: at,
			Price: &model.Money{Amount: 100, Currency: "EUR"},
		}))
	}
	key, err := claim.OrderKey(id("a"), "once")
	add([]item.Item{claim.Orders.Item(key, o.ID, "digest", at)}, err)
	return all
}

// replace replaces all items of the table.
func (s *shop) replace(t *testing.T, items []item.Item) {
	t.Helper()
	for key := range s.content(t) {
		s.damage(t, write.Action{Kind: write.ActionDelete, Key: key})
	}
	s.Load(t, items...)
}

// damage writes one item in a way that no mutation would.
func (s *shop) damage(t *testing.T, a write.Action) {
	t.Helper()
	if _, err := s.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{a}}); err != nil {
		t.Fatal(err)
	}
}

// damageAs carries out a line of testdata/check:
//
//	delete PK SK
//	set PK SK name=text name:=number name:=      (the last removes the attribute)
//	put PK SK name=text ...
//	copy PK SK PK SK name=text ...
func (s *shop) damageAs(t *testing.T, line string) {
	t.Helper()
	words := strings.Fields(line)
	key := keys.Key{PK: keys.PK(words[1]), SK: keys.SK(words[2])}
	a := write.Action{Kind: write.ActionUpdate, Key: key}
	rest := words[3:]
	switch words[0] {
	case "delete":
		a.Kind = write.ActionDelete
	case "put":
		a.Key = key
	case "copy":
		a.Key = keys.Key{PK: keys.PK(words[3]), SK: keys.SK(words[4])}
		rest = words[5:]
		for _, from := range s.content(t)[key] {
			if from.Name != keys.AttributePK && from.Name != keys.AttributeSK {
				a.Set = append(a.Set, from)
			}
		}
	}
	for _, word := range rest {
		name, text, _ := strings.Cut(word, "=")
		plain, numeric := strings.CutSuffix(name, ":")
		a.Set = slices.DeleteFunc(a.Set, func(set item.Attribute) bool { return set.Name == plain })
		switch {
		case numeric && text == "":
			a.Remove = append(a.Remove, plain)
		case numeric:
			a.Set = append(a.Set, item.Attribute{Name: plain, Value: item.Value{Kind: item.Number, Text: text}})
		default:
			if n, long := strings.CutPrefix(text, "x"); long && n == "1100" {
				text = strings.Repeat("x", 1100)
			}
			a.Set = append(a.Set, item.Attribute{Name: plain, Value: item.StringValue(text)})
		}
	}
	s.damage(t, a)
}

// TestCheckAndRepair: each kind of damage is reported, and repaired if it can be.
func TestCheckAndRepair(t *testing.T) {
	s := startEmptyShop(t)
	whole := smallShop(t)
	datadriven.RunTest(t, filepath.Join("testdata", "check"), func(t *testing.T, d *datadriven.TestData) string {
		s.replace(t, whole)
		before := texts(s.content(t))
		for line := range strings.Lines(d.Input) {
			s.damageAs(t, line)
		}
		var b strings.Builder
		for _, v := range s.check(t).Violations {
			fmt.Fprintln(&b, described(v))
		}
		repaired, err := check.Repair(t.Context(), s.source(), checkOptions())
		if err != nil {
			t.Fatal(err)
		}
		after := s.check(t)
		if diff := cmp.Diff(descriptions(after.Violations), descriptions(repaired.Violations)); diff != "" {
			t.Errorf("a check after the repair (-) finds other than the repair has left (+):\n%s", diff)
		}
		for _, v := range after.Violations {
			if v.Fix != "" {
				t.Errorf("left: %s", described(v))
			}
		}
		fmt.Fprintf(&b, "repaired %d, left %d", len(repaired.Repaired), len(after.Violations))
		if cmp.Equal(before, texts(s.content(t))) {
			b.WriteString(", the table is as it was before the damage")
		}
		b.WriteString("\n")
		return b.String()
	})
}

func described(v check.Violation) string {
	text := fmt.Sprintf("%s %s %s: %s", v.Kind, v.PK, v.SK, v.Problem)
	if v.Fix != "" {
		text += "\n    " + v.Fix
	}
	return text
}

func descriptions(all []check.Violation) []string {
	lines := make([]string, len(all))
	for i, v := range all {
		lines[i] = described(v)
	}
	slices.Sort(lines)
	return lines
}

// wreck damages the small shop in many places.
func (s *shop) wreck(t *testing.T) {
	t.Helper()
	s.replace(t, smallShop(t))
	for _, line := range []string{
		"delete USER#b FOLLOWED_BY#a", "set USER#a USER#a orderCount:=9", "set ORDER#o ORDER#o GSI1SK=wrong",
		"delete EMAIL#b@example.org EMAIL#b@example.org", "put EMAIL#x EMAIL#x entityType=EmailClaim userId=x",
		"copy USER#c FOLLOWS#a USER#c FOLLOWS#ghost followeeId=ghost", "put ODD#1 ODD#1 entityType=Odd",
		"set ORDER#o ITEM#0001 price:=",
	} {
		s.damageAs(t, line)
	}
}

// TestCheckGoesOn: a check and a repair that are interrupted after any page have the same result as others.
func TestCheckGoesOn(t *testing.T) {
	s := startEmptyShop(t)
	for name, run := range map[string]func(context.Context, check.Source, check.Options) (check.Report, error){
		"check": check.Table, "repair": check.Repair,
	} {
		o := checkOptions()
		o.PageItems = 2
		s.wreck(t)
		want, err := run(t.Context(), s.source(), o)
		if err != nil || want.Clean() {
			t.Fatalf("%s: %+v, %v", name, want, err)
		}
		content := texts(s.content(t))

		s.wreck(t)
		o.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		cuts := 0
		var got check.Report
		for {
			ctx, cancel := context.WithCancel(t.Context())
			o.Progress = func(check.Report) { cancel() } // once a page is finished
			var found []check.Violation
			o.Found = func(v check.Violation) { found = append(found, v) }
			got, err = run(ctx, s.source(), o)
			cancel()
			if err == nil {
				if diff := cmp.Diff(descriptions(append(got.Repaired, got.Violations...)), descriptions(found)); diff != "" {
					t.Errorf("%s: the last run passes other violations to Found (+) than it returns (-):\n%s", name, diff)
				}
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			cuts++
		}
		if cuts < 5 {
			t.Errorf("%s: cut %d times", name, cuts)
		}
		for _, r := range []*check.Report{&want, &got} {
			r.Cost = check.Cost{}
		}
		if diff := cmp.Diff(descriptions(want.Violations), descriptions(got.Violations)); diff != "" ||
			want.Items != got.Items {
			t.Errorf("%s: uncut (-%d items) and cut (+%d items) leave:\n%s", name, want.Items, got.Items, diff)
		}
		if diff := cmp.Diff(descriptions(want.Repaired), descriptions(got.Repaired)); diff != "" {
			t.Errorf("%s: uncut (-) and cut (+) repair:\n%s", name, diff)
		}
		if diff := cmp.Diff(content, texts(s.content(t))); diff != "" {
			t.Errorf("%s: after uncut (-) and cut (+):\n%s", name, diff)
		}
	}
}

// TestCheckWhileWritten: a check finds no violations while mutations change a table without any, in pages of any
// size.
func TestCheckWhileWritten(t *testing.T) {
	s := startEmptyShop(t)
	stop := s.keepWriting(t, 4)
	for i := range 6 {
		o := checkOptions()
		o.PageItems = 10 + i*17%60
		report, err := check.Table(t.Context(), s.source(), o)
		if err != nil {
			t.Error(err)
		}
		for _, v := range report.Violations {
			t.Errorf("%s", described(v))
		}
	}
	stop()
	s.checkTable(t)
}

// TestRepairWhileWritten: a repair succeeds while mutations change the same users.
func TestRepairWhileWritten(t *testing.T) {
	s := startEmptyShop(t)
	// One writer: the counters of a user cannot be checked while they change all the time.
	stop := s.keepWriting(t, 1)
	for _, line := range []string{
		"delete USER#q FOLLOWED_BY#p", "set USER#p USER#p followingCount:=40",
		"delete EMAIL#p@example.org EMAIL#p@example.org",
		"set USER#h0 USER#h0 followerCount:=1000", "set USER#h1 USER#h1 followingCount:=-1000",
		"delete EMAIL#h1@example.org EMAIL#h1@example.org",
		"copy USER#p FOLLOWS#q USER#p FOLLOWS#ghost followeeId=ghost",
	} {
		s.damageAs(t, line)
	}
	for {
		report, err := check.Repair(t.Context(), s.source(), checkOptions())
		if err != nil {
			t.Fatal(err)
		}
		if report.Clean() {
			break
		}
	}
	stop()
	s.checkTable(t)
}

// keepWriting changes the edges and orders of four users until stop is called. It does not change p and q; p follows
// q.
func (s *shop) keepWriting(t *testing.T, writers int) (stop func()) {
	t.Helper()
	at := time.Date(2026, time.January, 2, 0, 0, 0, 0, time.UTC)
	ids := map[string]keys.ID{}
	for _, name := range []string{"h0", "h1", "h2", "h3", "p", "q"} {
		email := name + "@example.org"
		ids[name] = keys.NewID("User", name)
		u := &model.User{ID: ids[name], Name: name, Email: &email, CreatedAt: at, Version: 1}
		switch name {
		case "p":
			u.FollowingCount = 1
		case "q":
			u.FollowerCount = 1
		}
		items, err := typed.StoredUser(u)
		claimed, claimErr := claim.Email(email, u.ID)
		if err := errors.Join(err, claimErr); err != nil {
			t.Fatal(err)
		}
		s.Load(t, append(items, claimed)...)
	}
	edge, err := typed.StoredFollow(&model.Follow{FollowerID: ids["p"], FolloweeID: ids["q"], FollowedAt: at})
	if err != nil {
		t.Fatal(err)
	}
	s.Load(t, edge...)
	ctx, cancel := context.WithCancel(t.Context())
	var group errgroup.Group
	for worker := range writers {
		random := rand.New(rand.NewPCG(20260103, uint64(worker)))
		group.Go(func() error {
			for i := 0; ctx.Err() == nil; i++ {
				a := random.IntN(4)
				user, other := ids[fmt.Sprint("h", a)].Encode(), ids[fmt.Sprint("h", (a+1+random.IntN(3))%4)].Encode()
				mutation, in := followUser, input{"userId": user, "followeeId": other}
				switch random.IntN(5) {
				case 0, 1:
					mutation = unfollowUser
				case 2:
					if i > 20 {
						continue // A table that grows faster than it is scanned has no end.
					}
					mutation, in = placeOrder, order(user, fmt.Sprint("key-", worker, "-", i), 1+random.IntN(3))
				}
				// t's context, so that no mutation is interrupted.
				if _, err := s.attempt(t.Context(), mutation, in); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return func() {
		t.Helper()
		cancel()
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	}
}
