package designpage

import (
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
)

// Page is what the page shows of a schema. It is the same for each call.
type Page struct {
	// Title is the name of the folder or the program whose schema it is.
	Title     string
	Groups    []Group
	Pictures  []Picture
	Types     []Type
	Mutations []Mutation
	Findings  []Finding
	// IsFaulty is set if the schema cannot be served: the page has nothing but Findings.
	IsFaulty bool
	// Tenant precedes the partition keys of the pictures; "" without tenants.
	Tenant keys.Tenant
	// Changes is what differs from a base; nil without one.
	Changes *Changes
}

// Options are what the page shows beside the schema.
type Options struct {
	// Title is that of the page.
	Title string
	// Tenants is set if the table has tenants.
	Tenants bool
	// HasFiles is set if the schema is that of files which a person edits. Findings then have their places.
	HasFiles bool
	// Findings are further ones, of a schema that is served all the same.
	Findings directives.Findings
}

// New returns the page of a schema.
func New(o Options, s *directives.Schema) *Page {
	p := &Page{
		Title: o.Title, Groups: groupsOf(s), Pictures: picturesOf(s, examplesOf(s)), Types: typesOf(s),
		Mutations: mutationsOf(s), Findings: append(findingsFrom(o.Findings), findingsOf(s)...),
	}
	link(s, p.Pictures)
	if o.Tenants {
		p.Tenant = drawTenant(s, p.Pictures)
	}
	if !o.HasFiles {
		forgetPlaces(p.Findings)
	}
	p.countRows()
	return p
}

// Faulty returns the page of a schema that cannot be served: what is wrong with it.
func Faulty(title string, found directives.Findings) *Page {
	return &Page{Title: title, Findings: findingsFrom(found), IsFaulty: true}
}

// countRows sets how many rows each pattern reads.
func (p *Page) countRows() {
	rows := map[string]int{}
	for _, r := range rowsOf(p.Pictures) {
		for _, name := range r.ReadIn {
			rows[name]++
		}
	}
	for pattern := range p.patterns() {
		pattern.Rows = rows[pattern.Field]
	}
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
