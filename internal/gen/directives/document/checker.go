package document

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
)

// Checker checks the names in the text of a schema. It finds all of them, while gqlparser returns the first.
type Checker struct {
	types map[string]*ast.Definition
	// whole are the definitions with their extensions.
	whole      map[string]*ast.Definition
	directives map[string]*ast.DirectiveDefinition
	// fields are those that have been checked, by coordinate.
	fields map[string]*ast.FieldDefinition
	// unknown are the types that are declared nowhere, in the order of their uses.
	unknown  []unknownType
	findings finding.Findings
	// noSortKey is set if the table has no sort key.
	noSortKey bool
}

func (c *Checker) find(at *ast.Position, coordinate, what, fix string) {
	c.findings = append(c.findings, finding.At(at, coordinate, what, fix))
}

// unknownType is one use of the name of a type that is declared nowhere.
type unknownType struct {
	at               *ast.Position
	coordinate, name string
	// allowed reports whether a type can be in its place.
	allowed func(*ast.Definition) bool
}
