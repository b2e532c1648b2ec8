package keys_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// TestPlacesAgree: only names that both orders have count.
func TestPlacesAgree(t *testing.T) {
	for _, c := range []struct {
		a, b  keys.Places
		agree bool
	}{
		{"LOW HIGH", "LOW HIGH", true},
		{"LOW HIGH", "LOW HIGH URGENT", true},
		{"LOW HIGH", "LOW NORMAL", true},
		{"LOW HIGH", "LOW NORMAL HIGH", false},
		{"LOW HIGH", "HIGH LOW", false},
		{"LOW HIGH", "", true},
	} {
		if c.a.Agree(c.b) != c.agree || c.b.Agree(c.a) != c.agree {
			t.Errorf("%q and %q", c.a, c.b)
		}
	}
}

// TestPlacesInKeys: a key has the place of a stored name, and is read as the name of the schema. Without a width it has
// the name.
func TestPlacesInKeys(t *testing.T) {
	names := &keys.ValueNames{Stored: keys.Renaming{"URGENT": "HIGH"}, Own: keys.Renaming{"HIGH": "URGENT"}}
	template := keys.MustTemplate("TASK#{priority:02}#{priority}").WithNames(
		func(string) (*keys.ValueNames, keys.Places) { return names, "LOW HIGH" })
	it := item.Item{{Name: "priority", Value: item.StringValue("URGENT")}}
	text, err := template.Build(func(name string) keys.Value { return keys.AttributeValue(it, name) })
	if err != nil || text != "TASK#02#HIGH" || !template.Agrees(text, it) || template.Agrees("TASK#01#HIGH", it) {
		t.Errorf("the key is %s, %v", text, err)
	}
	if values, ok := template.Match(text); !ok || values[0] != "URGENT" || values[1] != "URGENT" {
		t.Errorf("%s has %v", text, values)
	}
	for _, text := range []string{"TASK#00#HIGH", "TASK#03#HIGH", "TASK#2#HIGH", "TASK#HIGH#HIGH"} {
		if values, ok := template.Match(text); ok {
			t.Errorf("%s has %v", text, values)
		}
	}
	_, err = template.Build(func(string) keys.Value { return keys.StringValue("NONE") })
	if err == nil || err.Error() != "priority must be LOW or URGENT" {
		t.Errorf("another value: %v", err)
	}
}
