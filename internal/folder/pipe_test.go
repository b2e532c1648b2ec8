//go:build unix

package folder_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/tabletest"
)

// TestPipes: a pipe without a writer is no file of a folder, and nothing waits for one.
func TestPipes(t *testing.T) {
	for _, name := range []string{"more.graphqls", "query.graphql", "data.jsonl"} {
		dir := write(t, map[string]string{"notes.graphqls": notes})
		fatal.If(t, syscall.Mkfifo(filepath.Join(dir, name), 0o600))
		_, err := folder.Open(dir)
		want := name + " cannot be read (not a regular file; write its content to one)"
		tabletest.WantExitError(t, err, exit.NoInput, want)
	}
}
