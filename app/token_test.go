package app

import (
	"testing"

	"github.com/partita/partita/demo"
)

// TestTokenIsForTheUser: whichever form of an id is given, the token names the user
// as the table does.
func TestTokenIsForTheUser(t *testing.T) {
	ada := demo.Ada()
	for _, given := range []string{ada.Value(), ada.Encode(), "demo"} {
		if got, err := (&tokenCommand{User: given}).id(); got != ada.Value() || err != nil {
			t.Errorf("%s: got %q, %v, want %s", given, got, err, ada.Value())
		}
	}
	for _, given := range []string{"", "Ada Lovelace", "u#1", "u\n"} {
		if got, err := (&tokenCommand{User: given}).id(); err == nil {
			t.Errorf("%q: got %q", given, got)
		}
	}
}
