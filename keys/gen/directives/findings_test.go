package directives_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/keys/gen/directives"
)

// TestFindings reads small schemas, most of them bad. The command read prints the findings. The
// command fix also applies the fix of each; the schema must then have no findings.
func TestFindings(t *testing.T) {
	common, err := os.ReadFile("testdata/common.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, "testdata/findings", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			name := filepath.Base(path) + ".graphqls"
			read := func(text string) directives.Findings {
				_, err := directives.Read(load(t, name, text, string(common)))
				var findings directives.Findings
				if err != nil && !errors.As(err, &findings) {
					t.Fatalf("%T: %v", err, err)
				}
				return findings
			}
			findings := read(d.Input)
			switch d.Cmd {
			case "read":
			case "fix":
				if len(findings) == 0 {
					d.Fatalf(t, "nothing to fix")
				}
				fixed := d.Input
				for _, f := range slices.Backward(findings) {
					fixed = apply(t, fixed, f)
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

var (
	addFix     = regexp.MustCompile(`(?m)^add (@.*) to type (\w+)$`)
	replaceFix = regexp.MustCompile(`(?m)^on type \w+ replace (@.*)\nwith (@.*)$`)
	writeFix   = regexp.MustCompile(`(pk|sk): ("[^"]*")`)
	addedFix   = regexp.MustCompile(`^write ((shards|latest|was): (?:\d+|"\w+"|\[[\d, ]+\]))`)
	removedFix = regexp.MustCompile(`^remove (latest|was)\b`)
)

// apply applies the fix of a finding to the schema's text.
func apply(t *testing.T, text string, f directives.Finding) string {
	t.Helper()
	edited := text
	for _, fix := range addFix.FindAllStringSubmatch(f.Fix, -1) {
		head := regexp.MustCompile(`(?m)^type ` + fix[2] + `\b(?:[^{"]|"[^"]*")*`)
		edited = head.ReplaceAllStringFunc(edited, func(s string) string { return s + fix[1] + " " })
	}
	for _, fix := range replaceFix.FindAllStringSubmatch(f.Fix, -1) {
		edited = strings.Replace(edited, fix[1], fix[2], 1)
	}
	lines := strings.Split(edited, "\n")
	line := &lines[f.Line-1]
	if strings.HasPrefix(f.Fix, "write ") {
		for _, fix := range writeFix.FindAllStringSubmatch(f.Fix, -1) {
			before, after := (*line)[:f.Column-1], (*line)[f.Column-1:]
			argument := regexp.MustCompile(fix[1] + `: "[^"]*"`)
			*line = before + argument.ReplaceAllLiteralString(after, fix[1]+": "+fix[2])
		}
		if fix := addedFix.FindStringSubmatch(f.Fix); fix != nil {
			*line = without(*line, f.Column, fix[2])
			end := f.Column + strings.Index((*line)[f.Column:], ")")
			*line = fmt.Sprintf("%s, %s%s", (*line)[:end], fix[1], (*line)[end:])
		}
		edited = strings.Join(lines, "\n")
	}
	if fix := removedFix.FindStringSubmatch(f.Fix); fix != nil {
		*line = without(*line, f.Column, fix[1])
		edited = strings.Join(lines, "\n")
	}
	if edited == text {
		t.Fatalf("nothing to do for %v", f)
	}
	return edited
}

// without removes an argument of the directive at a column of a line.
func without(line string, column int, argument string) string {
	value := regexp.MustCompile(`, ` + argument + `: (?:\d+|"\w+"|\[[\d, ]*\])`)
	end := column + strings.Index(line[column:], ")")
	return line[:column] + value.ReplaceAllString(line[column:end], "") + line[end:]
}
