package app

import (
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// TestTokenIsForTheUser: the token has the raw id of the user for each notation of the id.
func TestTokenIsForTheUser(t *testing.T) {
	ada := keys.NewID("User", "01999ec9-0c00-73b3-aeb5-f75e016aeba5")
	demo := viewer.Viewer{ID: ada.Value()}
	for _, given := range []string{ada.Value(), ada.Encode(), "demo"} {
		if got, err := (&tokenCommand{User: given}).id(demo); got != ada.Value() || err != nil {
			t.Errorf("%s: got %q, %v, want %s", given, got, err, ada.Value())
		}
	}
	for _, given := range []string{"", "Ada Lovelace", "u#1", "u\n"} {
		if got, err := (&tokenCommand{User: given}).id(demo); err == nil {
			t.Errorf("%q: got %q", given, got)
		}
	}
	if got, err := (&tokenCommand{User: "demo"}).id(viewer.Viewer{}); got != "demo" || err != nil {
		t.Errorf("without demo data: got %q, %v", got, err)
	}
}
