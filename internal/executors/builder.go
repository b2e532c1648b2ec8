package executors

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// builder makes one operation.
type builder struct {
	*Generator
	Random
	// names counts aliases, variables and fragments; fields counts selected fields.
	names, fields int
	declared      []string
	variables     map[string]any
	fragments     []fragment
	pages         []page
}

// fragment is a named fragment. Its fields have aliases that no other field has, so that it can be spread anywhere.
type fragment struct {
	name, text string
	on         *ast.Definition
}

// Limits of an operation.
const (
	maxDepth     = 8
	maxFields    = 40
	maxFragments = 5
)

// scope are the fields that are merged at a place of the response.
type scope struct {
	fields []*selected
	// aliased is set in fragments: fields have no name that a field elsewhere may have.
	aliased bool
}

// selected is a field of the response. It may be selected several times.
type selected struct {
	key string
	// head is the field without its selection.
	head       string
	definition *ast.FieldDefinition
	// parents are the types on which it is selected.
	parents []*ast.Definition
	below   *scope
	// paged is the key of the cursor of the next page, or "".
	paged string
}

func (s *scope) find(key string) *selected {
	for _, f := range s.fields {
		if f.key == key {
			return f
		}
	}
	return nil
}

// chance reports whether a percentage is drawn.
func (b *builder) chance(percent int) bool { return b.IntN(100) >= 100-percent }

func pick[T any](b *builder, from []T) T { return from[b.IntN(len(from))] }

func (b *builder) name(prefix string) string {
	b.names++
	return fmt.Sprint(prefix, b.names)
}

// page is a connection whose cursor argument is a variable.
type page struct {
	// variable has no value at first.
	variable string
	// cursor is the key of the next page's cursor in the response.
	cursor string
}

// wild reports whether a value may be wrong.
func (b *builder) wild() bool { return !b.Valid && b.chance(12) }
