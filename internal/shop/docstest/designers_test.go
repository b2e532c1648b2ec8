package docstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
)

// TestDesignWithAgents follows docs/how-to/design-with-agents.md: it runs its client, and compares what it prints. The
// npm package is that of the checkout.
func TestDesignWithAgents(t *testing.T) {
	t.Parallel()
	reader := &reader{dir: t.TempDir()}
	compared := 0
	blocks := readPage(t, "docs/how-to/design-with-agents.md")
	for i, b := range blocks {
		switch {
		case b.file != "":
			reader.write(t, b)
		case b.language != "sh":
		case strings.HasPrefix(b.text, "npm install "):
			fatal.If(t, os.Symlink(filepath.Join(checkout, "e2e", "node_modules"), filepath.Join(reader.dir, "node_modules")))
		case blocks[i+1].language == "":
			printed, _ := reader.sh(t, b.text)
			if diff := cmp.Diff(blocks[i+1].text, printed); diff != "" {
				t.Errorf("%s (-page +program):\n%s", b.text, diff)
			}
			compared++
		default:
			reader.must(t, b.text)
		}
	}
	if compared != 4 {
		t.Errorf("the output of %d commands was compared", compared)
	}
}
