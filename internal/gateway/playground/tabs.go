package playground

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/fragments"
)

// Tab is a tab of the editor at the first visit. Its name is that of its operation.
type Tab struct {
	// Query is the document.
	Query string `json:"query"`
	// Variables are a JSON object; "" for none.
	Variables string `json:"variables,omitempty"`
}

// Tabs returns a tab for each operation of a document, with the fragments that the operation uses and the comments in
// front of both. A document without several named operations is a tab as a whole. That of "" has none.
func Tabs(document string) []Tab {
	if strings.TrimSpace(document) == "" {
		return nil
	}
	whole := []Tab{{Query: document}}
	parsed, err := parser.ParseQuery(&ast.Source{Input: document})
	if err != nil || len(parsed.Operations) < 2 {
		return whole
	}
	texts, are := definitions(document, parsed)
	if !are {
		return whole
	}
	var tabs []Tab
	for _, o := range parsed.Operations {
		if o.Name == "" {
			return whole
		}
		parts := []string{texts[o.Position.Line]}
		used := fragments.Used(o.SelectionSet, parsed.Fragments)
		slices.SortFunc(used, func(a, b *ast.FragmentDefinition) int { return a.Position.Line - b.Position.Line })
		for _, f := range used {
			parts = append(parts, texts[f.Position.Line])
		}
		tabs = append(tabs, Tab{Query: strings.Join(parts, "\n")})
	}
	return tabs
}

// definitions returns the texts of the operations and fragments by their first lines. It reports whether each begins on
// a line of its own.
func definitions(document string, parsed *ast.QueryDocument) (texts map[int]string, are bool) {
	var starts []int
	for _, o := range parsed.Operations {
		starts = append(starts, o.Position.Line)
	}
	for _, f := range parsed.Fragments {
		starts = append(starts, f.Position.Line)
	}
	slices.Sort(starts)
	if len(slices.Compact(slices.Clone(starts))) < len(starts) {
		return nil, false
	}
	lines := strings.Split(document, "\n")
	firsts := make([]int, len(starts)) // with the comments in front
	for i, start := range starts {
		firsts[i] = start - 1
		for firsts[i] > 0 && strings.HasPrefix(strings.TrimSpace(lines[firsts[i]-1]), "#") {
			firsts[i]--
		}
	}
	texts = make(map[int]string, len(starts))
	for i, start := range starts {
		end := len(lines)
		if i+1 < len(starts) {
			end = firsts[i+1]
		}
		texts[start] = strings.TrimSpace(strings.Join(lines[firsts[i]:end], "\n")) + "\n"
	}
	return texts, true
}
