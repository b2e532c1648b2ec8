package examples

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
)

const patternsPage = "../docs/how-to/patterns.md"

var (
	schemaBlock = regexp.MustCompile("(?s)\n## ([^\n]+)\n.*?\n```graphql\n(.*?)```\n")
	// measuredRow matches a row with the operation of an example.
	measuredRow = regexp.MustCompile("(?m)^\\| \\[(\\w+)\\]\\(\\.\\./\\.\\./examples/\\w+\\) \\| `(\\w+)` \\|.*\n")
)

// TestPatterns opens each schema of docs/how-to/patterns.md as a folder.
func TestPatterns(t *testing.T) {
	blocks := schemaBlock.FindAllStringSubmatch(page(t), -1)
	if len(blocks) != strings.Count(page(t), "```graphql\n") {
		t.Errorf("%d schemas have a heading of their own", len(blocks))
	}
	for _, b := range blocks {
		t.Run(b[1], func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(dir+"/schema.graphqls", []byte(b[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			exampletest.Open(t, dir)
		})
	}
}

// TestPatternsAreMeasured compares what operations cost in docs/how-to/patterns.md with the READMEs of their examples.
// The flag -rewrite corrects the page.
func TestPatternsAreMeasured(t *testing.T) {
	before := page(t)
	after := measuredRow.ReplaceAllStringFunc(before, func(row string) string {
		m := measuredRow.FindStringSubmatch(row)
		cost, err := exampletest.MeasuredCost(m[1], m[2])
		if err != nil {
			t.Error(err)
			return row
		}
		return strings.Join([]string{"| [" + m[1] + "](../../examples/" + m[1] + ")", "`" + m[2] + "`", cost}, " | ") + " |\n"
	})
	switch {
	case !measuredRow.MatchString(before):
		t.Error("the page has no costs")
	case after == before:
	case flag.Lookup("rewrite").Value.String() != "true":
		t.Errorf("the costs in %s are outdated: run go test ./examples -rewrite", patternsPage)
	default:
		if err := os.WriteFile(patternsPage, []byte(after), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(patternsPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
