package designpage

import (
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// Group are the patterns of one object type.
type Group struct {
	Title    string
	Patterns []Pattern
}

// Pattern is an access pattern: a field with the key condition that serves it.
type Pattern struct {
	// Field is its schema coordinate, such as User.orders; Name is what follows the dot.
	Field, Name string
	directives.Pattern
	// Who may read the field and what it returns.
	Who string
	// Live is the field of Subscription that has its live data, or "".
	Live string
	// Reads are the kinds of stored items that it reads.
	Reads []Link
	// Rows is how many example items it reads.
	Rows int
	// Since is how the pattern differs from the base: "new", "changed", or "" if it does not, or if there is no base.
	Since string
}

// Plain returns the key condition without marks for code.
func (p Pattern) Plain() string { return strings.ReplaceAll(p.Condition, "`", "") }

// Action returns the class of the request: get or query.
func (p Pattern) Action() string {
	if strings.HasPrefix(p.Request, "Query") {
		return "query"
	}
	return "get"
}

// Link is a text that leads to a place of the page.
type Link struct{ ID, Text string }

// The titles of patterns that are not those of an object type.
const (
	ofQueries  = "Queries"
	ofPayloads = "After mutations"
)

// groupsOf returns the patterns: queries first, then those of each type, those of payloads last.
func groupsOf(s *directives.Schema) []Group {
	groups := []Group{{Title: ofQueries}}
	payloads := Group{Title: ofPayloads}
	for _, f := range s.Fields {
		p := patternOf(s, f)
		switch {
		case f.Parent == s.AST.Query.Name:
			groups[0].Patterns = append(groups[0].Patterns, p)
		case isPayload(s, f.Parent):
			p.Name = p.Field
			payloads.Patterns = append(payloads.Patterns, p)
		default:
			if last := groups[len(groups)-1]; last.Title != f.Parent {
				groups = append(groups, Group{Title: f.Parent})
			}
			last := &groups[len(groups)-1]
			last.Patterns = append(last.Patterns, p)
		}
	}
	groups = append(groups, payloads)
	return slices.DeleteFunc(groups, func(g Group) bool { return len(g.Patterns) == 0 })
}

// isPayload reports whether an object type is what a mutation returns.
func isPayload(s *directives.Schema, object string) bool {
	return s.AST.Mutation != nil && s.Type(object) == nil &&
		slices.ContainsFunc(s.AST.Mutation.Fields, func(f *fieldDef) bool { return f.Type.Name() == object })
}

func patternOf(s *directives.Schema, f *design.Field) Pattern {
	p := Pattern{Field: f.Coordinate(), Name: f.Name, Pattern: s.Pattern(f, false), Who: readers(s, f)}
	if f.LiveAs != "" {
		p.Live = design.Subscription + "." + f.LiveAs
	}
	for _, t := range s.Types {
		for _, k := range kindsOf(t) {
			if k.isReadBy(f) {
				p.Reads = append(p.Reads, Link{k.id(), k.String()})
			}
		}
	}
	return p
}

// readers returns who may read a field: whom its own rule allows, and those of the types that it returns.
func readers(s *directives.Schema, f *design.Field) string {
	var parts []string
	if own := s.Rule(f.Parent, f.Name); !own.IsPublic() {
		parts = append(parts, contract.Allowed(own))
	}
	ofTypes := map[string][]string{}
	var texts []string
	for _, name := range f.Types {
		if rule := s.Type(name).Rule; !rule.IsPublic() {
			text := contract.Allowed(rule)
			if ofTypes[text] == nil {
				texts = append(texts, text)
			}
			ofTypes[text] = append(ofTypes[text], name)
		}
	}
	for _, text := range texts {
		if len(f.Types) == 1 && len(parts) == 0 {
			parts = append(parts, text)
		} else {
			parts = append(parts, "of each "+strings.Join(ofTypes[text], " and ")+": "+text)
		}
	}
	if len(parts) == 0 {
		return contract.Allowed(nil)
	}
	return strings.Join(parts, "; ")
}
