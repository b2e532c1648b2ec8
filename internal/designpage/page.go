package designpage

import (
	"github.com/partita/partita/internal/gen/directives"
)

// Page is what the page shows of a schema. It is the same for each call.
type Page struct {
	// Title is the name of the folder or the program whose schema it is.
	Title     string
	Groups    []Group
	Pictures  []Picture
	Types     []Type
	Mutations []Mutation
	Hints     []Hint
	// Changes is what differs from a base; nil without one.
	Changes *Changes
}

// New returns the page of a schema.
func New(title string, s *directives.Schema) *Page {
	p := &Page{
		Title: title, Groups: groupsOf(s), Pictures: picturesOf(s, examplesOf(s)), Types: typesOf(s),
		Mutations: mutationsOf(s), Hints: hintsOf(s),
	}
	link(s, p.Pictures)
	rows := map[string]int{}
	for _, r := range rowsOf(p.Pictures) {
		for _, name := range r.ReadIn {
			rows[name]++
		}
	}
	for pattern := range p.patterns() {
		pattern.Rows = rows[pattern.Field]
	}
	return p
}

// patterns yields all patterns.
func (p *Page) patterns() func(yield func(*Pattern) bool) {
	return func(yield func(*Pattern) bool) {
		for i := range p.Groups {
			for j := range p.Groups[i].Patterns {
				if !yield(&p.Groups[i].Patterns[j]) {
					return
				}
			}
		}
	}
}

// Count returns how many patterns there are.
func (p *Page) Count() int {
	n := 0
	for range p.patterns() {
		n++
	}
	return n
}

// Indexes returns how many indexes the table has.
func (p *Page) Indexes() int { return len(p.Pictures) - 1 }
