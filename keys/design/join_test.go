package design_test

import (
	"fmt"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func TestAdjacent(t *testing.T) {
	for _, c := range []struct {
		key    keys.Key
		prefix keys.SK
		want   design.Side
	}{
		{keys.Key{PK: "USER#7", SK: "USER#7"}, "ORDER#", design.Above},
		{keys.Key{PK: "ORDER#o1", SK: "ORDER#o1"}, "ITEM#", design.Above},
		{keys.Key{PK: "DOC#a", SK: "LATEST"}, "v", design.Below},
		{keys.Key{PK: "TENANT#t", SK: "TENANT#t"}, "MEMBER#", design.Above},
		// ORDER#... sorts between.
		{keys.Key{PK: "USER#7", SK: "USER#7"}, "FOLLOWS#", design.Apart},
		{keys.Key{PK: "USER#7", SK: "USER#7"}, "FOLLOWED_BY#", design.Apart},
		// Not the whole of the range, or more than it.
		{keys.Key{PK: "USER#7", SK: "USER#7"}, "ORDER", design.Apart},
		{keys.Key{PK: "USER#7", SK: "USER#7"}, "ORDER#2026", design.Apart},
		{keys.Key{PK: "USER#7", SK: "USER#7"}, "", design.Apart},
		// Not the item that the partition holds one of.
		{keys.Key{PK: "USER#7", SK: "FOLLOWS#9"}, "ORDER#", design.Apart},
		{keys.Key{PK: "USER#7", SK: "USER#8"}, "ORDER#", design.Apart},
		{keys.Key{PK: "ORDER#o1", SK: "ITEM#0001"}, "ITEM#", design.Apart},
		{keys.Key{PK: "TENANT#t", SK: "USER#t"}, "MEMBER#", design.Apart},
		{keys.Key{PK: "USER#7#8", SK: "USER#7"}, "ORDER#", design.Apart},
	} {
		if got := shop.Adjacent(c.key, c.prefix); got != c.want {
			t.Errorf("%s lies %s of %s*, want %s", c.key, sides[got], c.prefix, sides[c.want])
		}
	}
}

var sides = map[design.Side]string{design.Apart: "apart", design.Below: "below", design.Above: "above"}

// TestAdjacentOf compares an item with the range of the prefix B# in designs of these shapes. The
// first shape is that of the item, the second that of the range.
func TestAdjacentOf(t *testing.T) {
	for name, c := range map[string]struct {
		shapes []keys.Shape
		key    keys.Key
		want   design.Side
	}{
		"above": {
			[]keys.Shape{shape("P#{id}", "C#{id}"), shape("P#{id}", "B#{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Above,
		},
		"below": {
			[]keys.Shape{shape("P#{id}", "A#{id}"), shape("P#{id}", "B#{x}")},
			keys.Key{PK: "P#1", SK: "A#1"}, design.Below,
		},
		"literal": {
			[]keys.Shape{shape("P#{id}", "META"), shape("P#{id}", "B#{x}")},
			keys.Key{PK: "P#1", SK: "META"}, design.Above,
		},
		"another shape above": {
			[]keys.Shape{shape("P#{id}", "C#{id}"), shape("P#{id}", "B#{x}"), shape("P#{id}", "D#{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Above,
		},
		"another shape below": {
			[]keys.Shape{shape("P#{id}", "C#{id}"), shape("P#{id}", "B#{x}"), shape("P#{id}", "A#{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Above,
		},
		"a form between": {
			[]keys.Shape{shape("P#{id}", "D#{id}"), shape("P#{id}", "B#{x}"), shape("P#{id}", "C#{x}")},
			keys.Key{PK: "P#1", SK: "D#1"}, design.Apart,
		},
		"a form between, of another partition": {
			[]keys.Shape{shape("P#{id}", "D#{id}"), shape("P#{id}", "B#{x}"), shape("Q#{id}", "C#{x}")},
			keys.Key{PK: "P#1", SK: "D#1"}, design.Above,
		},
		"a form between, of a partition that can be the same": {
			[]keys.Shape{shape("P#{id}", "D#{id}"), shape("P#{id}", "B#{x}"), shape("P#1", "C#{x}")},
			keys.Key{PK: "P#1", SK: "D#1"}, design.Apart,
		},
		"a form that can be anywhere": {
			[]keys.Shape{shape("P#{id}", "C#{id}"), shape("P#{id}", "B#{x}"), shape("P#{id}", "{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Apart,
		},
		"a form that can begin like the item": {
			[]keys.Shape{shape("P#{id}", "C#{id}"), shape("P#{id}", "B#{x}"), shape("P#{id}", "C{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Apart,
		},
		"a form in the range": {
			[]keys.Shape{shape("P#{id}", "C#{id}"), shape("P#{id}", "B#{x}"), shape("P#{id}", "B#X#{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Apart,
		},
		"an item that can be anywhere": {
			[]keys.Shape{shape("P#{id}", "{id}"), shape("P#{id}", "B#{x}")},
			keys.Key{PK: "P#C", SK: "C"}, design.Apart,
		},
		"an item that can be in the range": {
			[]keys.Shape{shape("P#{id}", "B{id}"), shape("P#{id}", "B#{x}")},
			keys.Key{PK: "P#1", SK: "B1"}, design.Apart,
		},
		"an item beside others of its form": {
			[]keys.Shape{shape("P#{id}", "C#{n}"), shape("P#{id}", "B#{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Apart,
		},
		"an item of a bucket with others": {
			[]keys.Shape{shape("P#{at:year}", "C#{at}"), shape("P#{at:year}", "B#{x}")},
			keys.Key{PK: "P#2026", SK: "C#2026-01-31T09:30:00.000Z"}, design.Apart,
		},
		"a padded number": {
			[]keys.Shape{shape("P#{n:03}", "C#{n}"), shape("P#{n:03}", "B#{x}")},
			keys.Key{PK: "P#007", SK: "C#7"}, design.Above,
		},
	} {
		var types []*design.Type
		for i, s := range c.shapes {
			types = append(types, &design.Type{Name: fmt.Sprintf("T%d", i), Item: s})
		}
		d, err := design.NewDesign(nil, types, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Adjacent(c.key, "B#"); got != c.want {
			t.Errorf("%s: %s lies %s, want %s", name, c.key, sides[got], sides[c.want])
		}
	}
}

func TestPlaceOf(t *testing.T) {
	only, lowest, highest := design.Place{Single: true, Lowest: true, Highest: true},
		design.Place{Single: true, Lowest: true}, design.Place{Single: true, Highest: true}
	for _, c := range []struct {
		others []keys.Shape // of the same design as P#{id}, C#{id}
		key    keys.Key
		want   design.Place
	}{
		{nil, keys.Key{PK: "P#1", SK: "C#1"}, only},
		{nil, keys.Key{PK: "P#1", SK: "C#2"}, design.Place{}},
		{nil, keys.Key{PK: "Q#1", SK: "C#1"}, design.Place{}},
		{[]keys.Shape{shape("P#{id}", "D#{x}"), shape("P#{id}", "E")}, keys.Key{PK: "P#1", SK: "C#1"}, lowest},
		{[]keys.Shape{shape("P#{id}", "A#{x}"), shape("Q#{id}", "D#{x}")}, keys.Key{PK: "P#1", SK: "C#1"}, highest},
		{
			[]keys.Shape{shape("P#{id}", "A#{x}"), shape("P#{id}", "D#{x}")},
			keys.Key{PK: "P#1", SK: "C#1"}, design.Place{Single: true},
		},
		{[]keys.Shape{shape("P#{id}", "{x}")}, keys.Key{PK: "P#1", SK: "C#1"}, design.Place{Single: true}},
		{[]keys.Shape{shape("P#{id}", "C#X{x}")}, keys.Key{PK: "P#1", SK: "C#1"}, design.Place{Single: true}},
		{[]keys.Shape{shape("P#{id}", "D#{x}")}, keys.Key{PK: "P#1", SK: "D#1"}, design.Place{}},
	} {
		var types []*design.Type
		for i, s := range append([]keys.Shape{shape("P#{id}", "C#{id}")}, c.others...) {
			types = append(types, &design.Type{Name: fmt.Sprintf("T%d", i), Item: s})
		}
		d, err := design.NewDesign(nil, types, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.PlaceOf(c.key); got != c.want {
			t.Errorf("%v beside %v: %+v, want %+v", c.key, c.others, got, c.want)
		}
	}
}

func TestSamePartition(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"USER#{id}", "USER#{userId}", true},
		{"USER#{id}", "ORDER#{id}", false},
		{"USER#{id}", "USER#{id}#{at:month}", false},
		{"USERS", "USERS", true},
		{"USERS", "USER", false},
		{"{a}", "USERS", true},
		{"{a}", "{b}", true},
		{"U{a}", "USERS", true},
		{"U{a}", "US{b}", true},
		{"U{a}", "V{b}", false},
		{"USERS{a}", "USERS", false},
		{"X{a}", "USERS", false},
		{"{a}#X", "Y#{b}", true},
		{"", "", true},
		{"", "X", false},
	} {
		a, b := keys.MustTemplate(c.a), keys.MustTemplate(c.b)
		if keys.SamePartition(a, b) != c.want || keys.SamePartition(b, a) != c.want {
			t.Errorf("%q and %q: want %v", c.a, c.b, c.want)
		}
	}
}

// TestSmallestBeside finds the least maxBytes of an item beside the range.
func TestSmallestBeside(t *testing.T) {
	sized := shopTypes()
	for i, typ := range sized {
		typ.MaxBytes = 1000 + i
	}
	d, err := design.NewDesign(nil, sized, nil)
	if err != nil {
		t.Fatal(err)
	}
	for leading, want := range map[string]int{"ORDER#": 1000, "ORD": 1000, "v": 1006, "LATEST": 0, "x": 0} {
		if got, found := d.SmallestBeside(leading); got != want || found != (want > 0) {
			t.Errorf("%s: %d bytes, %v, want %d", leading, got, found, want)
		}
	}
	if _, found := d.SmallestBeside("ORDER#", design.Below); found {
		t.Error("there is an item below the orders of a user")
	}
	if got, _ := d.SmallestBeside("ORDER#", design.Above); got != 1000 {
		t.Errorf("%d bytes above the orders of a user, want 1000", got)
	}
}
