package directives_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/soak"
)

// TestMistakes makes one random mistake in a schema without findings. The findings must be few, each fix must do away
// with its finding, and to follow one fix after the other must end, without a finding that comes back. In an existing
// table, no fix changes the keys of what is stored.
func TestMistakes(t *testing.T) {
	for _, path := range goodSchemas(t) {
		text := description.ReplaceAllString(readFile(t, path), "")
		t.Run(path, func(t *testing.T) {
			r := rand.New(rand.NewPCG(soak.Seed, 0))
			for range soak.Times(20) {
				what, wrong := mistake(r, text)
				if problem := follow(text, wrong); problem != "" {
					t.Errorf("%s:\n%s", what, problem)
				}
			}
		})
	}
}

// description is a line that describes something. It may look like what it describes.
var description = regexp.MustCompile(`(?m)^ *(".*"|#.*)\n`)

// goodSchemas are the schemas of all examples, and of existing tables.
func goodSchemas(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"../../../examples/*/schema.graphqls", "../testdata/foreign/*/schema.graphqls"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d, %v", pattern, len(found), err)
		}
		paths = append(paths, found...)
	}
	return paths
}

// mistake returns a text with one mistake, and what it is.
func mistake(r *rand.Rand, text string) (what, wrong string) {
	for {
		m := kindsOfMistakes[r.IntN(len(kindsOfMistakes))]
		places := m.at.FindAllStringIndex(text, -1)
		if len(places) == 0 {
			continue
		}
		at := places[r.IntN(len(places))]
		before := text[at[0]:at[1]]
		after := m.by(r, before)
		if after == before {
			continue
		}
		line := 1 + strings.Count(text[:at[0]], "\n")
		wrong := strings.ReplaceAll(text[:at[0]]+after+text[at[1]:], ", )", ")")
		return fmt.Sprintf("line %d: %q in place of %q", line, after, before), wrong
	}
}

var types = []string{
	"ID", "String", "Int", "Int64", "Float", "Boolean", "Time", "Date", "DateTime", "TimeRange", "IntRange", "Node",
	"Query",
}

var kindsOfMistakes = []struct {
	at *regexp.Regexp
	by func(r *rand.Rand, text string) string
}{
	// Another type.
	{regexp.MustCompile(`: \[?[A-Z]\w*!?\]?!?`), func(r *rand.Rand, _ string) string {
		return ": " + types[r.IntN(len(types))] + []string{"", "!"}[r.IntN(2)]
	}},
	// A '!' more or less, or a list.
	{regexp.MustCompile(`: \[?[A-Z]\w*!?\]?!?`), func(r *rand.Rand, text string) string {
		bare := strings.TrimPrefix(text, ": ")
		if strings.HasSuffix(bare, "!") {
			return ": " + bare[:len(bare)-1]
		}
		return []string{": " + bare + "!", ": [" + bare + "!]"}[r.IntN(2)]
	}},
	// A line less.
	{regexp.MustCompile(`(?m)^  +\S.*\n(    +@.*\n)*`), func(*rand.Rand, string) string { return "" }},
	// A field, argument or value less.
	{regexp.MustCompile(`\b\w+: [\[\]\w!]+,? ?(@\w+(\([^()]*\))? ?)*`), func(*rand.Rand, string) string { return "" }},
	// A misspelt name, a name in the plural, or in another case.
	{regexp.MustCompile(`\b[A-Za-z]\w\w+\b`), func(r *rand.Rand, text string) string {
		switch i := r.IntN(len(text) - 1); r.IntN(4) {
		case 0:
			return text[:i] + text[i+1:i+2] + text[i:i+1] + text[i+2:]
		case 1:
			return text[:i] + text[i+1:]
		case 2:
			return text + "s"
		default:
			return strings.ToUpper(text[:1]) + text[1:]
		}
	}},
	// Another name.
	{regexp.MustCompile(`\b[A-Za-z]\w\w+\b`), func(*rand.Rand, string) string { return "other" }},
	// An argument of a directive less.
	{regexp.MustCompile(`\b\w+: ("[^"]*"|[A-Z_]+|\d+|null|\[[^\[\]()]*\])(, |\b)?`), func(*rand.Rand,
		string) string {
		return ""
	}},
	// A directive less.
	{regexp.MustCompile(`@\w+(\([^()]*\))?`), func(*rand.Rand, string) string { return "" }},
	// A part of a template less, or another literal.
	{regexp.MustCompile(`#?\{\w+(:\w+)?\}`), func(*rand.Rand, string) string { return "" }},
	{regexp.MustCompile(`[A-Z]+#`), func(r *rand.Rand, _ string) string { return []string{"", "OTHER#"}[r.IntN(2)] }},
	// A format less.
	{regexp.MustCompile(`:0\d+\}`), func(*rand.Rand, string) string { return "}" }},
}

// internals are what no message may contain.
var internals = regexp.MustCompile(`Kind\(|%!|<nil>|map\[|&\{|0xc0|\bnil\b|runtime error|goroutine`)

const (
	fewFindings = 8
	maxSteps    = 40
)

// follow applies fixes one after the other, and returns what is wrong with one of them, "" for nothing.
func follow(original, wrong string) string {
	text := wrong
	read := func(text string) directives.Findings {
		return findingsOf(&ast.Source{Name: "schema.graphqls", Input: text})
	}
	first := read(text)
	if len(first) > max(fewFindings, strings.Count(original, "@step(")) { // each step may name what is wrong
		return fmt.Sprintf("%d findings:\n%v", len(first), first)
	}
	for _, f := range first {
		if internals.MatchString(f.Error()) {
			return fmt.Sprintf("internals in\n%v", f)
		}
	}
	done, steps := map[string]bool{}, ""
	findings := first
	for step := 0; len(findings) > 0; step++ {
		f := findings[0]
		if isLeftToPeople(f) {
			return ""
		}
		if steps += f.Error() + "\n"; step > maxSteps || done[f.Identity()] {
			return "the fixes lead back or do not end:\n" + steps
		}
		done[f.Identity()] = true
		after, err := apply(text, f, map[string]bool{})
		if err != nil {
			return fmt.Sprintf("%s%v", steps, err)
		}
		text, findings = after, read(after)
		if slices.ContainsFunc(findings, func(left directives.Finding) bool { return left.Identity() == f.Identity() }) {
			return fmt.Sprintf("after the last fix, it is still a finding:\n%sin\n%s", steps, text)
		}
	}
	return changedKeys(original, wrong, text, steps)
}

// isLeftToPeople reports whether a text cannot be corrected by anything that a finding knows.
func isLeftToPeople(f directives.Finding) bool {
	return strings.HasPrefix(f.What, "the text is not GraphQL") || f.Fix == "correct the definition"
}

var (
	itemKeys  = regexp.MustCompile(`@item\(pk: "([^"]*)", sk: "([^"]*)"`)
	variables = regexp.MustCompile(`\{\w+(:010|:013)?`)
)

// changedKeys returns what is wrong if fixes have changed a key of items of an existing table that the mistake has not
// changed, apart from the names of variables.
func changedKeys(original, wrong, fixed, steps string) string {
	if !strings.Contains(original, "@table") || !strings.Contains(fixed, "@table") {
		return ""
	}
	has := func(text string) map[string]bool {
		all := map[string]bool{}
		for _, m := range itemKeys.FindAllStringSubmatch(text, -1) {
			all[variables.ReplaceAllString(m[1]+", "+m[2], "{")] = true
		}
		return all
	}
	was, is := has(wrong), has(fixed)
	for key := range has(original) {
		if was[key] && !is[key] {
			return fmt.Sprintf("the key %s of an existing table is changed by\n%s", key, steps)
		}
	}
	return ""
}

// findingsOf returns the findings of schema files, or if there are none, those for fields that only Go can resolve.
func findingsOf(sources ...*ast.Source) directives.Findings {
	var findings directives.Findings
	schema, err := directives.Load(sources...)
	if err == nil {
		var design *directives.Schema
		if design, err = directives.Read(schema); err == nil {
			return design.Unread
		}
	}
	if !errors.As(err, &findings) {
		panic(err)
	}
	return findings
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
