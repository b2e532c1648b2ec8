package plan_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/plan"
)

// TestFormatOfTexts: a text fits a scalar only if it is one of its values.
func TestFormatOfTexts(t *testing.T) {
	for _, c := range []struct {
		kind keys.Kind
		text string
		fits bool
	}{
		{keys.String, "anything", true},
		{keys.Date, "2026-02-28", true},
		{keys.Date, "2026-02-30", false},
		{keys.Date, "", false},
		{keys.Date, "\a", false},
		{keys.Time, "2026-02-28T10:00:00.000Z", true},
		{keys.Time, "2026-02-28T10:00:00Z", false},
		{keys.Enum, "PENDING", true},
		{keys.Enum, "pending", false},
	} {
		f := &plan.Format{Kind: c.kind, Names: []string{"PENDING"}}
		v := item.StringValue(c.text)
		if err := f.Check(&v); (err == nil) != c.fits {
			t.Errorf("%s %q: %v", c.kind, c.text, err)
		}
	}
}
