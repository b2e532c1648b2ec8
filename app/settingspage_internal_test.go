package app

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

//go:generate go test . -run TestSettingsPage -rewrite

// mostSettings is how many settings `serve` may have: a value that nobody can choose better than we is a constant.
const mostSettings = 50

// TestSettingsPage: docs/reference/settings.md has all settings of `serve`, as they are declared.
func TestSettingsPage(t *testing.T) {
	const path = "../docs/reference/settings.md"
	head, _, _ := strings.Cut(readText(t, path), "\n## ")
	page, n := settingsPage(t)
	if n > mostSettings {
		t.Errorf("serve has %d settings, more than %d", n, mostSettings)
	}
	page = strings.TrimSpace(head) + "\n" + page
	if flag.Lookup("rewrite").Value.String() == "true" {
		fatal.If(t, os.WriteFile(path, []byte(page), 0o644))
	}
	if readText(t, path) != page {
		t.Errorf("%s is outdated: make generate", path)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	fatal.If(t, err)
	return string(text)
}

// settingsPage returns a table of each group of settings, and how many settings there are.
func settingsPage(t *testing.T) (page string, n int) {
	t.Helper()
	k, err := (&Application{Name: defaultName}).parser(t.Context())
	fatal.If(t, err)
	var titles []string
	tables := map[string]*bytes.Buffer{}
	for _, f := range k.Model.Children[0].Flags {
		n++
		title := "Development"
		if f.Group != nil {
			title = f.Group.Title
		}
		if tables[title] == nil {
			titles, tables[title] = append(titles, title), &bytes.Buffer{}
		}
		var names []string
		for _, name := range f.Envs {
			names = append(names, "`"+name+"`")
		}
		value := f.Default
		if value != "" {
			value = "`" + value + "`"
		}
		fmt.Fprintf(tables[title], "| `--%s` | %s | %s | %s |\n", f.Name, strings.Join(names, ", "), value,
			strings.ReplaceAll(f.Help, "|", "\\|"))
	}
	for _, title := range titles {
		page += fmt.Sprintf("\n## %s\n\n| Flag | Environment | Default | |\n| --- | --- | --- | --- |\n%s", title,
			tables[title])
	}
	return page, n
}
