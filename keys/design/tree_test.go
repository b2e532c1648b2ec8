package design_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

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
