package design_test

import (
	"slices"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// placed is the key of an index of a text and a Number.
var placed = keys.KeyAttributes{{Name: "place"}, {Name: "n", Number: true}}

// placedText returns the text of a key.
func placedText(place, n string) string {
	return placed.Text(item.Item{
		{Name: "place", Value: item.StringValue(place)}, {Name: "n", Value: item.Value{Kind: item.Number, Text: n}},
	})
}

// TestSeveralKeyAttributes: the texts of a key of several attributes have the order of the attributes, one after the
// other, and contain them, whatever characters they have.
func TestSeveralKeyAttributes(t *testing.T) {
	var texts []string
	for _, place := range []string{"a", "a\x00b", "a\x01", "a\x01b", "a\x02", "a\x02\x02", "a b", "a#b", "ab", "b"} {
		for _, n := range []string{"-10", "-9.5", "0", "5", "10"} {
			text := placedText(place, n)
			texts = append(texts, text)
			first, rest := placed.Cut(text)
			second, rest := placed.Cut(rest)
			if first != place || keys.KeyNumber(second) != n || rest != "" {
				t.Errorf("%q, %s: %q, %q and %q", place, n, first, keys.KeyNumber(second), rest)
			}
		}
	}
	if !slices.IsSorted(texts) || len(slices.Compact(slices.Clone(texts))) != len(texts) {
		t.Errorf("the texts are not in the order of the attributes: %q", texts)
	}
	if text := placed.Text(item.Item{{Name: "place", Value: item.StringValue("a")}}); text != "" {
		t.Errorf("an item that lacks an attribute has the key %q", text)
	}
}

// TestShownKeyAttributes: what people see of a key can be typed in.
func TestShownKeyAttributes(t *testing.T) {
	ix := stored.IndexLayout{PK: placed, SK: placed}
	text := placedText("a#b", "-5")
	if shown := ix.ShowPK(keys.PK(text)); shown != "a#b␟-5" {
		t.Errorf("shown as %q", shown)
	}
	if pk, err := ix.ParsePK("a#b␟-5"); err != nil || string(pk) != text {
		t.Errorf("%q, %v", pk, err)
	}
	for _, bad := range []string{"a", "a␟b", "a␟1␟2"} {
		if pk, err := ix.ParsePK(bad); err == nil {
			t.Errorf("%q is %q", bad, pk)
		}
	}
	if sk, err := ix.ParseSK("a"); err != nil || sk != "a" {
		t.Errorf("the beginning of a sort key: %q, %v", sk, err)
	}
	const want = "place = a#b, n BETWEEN -5 AND 7"
	if got := placed.DescribeRange(keys.SK(text), keys.SK(placedText("a#b", "7"))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
