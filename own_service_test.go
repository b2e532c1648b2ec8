package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBringYourOwnTable follows the README from the shop to a table of projects
// and tasks, with the files and commands that stand there.
func TestBringYourOwnTable(t *testing.T) {
	guide := readGuide(t)
	tree := copyTree(t)
	do := func(wantFailure bool, name string, arguments ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, arguments...)
		cmd.Dir = tree
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@example.org", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@example.org")
		output, err := cmd.CombinedOutput()
		if (err != nil) != wantFailure {
			t.Fatalf("%s %v: %v\n%s", name, arguments, err, output)
		}
		return string(output)
	}
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(tree, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	do(false, "git", "init", "-q")
	do(false, "git", "add", "-A")
	do(false, "git", "commit", "-qm", "as cloned")

	do(false, "bash", "-c", guide.block(t, "sh", "git rm"))
	schema := guide.block(t, "graphql", "type Project")
	write("graph/schema/tasks.graphqls", schema)
	finding := guide.block(t, "", "it would need a Scan")
	if said := do(true, "go", "run", "./keys/gen/partitagen"); !strings.Contains(said, finding) {
		t.Errorf("the generator says\n%s\nand the README\n%s", said, finding)
	}
	_, mend, _ := strings.Cut(finding, "    add ")
	mend, _, _ = strings.Cut(mend, " to type Task")
	item := `type Task implements Node @item(pk: "PROJECT#{projectId}", sk: "TASK#{number:05}", maxBytes: 2048)`
	mended := strings.Replace(schema, item, item+"\n  "+mend, 1)
	if mended == schema {
		t.Fatalf("the schema lacks %s", item)
	}
	write("graph/schema/tasks.graphqls", mended)
	do(false, "go", "run", "./keys/gen/partitagen")
	write("demo/demo.go", guide.block(t, "go", "package demo"))
	write("domain.go", guide.block(t, "go", "package main"))
	binary := filepath.Join(t.TempDir(), "partita")
	do(false, "go", "build", "-o", binary, ".")

	p := started(t, launchBinary(t, binary, "serve"))
	body := regexp.MustCompile(`(?s)-d '(.*)'`).FindStringSubmatch(guide.block(t, "sh", "tasksByAssignee"))
	response, err := http.Post(p.url+"/graphql", "application/json", strings.NewReader(body[1]))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if want := guide.block(t, "", `{"data":{"tasksByAssignee"`); compact(t, got) != compact(t, []byte(want)) {
		t.Errorf("got\n%s\nand the README says\n%s", got, want)
	}
}

// guide is the part of the README on tables of one's own.
type guide string

func readGuide(t *testing.T) guide {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, begins := strings.Cut(string(readme), "\n## Bring your own table\n")
	part, _, ends := strings.Cut(after, "\n## ")
	if !begins || !ends {
		t.Fatal("the README has no such part")
	}
	return guide(part)
}

// block is the one code block of that language which contains the text.
func (g guide) block(t *testing.T, language, text string) string {
	t.Helper()
	var found []string
	for _, m := range regexp.MustCompile("(?s)\n```([a-z]*)\n(.*?)```\n").FindAllStringSubmatch("\n"+string(g), -1) {
		if m[1] == language && strings.Contains(m[2], text) {
			found = append(found, m[2])
		}
	}
	if len(found) != 1 {
		t.Fatalf("the README has %d blocks of %q with %q", len(found), language, text)
	}
	return found[0]
}

// compact takes the line ends away with which the README wraps an answer.
func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, bytes.ReplaceAll(text, []byte("\n"), nil)); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return b.String()
}

// copyTree copies what git tracks, and the page that is built already.
func copyTree(t *testing.T) string {
	t.Helper()
	tree := t.TempDir()
	files, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(strings.TrimRight(string(files), "\x00"), "\x00") {
		content, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}
