package design_test

import (
	"fmt"
	"strings"
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

// shaped returns a design with a type for each pair of templates, as in "P#{id} C#{id}; P#{id} D#{x}".
func shaped(t *testing.T, pairs string) *design.Design {
	t.Helper()
	var types []*design.Type
	for i, pair := range strings.Split(pairs, "; ") {
		pk, sk, _ := strings.Cut(pair, " ")
		types = append(types, &design.Type{Name: fmt.Sprintf("T%d", i), Item: shape(pk, sk)})
	}
	return design.MustDesign(nil, types, nil)
}

// keyOf returns the key with a partition and a sort key, as in "P#1 C#1".
func keyOf(text string) keys.Key {
	pk, sk, _ := strings.Cut(text, " ")
	return keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}
}

// TestAdjacentOf compares an item with the range of the prefix B# in designs of these shapes. The
// first shape is that of the item, the second that of the range.
func TestAdjacentOf(t *testing.T) {
	for _, c := range []struct {
		name, shapes, key string
		want              design.Side
	}{
		{"above", "P#{id} C#{id}; P#{id} B#{x}", "P#1 C#1", design.Above},
		{"below", "P#{id} A#{id}; P#{id} B#{x}", "P#1 A#1", design.Below},
		{"literal", "P#{id} META; P#{id} B#{x}", "P#1 META", design.Above},
		{"another shape above", "P#{id} C#{id}; P#{id} B#{x}; P#{id} D#{x}", "P#1 C#1", design.Above},
		{"another shape below", "P#{id} C#{id}; P#{id} B#{x}; P#{id} A#{x}", "P#1 C#1", design.Above},
		{"a form between", "P#{id} D#{id}; P#{id} B#{x}; P#{id} C#{x}", "P#1 D#1", design.Apart},
		{"a form between, of another partition", "P#{id} D#{id}; P#{id} B#{x}; Q#{id} C#{x}", "P#1 D#1", design.Above},
		{"a form between, in the same partition", "P#{id} D#{id}; P#{id} B#{x}; P#1 C#{x}", "P#1 D#1", design.Apart},
		{"a form that can be anywhere", "P#{id} C#{id}; P#{id} B#{x}; P#{id} {x}", "P#1 C#1", design.Apart},
		{"a form that can begin like the item", "P#{id} C#{id}; P#{id} B#{x}; P#{id} C{x}", "P#1 C#1", design.Apart},
		{"a form in the range", "P#{id} C#{id}; P#{id} B#{x}; P#{id} B#X#{x}", "P#1 C#1", design.Apart},
		{"an item that can be anywhere", "P#{id} {id}; P#{id} B#{x}", "P#C C", design.Apart},
		{"an item that can be in the range", "P#{id} B{id}; P#{id} B#{x}", "P#1 B1", design.Apart},
		{"an item beside others of its form", "P#{id} C#{n}; P#{id} B#{x}", "P#1 C#1", design.Apart},
		{
			"an item of a bucket with others", "P#{at:year} C#{at}; P#{at:year} B#{x}",
			"P#2026 C#2026-01-31T09:30:00.000Z", design.Apart,
		},
		{"a padded number", "P#{n:03} C#{n}; P#{n:03} B#{x}", "P#007 C#7", design.Above},
	} {
		if got := shaped(t, c.shapes).Adjacent(keyOf(c.key), "B#"); got != c.want {
			t.Errorf("%s: %s lies %s, want %s", c.name, c.key, sides[got], sides[c.want])
		}
	}
}

func TestPlaceOf(t *testing.T) {
	only, lowest, highest := design.Place{Single: true, Lowest: true, Highest: true},
		design.Place{Single: true, Lowest: true}, design.Place{Single: true, Highest: true}
	for _, c := range []struct {
		others, key string // in the same design as P#{id} C#{id}
		want        design.Place
	}{
		{"", "P#1 C#1", only},
		{"", "P#1 C#2", design.Place{}},
		{"", "Q#1 C#1", design.Place{}},
		{"; P#{id} D#{x}; P#{id} E", "P#1 C#1", lowest},
		{"; P#{id} A#{x}; Q#{id} D#{x}", "P#1 C#1", highest},
		{"; P#{id} A#{x}; P#{id} D#{x}", "P#1 C#1", design.Place{Single: true}},
		{"; P#{id} {x}", "P#1 C#1", design.Place{Single: true}},
		{"; P#{id} C#X{x}", "P#1 C#1", design.Place{Single: true}},
		{"; P#{id} D#{x}", "P#1 D#1", design.Place{}},
	} {
		if got := shaped(t, "P#{id} C#{id}"+c.others).PlaceOf(keyOf(c.key)); got != c.want {
			t.Errorf("%s beside %s: %+v, want %+v", c.key, c.others, got, c.want)
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

// TestExtent resolves fields beside stored keys, whose variables have these kinds.
func TestExtent(t *testing.T) {
	kinds := map[string]keys.Kind{
		"s": keys.String, "id": keys.IDKind, "n": keys.Int, "at": keys.Time, "e": keys.Enum, "b": keys.Boolean,
	}
	for _, c := range []struct {
		delimiter string
		// stored are the sort keys of the types T0, T1 and so on.
		stored []string
		sk     string
		types  string
		extent keys.Extent
		gap    bool
		// text is the range with the value 1.
		text string
	}{
		{"#", []string{"D#{s}"}, "D#{s}", "T0", keys.Exact, false, `"D#1" to "D#1"`},
		{"#", []string{"D#{s}#{id}"}, "D#{s}", "T0", keys.Children, false, `"D#1#" to "D#1$"`},
		{"#", []string{"D#{s}", "D#{s}#U#{id}"}, "D#{s}", "T0 T1", keys.Tree, true, `"D#1" to "D#1#\U0010ffff"`},
		{"#", []string{"D#{s}#{id}", "D#{s}#X", "D#{s}"}, "D#{s}", "T0 T1 T2", keys.Tree, true, `"D#1" to "D#1#\U0010ffff"`},
		{"#", []string{"D#{s}", "D#{s}#U#{id}"}, "D#{s}#U#", "T1", keys.Text, false, `"D#1#U#" to "D#1#U$"`},
		{"#", []string{"D#{s}", "D#{s}#U#{id}"}, "D#{s}#", "T1", keys.Text, false, `"D#1#" to "D#1#\U0010ffff"`},
		{"#", []string{"D#{s}", "D#{s}#U#{id}"}, "D#", "T0 T1", keys.Text, false, `"D#" to "D$"`},
		{"#", []string{"META", "META#{id}"}, "META", "T0 T1", keys.Tree, true, `"META" to "META#\U0010ffff"`},
		{"#", []string{"META", "METADATA"}, "META", "T0 T1", keys.Text, false, `"META" to "META\U0010ffff"`},
		{"#", []string{"D#{s}#{id}", "D#OPEN#X#{n:02}"}, "D#OPEN", "T0 T1", keys.Children, false, `"D#OPEN#" to "D#OPEN$"`},
		// Values that are no text.
		{"#", []string{"{at}#{id}", "TASK#{id}"}, "TASK#", "T1", keys.Text, false, `"TASK#" to "TASK$"`},
		{"#", []string{"{b}", "true#{id}"}, "true", "T0 T1", keys.Tree, true, `"true" to "true#\U0010ffff"`},
		{"#", []string{"D#{n}", "D#{n}#U#{id}"}, "D#{n}", "T0 T1", keys.Tree, false, `"D#1" to "D#1#\U0010ffff"`},
		{"|", []string{"D|{n}", "D|{n}|U|{id}"}, "D|{n}", "T0 T1", keys.Tree, true, `"D|1" to "D|1|\U0010ffff"`},
		{"|", []string{"D|{n:03}", "D|{n:03}|{id}"}, "D|{n:03}", "T0 T1", keys.Tree, false, `"D|001" to "D|001|\U0010ffff"`},
		{"/", []string{"D/{e}", "D/{e}/{id}"}, "D/{e}", "T0 T1", keys.Tree, false, `"D/1" to "D/1/\U0010ffff"`},
		{"::", []string{"D::{e}", "D::{e}::{id}"}, "D::{e}", "T0 T1", keys.Tree, true, `"D::1" to "D::1::\U0010ffff"`},
	} {
		pk := keys.MustDelimited(c.delimiter, "P")
		var types []*design.Type
		for i, sk := range c.stored {
			typ := &design.Type{Name: fmt.Sprint("T", i), Item: keys.Shape{PK: pk, SK: keys.MustDelimited(c.delimiter, sk)}}
			for _, name := range typ.Item.SK.Variables() {
				typ.Attributes = append(typ.Attributes, design.Attribute{Name: name, Kind: kinds[name]})
			}
			types = append(types, typ)
		}
		f, err := design.Resolve(types, &design.Field{Kind: design.Query, PK: pk, SK: keys.MustDelimited(c.delimiter, c.sk)})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range f.Matches() {
			names = append(names, m.Type.Name)
		}
		condition, err := f.Bind(func(string) keys.Value { return keys.StringValue("1") }).Condition()
		if err != nil {
			t.Fatal(err)
		}
		from, to := condition.Bounds()
		text := fmt.Sprintf("%q to %q", from, to)
		got := strings.Join(names, " ")
		if got != c.types || f.Extent() != c.extent || f.HasGap() != c.gap || text != c.text {
			t.Errorf("%s beside %v: %s, extent %d, gap %v, %s; want %s, %d, %v, %s", c.sk, c.stored,
				got, f.Extent(), f.HasGap(), text, c.types, c.extent, c.gap, c.text)
		}
	}
}

// TestTreeContains: the item and its children are in the range, not what sorts between.
func TestTreeContains(t *testing.T) {
	types := []*design.Type{
		{Name: "A", Item: shape("P", "D#{s}")}, {Name: "B", Item: shape("P", "D#{s}#U#{id}")},
	}
	tree := shape("P", "D#{s}")
	f, err := design.Resolve(types, &design.Field{Kind: design.Query, PK: tree.PK, SK: tree.SK})
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Bind(func(string) keys.Value { return keys.StringValue("1") }).Condition()
	if err != nil {
		t.Fatal(err)
	}
	for sk, want := range map[keys.SK]bool{
		"D#1": true, "D#1#": true, "D#1#U#7": true, "D#1 A": false, "D#1!": false, "D#1$": false, "D#10": false, "D#0": false,
	} {
		if c.Contains(sk) != want {
			t.Errorf("%q: %v", sk, !want)
		}
		cursor := c.Cursor(0, orderCopy(string(sk)))
		if _, err := c.ParseCursor("after", cursor); (err == nil) != want {
			t.Errorf("the cursor of %q: %v", sk, err)
		}
	}
}
