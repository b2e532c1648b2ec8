package directives

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// Added returns what Load has added to the files of a schema, as one text: with it, the files are a schema of GraphQL
// that is complete. The arguments of pages are missing in it, because a type cannot extend the arguments of a field.
// The error is that of files that are not GraphQL, which Load does not return.
func Added(schema *ast.Schema, sources ...*ast.Source) (string, error) {
	own, err := parser.ParseSchemas(sources...)
	if err != nil {
		return "", fmt.Errorf("directives: files of a schema: %w", err)
	}
	added := &ast.SchemaDocument{}
	for name, d := range schema.Directives {
		if !d.Position.Src.BuiltIn && own.Directives.ForName(name) == nil {
			added.Directives = append(added.Directives, d)
		}
	}
	declared := sdl.Merged(own)
	for name, def := range schema.Types {
		if own.Definitions.ForName(name) != nil {
			added.Extensions = append(added.Extensions, extension(def, declared[name])...)
		} else if !def.BuiltIn {
			added.Definitions = append(added.Definitions, without(def, declared[name]))
		}
	}
	slices.SortFunc(added.Directives, func(a, b *ast.DirectiveDefinition) int { return cmp.Compare(a.Name, b.Name) })
	for _, list := range []ast.DefinitionList{added.Definitions, added.Extensions} {
		slices.SortFunc(list, func(a, b *ast.Definition) int { return cmp.Compare(a.Name, b.Name) })
	}
	var b bytes.Buffer
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchemaDocument(added)
	return b.String(), nil
}

// extension returns the extension of a type that files define by what they lack, or nothing if that is nothing.
func extension(def, declared *ast.Definition) []*ast.Definition {
	rest := without(def, declared)
	rest.Description = ""
	if len(rest.Fields)+len(rest.EnumValues) == 0 {
		return nil
	}
	return []*ast.Definition{rest}
}

// without returns a definition without what files have of it, which may be nil.
func without(def, declared *ast.Definition) *ast.Definition {
	if declared == nil {
		declared = &ast.Definition{}
	}
	rest := *def
	rest.Fields = slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__") || declared.Fields.ForName(f.Name) != nil
	})
	rest.EnumValues = slices.DeleteFunc(slices.Clone(def.EnumValues), func(v *ast.EnumValueDefinition) bool {
		return declared.EnumValues.ForName(v.Name) != nil
	})
	rest.Interfaces = missing(def.Interfaces, declared.Interfaces)
	rest.Types = missing(def.Types, declared.Types)
	rest.Directives = slices.DeleteFunc(slices.Clone(def.Directives), func(d *ast.Directive) bool {
		return declared.Directives.ForName(d.Name) != nil
	})
	return &rest
}

// missing returns the names that others do not have.
func missing(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}
