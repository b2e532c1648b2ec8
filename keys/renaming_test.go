package keys_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// TestNamesInKeys: a key has the stored name of a value, and is read as that of the schema, whichever it is.
func TestNamesInKeys(t *testing.T) {
	names := &keys.ValueNames{
		Stored: keys.Renaming{"CLOSED": "DONE"}, Others: []keys.Renaming{{"CLOSED": "FINISHED"}},
		Own: keys.Renaming{"DONE": "CLOSED", "FINISHED": "CLOSED"},
	}
	template := keys.MustTemplate("STATE#{state}#{n}").WithNames(func(variable string) (*keys.ValueNames, keys.Places) {
		if variable == "state" {
			return names, ""
		}
		return nil, ""
	})
	for own, stored := range map[string]string{"CLOSED": "STATE#DONE#CLOSED", "OPEN": "STATE#OPEN#CLOSED"} {
		it := item.Item{
			{Name: "state", Value: item.StringValue(own)}, {Name: "n", Value: item.StringValue("CLOSED")},
		}
		text, err := template.Build(func(name string) keys.Value { return keys.AttributeValue(it, name) })
		if err != nil || text != stored || !template.Agrees(text, it) {
			t.Errorf("the key of %s is %s, %v", own, text, err)
		}
		if values, ok := template.Match(text); !ok || values[0] != own {
			t.Errorf("%s has %v", text, values)
		}
	}
	if values, _ := template.Match("STATE#FINISHED#a"); values[0] != "CLOSED" {
		t.Errorf("the other name is read as %v", values)
	}
}

// TestRenaming: lists have the other names as well, and other values are kept.
func TestRenaming(t *testing.T) {
	r := keys.Renaming{"A": "B"}
	list := item.ListValue([]item.Value{item.StringValue("A"), item.StringValue("C"), item.NumberValue(1)})
	want := item.ListValue([]item.Value{item.StringValue("B"), item.StringValue("C"), item.NumberValue(1)})
	if got := r.Value(list); !got.Equal(want) || !r.Inverse().Value(got).Equal(list) {
		t.Errorf("the list is %v", got)
	}
}
