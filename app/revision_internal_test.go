package app

import (
	"path/filepath"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/table/tabletest"
)

// TestNoGit: without git, a base that is no path cannot be read.
func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := sourcesAt(filepath.FromSlash("../graph/schema"), "main")
	tabletest.WantExitError(t, err, exit.Unavailable,
		"git is not installed, and --base is not a path that exists: install git, or name a folder or a file")
}
