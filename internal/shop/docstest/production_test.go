package docstest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

var (
	overriddenParameter = regexp.MustCompile(`(?m)(?:^ +|overrides )([A-Z]\w+)=`)
	declaredParameter   = regexp.MustCompile(`(?m)^  ([A-Z]\w+):\n    Type: .*\n(    Default:)?`)
)

// TestProduction follows docs/how-to/production.md as far as it needs no account: blocks of the language bash do. The
// deployment sets each parameter of the template that has no default, and no other.
func TestProduction(t *testing.T) {
	reader := &reader{dir: t.TempDir()}
	blocks := readPage(t, "docs/how-to/production.md")
	compared, set := 0, map[string]bool{}
	for i, b := range blocks {
		switch {
		case b.language == "sh" && blocks[i+1].language == "":
			reader.run(t, b.text, blocks[i+1].text)
			compared++
		case b.language == "sh":
			reader.must(t, b.text)
		case strings.Contains(b.text, "deploy/ecs.yaml"):
			for _, match := range overriddenParameter.FindAllStringSubmatch(b.text, -1) {
				set[match[1]] = true
			}
		}
	}
	if compared != 3 {
		t.Errorf("the output of %d commands was compared", compared)
	}
	template, err := os.ReadFile(filepath.Join(checkout, "deploy/ecs.yaml"))
	fatal.If(t, err)
	parameters, _, _ := strings.Cut(string(template), "\nResources:")
	known := map[string]bool{}
	for _, match := range declaredParameter.FindAllStringSubmatch(parameters, -1) {
		known[match[1]] = true
		if needed := match[2] == ""; needed && !set[match[1]] {
			t.Errorf("the page does not set %s", match[1])
		}
	}
	for name := range set {
		if !known[name] {
			t.Errorf("the page sets %s, which ecs.yaml does not have", name)
		}
	}
}
