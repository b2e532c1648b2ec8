package directives

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// reader returns a reader that knows which stored keys each field of the document reads, as if no field returned a
// connection. What has faults is left out, because it is found later.
func (c *connectionCompleter) reader() *access {
	if c.stored != nil {
		return c.stored
	}
	checker := newDocumentChecker(c.all)
	schema := &ast.Schema{Types: map[string]*ast.Definition{}, PossibleTypes: map[string][]*ast.Definition{}}
	for _, s := range slices.Concat(c.all.Schema, c.all.SchemaExtension) {
		schema.SchemaDirectives = append(schema.SchemaDirectives, checker.valid(s.Directives, ast.LocationSchema)...)
	}
	for _, def := range slices.Concat(c.all.Definitions, c.all.Extensions) {
		whole := schema.Types[def.Name]
		if whole == nil {
			whole = &ast.Definition{Kind: def.Kind, Name: def.Name, BuiltIn: def.BuiltIn, Position: def.Position}
		}
		whole.Directives = append(whole.Directives, checker.valid(def.Directives, ast.DirectiveLocation(def.Kind))...)
		whole.EnumValues = append(whole.EnumValues, def.EnumValues...)
		for _, f := range def.Fields {
			field := *f
			field.Directives = checker.valid(f.Directives, ast.LocationFieldDefinition)
			whole.Fields = append(whole.Fields, &field)
		}
		if whole.Kind != ast.Object || len(whole.Fields) > 0 {
			schema.Types[def.Name] = whole
		}
	}
	schema.Query = schema.Types[queryName(c.all)]
	c.stored = readMatches(schema)
	return c.stored
}

// valid returns the directives of a list that have no faults, as gqlparser's validation would leave them.
func (c *documentChecker) valid(list ast.DirectiveList, at ast.DirectiveLocation) ast.DirectiveList {
	var valid ast.DirectiveList
	for _, d := range list {
		def := c.directives[d.Name]
		if def == nil || !slices.Contains(def.Locations, at) || !def.IsRepeatable && valid.ForName(d.Name) != nil {
			continue
		}
		before := len(c.findings)
		if c.checkDirective(d, def, ""); len(c.findings) == before {
			defined := *d
			defined.Definition = def
			valid = append(valid, &defined)
		}
	}
	return valid
}
