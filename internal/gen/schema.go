package gen

import (
	"fmt"
	"path/filepath"

	"github.com/99designs/gqlgen/codegen"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// schema is a checked schema with the Go names and types that gqlgen gives it. All files are written from it.
type schema struct {
	*directives.Schema
	// data is nil until gqlgen has the Go types of the models.
	data *codegen.Data
	// typed is the folder of the typed keys, typedPath its import path.
	typed, typedPath string
	// bound are the names of the types that a person binds to Go types, in gqlgen.yml for example.
	bound map[string]bool
}

// typedName returns the package name of the typed keys.
func (s *schema) typedName() string { return filepath.Base(s.typed) }

// object returns gqlgen's object type, which has the Go names and types of its fields.
func (s *schema) object(name string) *codegen.Object { return s.data.Objects.ByName(name) }

// field returns the field of an object. It exists, since the directives have been checked.
func (s *schema) field(object, name string) *codegen.Field {
	for _, f := range s.object(object).Fields {
		if f.Name == name {
			return f
		}
	}
	panic(fmt.Sprintf("gen: bug: gqlgen has no field %s.%s", object, name))
}

// argument returns the argument of a read field. It exists, like the field.
func (s *schema) argument(f *design.Field, name string) *codegen.FieldArgument {
	for _, a := range s.field(f.Parent, f.Name).Args {
		if a.Name == name {
			return a
		}
	}
	panic(fmt.Sprintf("gen: bug: gqlgen has no argument %s of %s", name, f.Coordinate()))
}

// isRead reports whether a field is served by a directive: by its own, by that of the edges' node, or by @mutable.
func (s *schema) isRead(field *codegen.Field) bool {
	if s.mutation(field) != nil {
		return true
	}
	if c := s.Connections[field.Object.Name]; c != nil {
		return c.EdgeNode && field.Name == "nodes"
	}
	return s.Field(field.Object.Name, field.Name) != nil
}

// mutation returns the mutation of a field of Mutation that has @mutable, or nil.
func (s *schema) mutation(field *codegen.Field) *design.Mutation {
	if field.Object.Definition != s.AST.Mutation {
		return nil
	}
	return s.Mutation(field.Name)
}
