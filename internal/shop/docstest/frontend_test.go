package docstest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

// TestFirstHour follows docs/tutorials/frontend.md: it runs its commands in one shell, writes its files and compares
// what is printed. It differs from what a reader does in three ways: the clone is this checkout with its binary, the
// packages are those of the end-to-end tests, and the shop listens on a free port.
func TestFirstHour(t *testing.T) {
	t.Parallel()
	const (
		clone = "git clone https://github.com/partita/partita\ncd partita\nmake run\n"
		serve = "bin/partita serve\n"
	)
	h := newHour(t)
	blocks := readPage(t, "docs/tutorials/frontend.md")
	compared := 0
	for i, b := range blocks {
		want := ""
		if i+1 < len(blocks) && blocks[i+1].language == "" {
			want = blocks[i+1].text
		}
		switch {
		case b.file != "":
			b.text = strings.ReplaceAll(b.text, "localhost:8080", h.address())
			(&reader{dir: h.app}).write(t, b)
		case b.language != "sh":
		case b.text == clone:
			h.serve(t)
		case strings.HasSuffix(b.text, serve):
			h.serve(t, strings.Fields(strings.TrimSuffix(b.text, serve))...)
		case want == "":
			h.run(t, b.text)
		default:
			compared++
			h.compare(t, b.text, want)
		}
	}
	if compared != 6 {
		t.Errorf("%d outputs were compared", compared)
	}
}

// hour is somebody who follows the page.
type hour struct {
	data, app string
	shop      *processtest.Process
	stdin     io.Writer
	output    *bufio.Reader
}

// newHour starts a shell in a folder that is like the clone.
func newHour(t *testing.T) *hour {
	t.Helper()
	dir := t.TempDir()
	h := &hour{data: filepath.Join(dir, "data"), app: filepath.Join(dir, "first-hour")}
	clone := filepath.Join(dir, "partita")
	binary, err := exec.LookPath("partita")
	fatal.If(t, err)
	fatal.If(t, os.MkdirAll(filepath.Join(clone, "bin"), 0o755))
	fatal.If(t, os.Symlink(binary, filepath.Join(clone, "bin", "partita")))
	cmd := exec.CommandContext(t.Context(), "bash")
	cmd.Dir, cmd.Env = clone, append(os.Environ(), "npm_config_loglevel=error")
	stdin, err := cmd.StdinPipe()
	fatal.If(t, err)
	stdout, err := cmd.StdoutPipe()
	fatal.If(t, err)
	cmd.Stderr = cmd.Stdout
	fatal.If(t, cmd.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait() // each command's status is checked
	})
	h.stdin, h.output = stdin, bufio.NewReader(stdout)
	return h
}

// serve starts the shop, or starts it again with other settings.
func (h *hour) serve(t *testing.T, settings ...string) {
	t.Helper()
	// The secret is that of the demo data.
	settings = append(settings, "DATA_DIR="+h.data, "JWT_SECRET=")
	if h.shop != nil {
		settings = append(settings, "ADDR="+h.address())
		h.shop.Signal(t, os.Interrupt)
		<-h.shop.Ended
	}
	h.shop = processtest.Launch(t, "serve", settings...)
	h.shop.AwaitServing(t)
}

// address is what localhost:8080 is on the page.
func (h *hour) address() string { return strings.TrimPrefix(h.shop.URL, "http://") }

// endOfCommands follows the output of commands that have succeeded.
const endOfCommands = "these commands have succeeded"

// run runs commands, which must succeed, and returns what they print. Packages are not downloaded.
func (h *hour) run(t *testing.T, commands string) string {
	t.Helper()
	var script strings.Builder
	for command := range strings.Lines(strings.ReplaceAll(commands, "localhost:8080", h.address())) {
		if strings.HasPrefix(command, "npm install ") {
			command = "ln -sfn " + filepath.Join(checkout, "e2e", "node_modules") + " node_modules\n"
		}
		script.WriteString(command)
	}
	if _, err := fmt.Fprintf(h.stdin, "set -e\n%s\nprintf '\\n%s\\n'\n", script.String(), endOfCommands); err != nil {
		t.Fatal(err)
	}
	var output strings.Builder
	for {
		line, err := h.output.ReadString('\n')
		if line == endOfCommands+"\n" {
			return strings.TrimSuffix(output.String(), "\n")
		}
		if output.WriteString(line); err != nil {
			t.Fatalf("%s\n%v\n%s", commands, err, output.String())
		}
	}
}

// seconds depend on how fast the machine is.
var seconds = regexp.MustCompile(`again in \d+ s`)

// compare runs commands and compares what they print with the page.
func (h *hour) compare(t *testing.T, commands, want string) {
	t.Helper()
	got := h.run(t, commands)
	var diff string
	if strings.HasPrefix(want, "{") {
		diff = cmp.Diff(timeless(t, want), timeless(t, got))
	} else {
		diff = cmp.Diff(seconds.ReplaceAllString(want, "again"), seconds.ReplaceAllString(got, "again"))
	}
	if diff != "" {
		t.Errorf("%s (-page +printed):\n%s\n%s", commands, diff, got)
	}
}
