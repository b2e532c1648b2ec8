package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
)

// TestNoGit: without git, a base that is no path cannot be read.
func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := sourcesAt(filepath.FromSlash("../graph/schema"), "main")
	tabletest.WantExitError(t, err, exit.Unavailable,
		"git is not installed, and --base is not a path that exists: install git, or name a folder or a file")
}

// TestSymbolicLinkInRevision: the path that a link has is not taken for a schema.
func TestSymbolicLinkInRevision(t *testing.T) {
	dir := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(dir, "schema.txt"), []byte("type Query { a: Int }"), 0o600))
	fatal.If(t, os.Symlink("schema.txt", filepath.Join(dir, "a.graphqls")))
	for _, arguments := range [][]string{
		{"init", "-q"}, {"config", "user.name", "a"}, {"config", "user.email", "a@a.example"},
		{"config", "commit.gpgsign", "false"}, {"add", "."}, {"commit", "-q", "-m", "a"},
	} {
		if _, err := git(dir, arguments...); err != nil {
			t.Fatal(err)
		}
	}
	_, err := sourcesAt(dir, "HEAD")
	tabletest.WantExitError(t, err, exit.NoInput, "a.graphqls is a symbolic link in HEAD")
}
