package keys_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/partita/partita/keys"
)

// TestAnyDateIsJSON: what is stored is written as JSON, whatever it is.
func TestAnyDateIsJSON(t *testing.T) {
	for _, text := range []string{"2026-01-31", "", "\x00\x1f\x7f", `"\`, "\u2028\U0010ffff", "soon"} {
		var b strings.Builder
		keys.CalendarDate(text).MarshalGQL(&b)
		var got string
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got != text {
			t.Errorf("%q is written as %s: %v", text, b.String(), err)
		}
	}
}
