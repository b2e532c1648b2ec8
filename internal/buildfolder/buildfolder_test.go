package buildfolder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

func TestNewBesideAnotherRun(t *testing.T) {
	if one, other := New(t), New(t); one == other {
		t.Errorf("two runs have the folder %s", one)
	}
}

func TestNewAfterOneThatWasKilled(t *testing.T) {
	var dir string
	t.Run("run", func(t *testing.T) {
		want, err := testFolder(t.Name())
		fatal.If(t, err)
		fatal.If(t, os.MkdirAll(filepath.Join(want, "left"), 0o700))
		dir = New(t)
		if dir != want {
			t.Errorf("got %s, want %s", dir, want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("%d files are left: %v", len(entries), err)
		}
	})
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there after the test: %v", err)
	}
}
