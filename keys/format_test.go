package keys_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// TestTimesInWholeSeconds: a time with a fraction is not in the format SECONDS. If it were read as one, conditions on
// it would not hold, and a repair would cut its keys.
func TestTimesInWholeSeconds(t *testing.T) {
	design := keys.MustDesign(nil, []*keys.Type{{
		Name: "Event", Item: shape("EVENT#{at}", "EVENT"), Identity: []string{"at"},
		Attributes: []keys.Attribute{{Name: "at", Kind: keys.Time, As: keys.Seconds}},
	}}, nil)
	for stored, c := range map[string]struct {
		at     string
		agrees bool
	}{
		"2024-01-15T10:30:00Z":     {"2024-01-15T10:30:00.000Z", true},
		"2024-01-15T10:30:00.5Z":   {"=2024-01-15T10:30:00.5Z", false},
		"2024-01-15T10:30:00.500Z": {"=2024-01-15T10:30:00.500Z", false},
	} {
		raw := item.Item{
			{Name: "PK", Value: item.StringValue("EVENT#" + stored)}, {Name: "SK", Value: item.StringValue("EVENT")},
			{Name: item.EntityType, Value: item.StringValue("Event")}, {Name: "at", Value: item.StringValue(stored)},
		}
		it := design.FromStored(raw)
		if at, agrees := it.Text("at"), design.Types[0].Agrees(it); at != c.at || agrees != c.agrees {
			t.Errorf("%s is read as %s, and its key agrees: %v", stored, at, agrees)
		}
		if back := design.ToStored(it).Text("at"); back != stored {
			t.Errorf("%s is written as %s", stored, back)
		}
	}
}
