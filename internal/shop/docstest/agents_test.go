package docstest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

// random matches ids and cursors, which are others each time.
var random = regexp.MustCompile(`[A-Za-z0-9_-]{40,}`)

// TestAgents follows docs/how-to/agents.md: it runs its client, and compares what it prints. The gateway listens on a
// free port, and the npm package is that of the checkout.
func TestAgents(t *testing.T) {
	t.Parallel()
	reader := &reader{dir: t.TempDir()}
	compared := 0
	blocks := readPage(t, "docs/how-to/agents.md")
	for i, b := range blocks {
		switch {
		case b.file != "":
			b.text = strings.Replace(b.text, "localhost:8080", strings.TrimPrefix(reader.service.URL, "http://"), 1)
			reader.write(t, b)
		case b.language != "sh":
		case strings.HasPrefix(b.text, "partita serve tasks "):
			reader.service = processtest.Launch(t, "serve "+filepath.Join(reader.dir, "tasks")+
				" --mcp="+filepath.Join(reader.dir, "tasks", "tools"), "JWT_SECRET=")
			reader.service.AwaitServing(t)
		case strings.HasPrefix(b.text, "npm install "):
			fatal.If(t, os.Symlink(filepath.Join(checkout, "e2e", "node_modules"), filepath.Join(reader.dir, "node_modules")))
		case blocks[i+1].language == "":
			printed, _ := reader.sh(t, b.text)
			diff := cmp.Diff(random.ReplaceAllString(blocks[i+1].text, ""), random.ReplaceAllString(printed, ""))
			if diff != "" {
				t.Errorf("%s (-page +program):\n%s", b.text, diff)
			}
			compared++
		default:
			reader.must(t, b.text)
		}
	}
	if compared != 8 {
		t.Errorf("the output of %d commands was compared", compared)
	}
}
