package docstest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

var (
	namedTest = regexp.MustCompile("`(?:[a-z/]+/)?((?:Test|Fuzz)[A-Za-z0-9]+)(?:/([^`]+))?`")
	namedFile = regexp.MustCompile("`([a-z0-9/]+\\.[a-z.]*(?:mjs|txtar))`")
	threats   = regexp.MustCompile(`(?m)^\| Threat \|.*\n\| ---.*\n((?:\|.*\n)+)`)
)

// TestThreatsNameTheirTests: each line of the threat model's tables ends with the tests that prove it, and they exist.
func TestThreatsNameTheirTests(t *testing.T) {
	model, err := os.ReadFile(filepath.Join(checkout, "docs/explanation/security.md"))
	fatal.If(t, err)
	tests := testSources(t)
	var lines []string
	for _, table := range threats.FindAllStringSubmatch(string(model), -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(table[1]), "\n")...)
	}
	for _, line := range lines {
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		last := cells[len(cells)-1]
		named := namedTest.FindAllStringSubmatch(last, -1)
		files := namedFile.FindAllStringSubmatch(last, -1)
		if len(named)+len(files) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(checkout, file[1])); err != nil {
				t.Error(err)
			}
		}
		for _, name := range named {
			if !strings.Contains(tests, "\nfunc "+name[1]+"(") {
				t.Errorf("there is no test %s", name[1])
			}
			if sub := strings.ReplaceAll(name[2], "_", " "); !strings.Contains(tests, `"`+sub+`"`) {
				t.Errorf("%s has no case %q", name[1], sub)
			}
		}
	}
	if len(lines) == 0 {
		t.Error("the threat model has no lines")
	}
}

// testSources returns the text of all tests of the module.
func testSources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(checkout, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	fatal.If(t, err)
	return all.String()
}
