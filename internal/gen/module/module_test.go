package module_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gen/module"
)

// TestWithoutToolchain: without the Go toolchain, the error says where to get it, and nothing is written.
func TestWithoutToolchain(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := filepath.Join(t.TempDir(), "module")
	err := module.Module{Dir: dir, Path: "example.com/notes", Log: t.Output()}.Generate(t.Context())
	failed, is := errors.AsType[*exit.Error](err)
	if !is || failed.Code != exit.Unavailable || !strings.Contains(failed.Fix, "https://go.dev/dl") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder exists: %v", err)
	}
}
