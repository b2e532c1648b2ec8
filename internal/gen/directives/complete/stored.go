package complete

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/document"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// reader returns a reader that knows which stored keys each field of the document reads, as if no field returned a
// connection. What has faults is left out, because it is found later.
func (c *connectionCompleter) reader() *reading.Access {
	if c.stored != nil {
		return c.stored
	}
	checker := document.NewChecker(c.all)
	schema := &ast.Schema{Types: map[string]*ast.Definition{}, PossibleTypes: map[string][]*ast.Definition{}}
	for _, s := range slices.Concat(c.all.Schema, c.all.SchemaExtension) {
		schema.SchemaDirectives = append(schema.SchemaDirectives, checker.Valid(s.Directives, ast.LocationSchema)...)
	}
	for _, def := range slices.Concat(c.all.Definitions, c.all.Extensions) {
		whole := schema.Types[def.Name]
		if whole == nil {
			whole = &ast.Definition{Kind: def.Kind, Name: def.Name, BuiltIn: def.BuiltIn, Position: def.Position}
		}
		whole.Directives = append(whole.Directives, checker.Valid(def.Directives, ast.DirectiveLocation(def.Kind))...)
		whole.EnumValues = append(whole.EnumValues, def.EnumValues...)
		for _, f := range def.Fields {
			field := *f
			field.Directives = checker.Valid(f.Directives, ast.LocationFieldDefinition)
			whole.Fields = append(whole.Fields, &field)
		}
		if whole.Kind != ast.Object || len(whole.Fields) > 0 {
			schema.Types[def.Name] = whole
		}
	}
	schema.Query = schema.Types[sdl.QueryName(c.all)]
	c.stored = reading.ReadMatches(schema)
	return c.stored
}
