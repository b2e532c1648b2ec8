package docstest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/processtest"
)

// TestYourOwnTable follows docs/tutorials/your-own-table.md in an empty folder: it runs its commands and compares what
// they print. It differs from what a reader does in one way: the gateway listens on a free port.
func TestYourOwnTable(t *testing.T) {
	t.Parallel()
	reader := &reader{dir: t.TempDir()}
	blocks := readPage(t, "docs/tutorials/your-own-table.md")
	for i, b := range blocks {
		want := ""
		if i+1 < len(blocks) && blocks[i+1].language == "" {
			want = blocks[i+1].text
		}
		switch {
		case b.file != "":
			reader.write(t, b)
		case b.language == "sh" && b.text == "partita serve tasks --watch\n" && want == "":
			// The local engine's secret is that of the demo data.
			reader.service = processtest.Launch(t, "serve --watch "+filepath.Join(reader.dir, "tasks"), "JWT_SECRET=")
			reader.service.AwaitServing(t)
		case b.language == "sh" && want == "":
			reader.must(t, b.text)
		case b.language == "sh":
			reader.run(t, b.text, want)
		}
	}
	if reader.answers != 2 {
		t.Errorf("%d operations were answered", reader.answers)
	}
}

// TestReadme follows README.md: it creates its folder, serves it, and compares the answer. The gateway listens on a
// free port.
func TestReadme(t *testing.T) {
	t.Parallel()
	reader := &reader{dir: t.TempDir()}
	blocks := readPage(t, "README.md")
	for i, b := range blocks {
		switch {
		case b.language == "sh" && strings.HasPrefix(b.text, "curl "):
			reader.run(t, b.text, blocks[i+1].text)
		case b.language == "sh":
			const build, create, serve = "make build\n", "bin/partita new cookbook\n", "bin/partita serve cookbook --watch\n"
			if b.text != build+create+serve {
				t.Fatalf("the commands are\n%s", b.text)
			}
			reader.must(t, strings.TrimPrefix(create, "bin/"))
			reader.service = processtest.Launch(t, "serve --watch "+filepath.Join(reader.dir, "cookbook"), "JWT_SECRET=")
			reader.service.AwaitServing(t)
		}
	}
	if reader.answers != 1 {
		t.Errorf("%d operations were answered", reader.answers)
	}
}
