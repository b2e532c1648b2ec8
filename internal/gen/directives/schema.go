package directives

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/checks"
	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Schema is a GraphQL schema with the design that its directives declare. Types are
// sorted by name, Fields and Rules by coordinate.
type Schema struct {
	*design.Design
	AST *ast.Schema
	// Connections are the schema's Relay connection types by name.
	Connections map[string]*reading.Connection
	// Unread are findings for fields that return stored objects without a directive. They apply if no Go code
	// resolves the field. A field with @cost is not among them: somebody has decided to write it.
	Unread finding.Findings
	// Existing is set for a schema with @table.
	Existing bool
}

// Read reads the directives of a schema that Load has returned, or another one that is complete and valid. The error
// is Findings: all faults of the design.
func Read(schema *ast.Schema) (*Schema, error) {
	r := reading.New(schema)
	findings, unread := checks.All(r)
	if len(findings) > 0 {
		return nil, findings
	}
	return result(r, unread)
}

func result(r *reading.Design, unread finding.Findings) (*Schema, error) {
	fields := make([]*design.Field, len(r.Reads))
	for i, rd := range r.Reads {
		fields[i] = rd.Field
	}
	slices.SortFunc(fields, func(a, b *design.Field) int { return cmp.Compare(a.Coordinate(), b.Coordinate()) })
	slices.SortFunc(r.Rules, func(a, b *design.FieldRule) int {
		return cmp.Or(cmp.Compare(a.Parent, b.Parent), cmp.Compare(a.Name, b.Name))
	})
	design, err := design.NewDesign(r.Layout, r.KeyTypes(), fields, r.Rules...)
	if err != nil {
		return nil, fmt.Errorf("directives: bug: a design without findings is not complete: %w", err)
	}
	design = design.WithMutations(r.DesignMutations(), r.DesignCounters())
	for _, m := range design.Mutations {
		if len(m.Lists()) == 0 {
			continue
		}
		most := write.MostElements(design, m)
		for i := range m.Steps {
			if m.Steps[i].Each != "" {
				m.Steps[i].AtMost = most
			}
		}
	}
	return &Schema{
		Design: design,
		AST:    r.Schema, Connections: r.Connections, Unread: unread, Existing: r.Layout != nil,
	}, nil
}

// PayloadOf returns the mutation without hand-written Go whose payload is an object type, or nil.
func (s *Schema) PayloadOf(object string) *design.Mutation {
	for _, m := range s.Mutations {
		if s.AST.Mutation.Fields.ForName(m.Name).Type.Name() == object {
			return m
		}
	}
	return nil
}

// TypeDef returns the definition of the type of that name, or nil.
func (s *Schema) TypeDef(name string) *ast.Definition { return s.AST.Types[name] }

// FieldDef returns the definition of a field of a type, or nil.
func (s *Schema) FieldDef(parent, name string) *ast.FieldDefinition {
	def := s.AST.Types[parent]
	if def == nil {
		return nil
	}
	return def.Fields.ForName(name)
}

type (
	// Finding is one fault of a schema.
	Finding = finding.Finding
	// Findings are the error of Load and Read.
	Findings = finding.Findings
)
