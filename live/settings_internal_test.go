package live

import (
	"testing"

	"github.com/partita/partita/defaults"
	"github.com/partita/partita/keys/design"
)

// TestDefaults: a hub without settings has those of the command line.
func TestDefaults(t *testing.T) {
	var want Settings
	if err := defaults.Apply(&want); err != nil {
		t.Fatal(err)
	}
	if got := NewHub(design.MustDesign(nil, nil, nil), Options{}).options.Settings; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
