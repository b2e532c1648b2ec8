package design_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// TestNumberFormat: a text that is stored as a Number has one form, in attributes and in keys.
func TestNumberFormat(t *testing.T) {
	design := design.MustDesign(&stored.Layout{PK: keys.Named("n"), Delimiter: "#"}, []*design.Type{{
		Name: "T", Identity: []string{"n"}, MaxBytes: 100, Item: keys.Shape{PK: keys.MustDelimited("#", "{n}")},
		Attributes: []design.Attribute{{Name: "n", Kind: keys.IDKind, As: keys.Number, NonNull: true}},
	}}, nil)
	typ := design.Type("T")
	for _, text := range []string{"0", "-7", "101", "0.25", "12345678901234567890123456789012345678"} {
		a := typ.Attribute("n")
		if !typ.CanStore(a, item.StringValue(text)) ||
			!typ.Rounded(a, item.StringValue(text)).Equal(item.StringValue(text)) {
			t.Errorf("%s is not stored as it is", text)
		}
		key, err := typ.BaseKey(func(string) keys.Value { return keys.StringValue(text) })
		if pk, _ := design.Layout.ShowKey(key); err != nil || pk != text {
			t.Errorf("the key of %s is %s, %v", text, pk, err)
		}
	}
	for _, text := range []string{"", "007", "1.0", "1e3", "-0", "x", "123456789012345678901234567890123456789"} {
		if typ.CanStore(typ.Attribute("n"), item.StringValue(text)) {
			t.Errorf("%q can be stored", text)
		}
		if key, err := typ.BaseKey(func(string) keys.Value { return keys.StringValue(text) }); err == nil {
			t.Errorf("%q has the key %q", text, key)
		}
	}
	written := item.Value{Kind: item.Number, Text: "1.5E+3"}
	got := design.FromStored(item.Item{{Name: "n", Value: written}})
	if v, _ := got.Get("n"); v.Text != "1500" || v.Kind != item.String {
		t.Errorf("1.5E+3 is %+v", v)
	}
	if v, _ := design.ToStored(got).Get("n"); v.Text != "1500" || v.Kind != item.Number {
		t.Errorf("it is stored again as %+v", v)
	}
}
