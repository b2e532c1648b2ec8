package directives_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// TestFindings reads small schemas, most of them bad, and prints the findings. It applies the fix of each: the finding
// must then be gone, and no other have come. The command fix also applies the fixes of all; the schema must then
// have no findings. Fields that only Go code can resolve count as findings if there are no others.
func TestFindings(t *testing.T) {
	common := &ast.Source{Name: "common.graphqls", Input: readFile(t, "testdata/common.graphqls")}
	datadriven.Walk(t, "testdata/findings", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			name := filepath.Base(path) + ".graphqls"
			read := func(text string) directives.Findings {
				return findingsOf(&ast.Source{Name: name, Input: text}, common)
			}
			findings := read(d.Input)
			for _, f := range findings {
				if !isLeftToPeople(f) {
					checkFix(t, d.Input, f, findings, read)
				}
			}
			switch d.Cmd {
			case "read":
			case "fix":
				if len(findings) == 0 {
					d.Fatalf(t, "nothing to fix")
				}
				fixed, done := d.Input, map[string]bool{}
				for _, f := range slices.Backward(findings) {
					after, err := apply(fixed, f, done)
					if err != nil {
						d.Fatalf(t, "%v", err)
					}
					fixed = after
				}
				if left := read(fixed); len(left) > 0 {
					d.Fatalf(t, "after\n%v\nthe schema is\n%s\nand has\n%v", findings, fixed, left)
				}
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			if len(findings) == 0 {
				return "ok\n"
			}
			return findings.Error() + "\n"
		})
	})
}

// checkFix applies the fix of one of the findings that read returns for a text.
func checkFix(
	t *testing.T, text string, f directives.Finding, findings directives.Findings,
	read func(string) directives.Findings,
) {
	t.Helper()
	fixed, err := apply(text, f, map[string]bool{})
	if err != nil {
		t.Error(err)
		return
	}
	before := map[string]int{}
	for _, other := range findings {
		before[other.Identity()]++
	}
	before[f.Identity()]--
	for _, left := range read(fixed) {
		if before[left.Identity()]--; before[left.Identity()] < 0 {
			t.Errorf("the fix of\n%v\nleads to\n%v\nin\n%s", f, left, fixed)
		}
	}
}
