package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// checkGoWords finds words for Go code that no rule of an object can have, or that the code could not decide about.
func checkGoWords(r *checker, def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	words := reading.GoWords(d)
	t := r.Types[def.Name]
	if len(words) == 0 {
		return
	}
	if f != nil || t == nil {
		coordinate := def.Name
		if f != nil {
			coordinate += "." + f.Name
		}
		r.find(d.Position, coordinate, "Go code decides about objects, so go belongs to the @allow of a stored type",
			fmt.Sprintf("write to: %s\nremove go from @allow", sdl.QuotedList(lessWords(wordsOf(d), goNames(words)))))
		return
	}
	e := goEdit{t: t, to: wordsOf(d), words: words}
	e.taken = append(reading.MemberWords(d), reading.AllowOwner, reading.AllowViewer, "PUBLIC")
	for i := range words {
		e.correct(i)
	}
	if len(e.faults) > 0 {
		r.find(d.Position, def.Name, strings.Join(e.faults, "; "),
			fmt.Sprintf("write to: %s, go: %s", sdl.QuotedList(e.to), goText(e.words)))
	}
}

// goEdit corrects the words of an @allow about which Go code decides.
type goEdit struct {
	t     *reading.Type
	to    []string
	words []design.GoWord
	// taken are the words that mean something else.
	taken  []string
	faults []string
}

func (e *goEdit) fault(format string, arguments ...any) {
	e.faults = append(e.faults, fmt.Sprintf(format, arguments...))
}

// correct corrects one of the words.
func (e *goEdit) correct(i int) {
	g := &e.words[i]
	isTaken := slices.Contains(slices.Concat(e.taken, goNames(e.words[:i])), g.Word)
	if isTaken || !reading.IsRole(g.Word) {
		e.fault("as: %q is not a word of its own in capital letters", g.Word)
		if !isTaken {
			e.to = lessNames(e.to, []string{g.Word})
		}
		g.Word = "READER"
		for slices.Contains(slices.Concat(e.taken, goNames(e.words[:i]), goNames(e.words[i+1:]), e.to), g.Word) {
			g.Word += "_OTHER"
		}
		e.to = append(e.to, g.Word)
	}
	if !slices.Contains(e.to, g.Word) {
		e.fault("go without %s: those whom the code allows are not allowed", g.Word)
		e.to = append(e.to, g.Word)
	}
	names := reading.AttributeNames(e.t.Type)
	var by []string
	for _, name := range g.By {
		likely := finding.Likely(name, names)
		what := fmt.Sprintf("by names %s, which is not a stored field of %s that a key could have", name, e.t.Name)
		switch {
		case slices.Contains(names, name):
			by = append(by, name)
		case likely != "":
			e.fault("%s", finding.IsLikely(likely, what))
			by = append(by, likely)
		default:
			e.fault("%s", what)
		}
	}
	g.By = by
}

// lessWords returns words of to without some; they allow somebody.
func lessWords(words, others []string) []string {
	left := lessNames(words, others)
	if len(left) == 0 {
		left = []string{reading.AllowViewer}
	}
	return left
}

func lessNames(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

func goNames(words []design.GoWord) []string {
	names := make([]string, len(words))
	for i, g := range words {
		names[i] = g.Word
	}
	return names
}

// goText returns the argument go of @allow.
func goText(words []design.GoWord) string {
	texts := make([]string, len(words))
	for i, g := range words {
		texts[i] = fmt.Sprintf("{as: %q, by: %s}", g.Word, sdl.QuotedList(g.By))
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
