package docstest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/buildfolder"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

// TestYourOwnService follows docs/tutorials/your-own-service.md in an empty folder: it writes the page's files, runs
// its commands and compares what they print. It differs from what a reader does in five ways: the module is replaced by
// this checkout, Go downloads nothing and writes no debug information, the npm package is that of the checkout, and the
// service listens on a free port.
func TestYourOwnService(t *testing.T) {
	t.Parallel()
	// For go get, more must be known of the engine's dependencies than a build has downloaded.
	if printed, err := exec.CommandContext(t.Context(), "go", "mod", "graph").CombinedOutput(); err != nil {
		t.Fatalf("go mod graph: %v\n%s", err, printed)
	}
	reader := &reader{dir: buildfolder.New(t)}
	blocks := readPage(t, "docs/tutorials/your-own-service.md")
	for i, b := range blocks {
		switch {
		case b.file != "":
			reader.write(t, b)
		case b.language == "sh":
			want := ""
			if i+1 < len(blocks) && blocks[i+1].language == "" {
				want = blocks[i+1].text
			}
			reader.run(t, b.text, want)
		}
	}
	if reader.answers != 3 {
		t.Errorf("%d operations were answered", reader.answers)
	}
}

// block is a code block of a page.
type block struct {
	language, text string
	// file is the file that the block is the content of, or a change to; "" for none.
	file string
}

var codeBlock = regexp.MustCompile("(?s)(?:`([a-z./_]+)`:\n\n)?```([a-z]*)\n(.*?)```\n")

func readPage(t *testing.T, path string) []block {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(checkout, path))
	fatal.If(t, err)
	var blocks []block
	for _, m := range codeBlock.FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, block{file: m[1], language: m[2], text: m[3]})
	}
	return blocks
}

// reader is somebody who follows the page.
type reader struct {
	dir     string
	service *processtest.Process
	answers int
}

func (r *reader) write(t *testing.T, b block) {
	t.Helper()
	path := filepath.Join(r.dir, b.file)
	content := b.text
	if b.language == "diff" {
		before, err := os.ReadFile(path)
		fatal.If(t, err)
		content = patched(t, string(before), b.text)
	}
	fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
	fatal.If(t, os.WriteFile(path, []byte(content), 0o600))
}

// patched is the text with the lines that begin with - replaced by those that begin with +.
func patched(t *testing.T, text, diff string) string {
	t.Helper()
	var before, after strings.Builder
	for line := range strings.Lines(diff) {
		if rest, removed := strings.CutPrefix(line, "-"); removed {
			before.WriteString(rest)
		} else {
			after.WriteString(strings.TrimPrefix(line, "+"))
		}
	}
	if strings.Count(text, before.String()) != 1 {
		t.Fatalf("the file does not have these lines once:\n%s", before.String())
	}
	return strings.Replace(text, before.String(), after.String(), 1)
}

// run runs the commands of a block, and compares what they print if the page shows it.
func (r *reader) run(t *testing.T, commands, want string) {
	t.Helper()
	build, serves := strings.CutSuffix(commands, "./tasks serve\n")
	switch {
	case serves:
		r.must(t, build)
		r.serve(t)
	case strings.HasPrefix(commands, "npm install "):
		fatal.If(t, os.Symlink(filepath.Join(checkout, "node_modules"), filepath.Join(r.dir, "node_modules")))
	case strings.HasPrefix(commands, "curl "):
		output, _ := r.sh(t, strings.ReplaceAll(commands, "localhost:8080", strings.TrimPrefix(r.service.URL, "http://")))
		if diff := cmp.Diff(timeless(t, want), timeless(t, output)); diff != "" {
			t.Errorf("the answer to %s (-page +service):\n%s\n%s", commands, diff, output)
		}
		r.answers++
	case want != "":
		if output, _ := r.sh(t, commands); output != want {
			t.Errorf("%s prints\n%s\nand the page has\n%s", commands, output, want)
		}
	default:
		for line := range strings.Lines(commands) {
			r.must(t, line)
		}
	}
}

// must runs a command that prints nothing of interest.
func (r *reader) must(t *testing.T, command string) {
	t.Helper()
	if output, err := r.sh(t, command); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, output)
	}
	if strings.HasPrefix(command, "go mod init ") {
		r.must(t, "go mod edit -replace github.com/partita/partita="+checkout)
	}
}

func (r *reader) sh(t *testing.T, commands string) (output string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-ec", commands)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-ldflags=-w", "GOGC=400")
	printed, err := cmd.CombinedOutput()
	return string(printed), err
}

// serve starts the service, or starts it again.
func (r *reader) serve(t *testing.T) {
	t.Helper()
	if r.service != nil {
		r.service.Signal(t, os.Interrupt)
		<-r.service.Ended
	}
	binary := filepath.Join(r.dir, "tasks")
	// The secret is that of the local engine's demo data.
	data := "DATA_DIR=" + filepath.Join(r.dir, ".data")
	r.service = processtest.LaunchBinary(t, binary, "serve", data, "JWT_SECRET=")
	r.service.AwaitServing(t)
}

// timeless is a GraphQL response without what depends on time: how much of its budget the caller has got back.
func timeless(t *testing.T, text string) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "\n", "")), &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	cost := r["extensions"].(map[string]any)["cost"].(map[string]any)
	delete(cost["throttleStatus"].(map[string]any), "currentlyAvailable")
	return r
}
