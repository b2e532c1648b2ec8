package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/keys"
)

// The notations in which FuzzMutation passes a text to a field.
const (
	asText = iota
	asJSON // as it is, if it is JSON
	asUserID
	asOrderID
	asLinesID // an id of two values
	notationCount
)

// FuzzMutation passes an arbitrary value to one field of an otherwise valid input: either it is accepted, or nothing
// is written and there is a message.
func FuzzMutation(f *testing.F) {
	s := startEmptyShop(f)
	target := &target{shop: s}
	for _, text := range []string{
		"", " ", "Ada", "#", "\x00", "\xff", "7", "-1", "0", "1e3", "1e400", "2147483648", "null", "[]", `[{}]`, `{"a":1}`,
		`"\ud800"`, "PAID", "EUR",
		"\u202eadA", "\u200b", "\u0301", "\U0010ffff", "e\u0301", "ada@example.org", " ADA@EXAMPLE.ORG ", "a@b",
		"İ@example.org", "ß@example.org",
		"ΟΔΟΣ@example.org", "ada＠example.org", `"a b"@example.org`, "a@[127.0.0.1]", "a@b..c", "a@xn--a.b",
		strings.Repeat("x", 101), strings.Repeat("€", 250),
	} {
		for notation := range notationCount {
			f.Add(uint8(len(text)), uint8(notation), text)
		}
	}
	f.Fuzz(func(t *testing.T, field, notation uint8, text string) {
		target.prepare(t)
		all := places(target.sound)
		p := all[int(field)%len(all)]
		value := valueOf(int(notation)%notationCount, text)
		s.Proxy.Reset()
		a := s.ask(t, p.mutation, map[string]any{"input": p.with(value)})
		written := s.Proxy.Counts().Writes
		errors := messages(t, a)
		if (written == 0) != (len(errors) > 0) {
			t.Errorf("%v = %q: %d transactions were written, and the errors are %q", p, value, written, errors)
		}
		target.used = written > 0
		if log := s.log.Take(); strings.Contains(log, "level=ERROR") {
			t.Errorf("%v = %q: %s", p, value, log)
		}
	})
}

func valueOf(notation int, text string) any {
	switch notation {
	case asJSON:
		if json.Valid([]byte(text)) {
			return raw(text)
		}
	case asUserID:
		return keys.NewID("User", text).Encode()
	case asOrderID:
		return keys.NewID("Order", text).Encode()
	case asLinesID:
		return keys.NewID("Item", text, "1").Encode()
	}
	return text
}

// target is a shop with inputs that are valid now.
type target struct {
	*shop
	sound map[string]input
	// used is set when one of them was accepted.
	used   bool
	serial int
}

// prepare replaces the inputs after one was accepted, so that they are valid again.
func (x *target) prepare(t *testing.T) {
	t.Helper()
	if x.sound != nil && !x.used {
		return
	}
	if x.serial&(x.serial-1) == 0 { // ever more seldom, since the table grows
		x.checkTable(t)
	}
	x.serial++
	name := fmt.Sprintf("user%d", x.serial)
	ada, bob := x.newUser(t, name), x.newUser(t, "other-"+name)
	placed := x.newOrder(t, ada, "placed")
	x.succeed(t, followUser, input{"userId": bob, "followeeId": ada})
	x.sound = map[string]input{
		createUser:        {"name": "Carl", "email": "carl-" + name + "@example.org"},
		updateUser:        {"userId": ada, "version": 1, "name": "Ada", "email": "ada-" + name + "@example.org"},
		followUser:        {"userId": ada, "followeeId": bob},
		unfollowUser:      {"userId": bob, "followeeId": ada},
		placeOrder:        order(ada, "next", 2),
		updateOrderStatus: {"orderId": placed, "version": 1, "status": "PAID"},
		cancelOrder:       {"userId": ada, "orderId": placed, "version": 1},
	}
}
