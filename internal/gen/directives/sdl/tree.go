package sdl

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// Declarations returns the definitions of a document and their extensions, without those of GraphQL itself.
func Declarations(all *ast.SchemaDocument) []*ast.Definition {
	isBuiltIn := func(def *ast.Definition) bool { return def.BuiltIn }
	return slices.DeleteFunc(slices.Concat(all.Definitions, all.Extensions), isBuiltIn)
}

// IsDeclared reports whether a document has a definition or an extension of that name.
func IsDeclared(all *ast.SchemaDocument, name string) bool {
	return all.Definitions.ForName(name) != nil || all.Extensions.ForName(name) != nil
}

// QueryName returns the name of the root of queries.
func QueryName(all *ast.SchemaDocument) string {
	for _, s := range slices.Concat(all.Schema, all.SchemaExtension) {
		for _, root := range s.OperationTypes {
			if root.Operation == ast.Query {
				return root.Type
			}
		}
	}
	return "Query"
}

// Merged returns copies of the definitions of a document with their extensions, by name.
func Merged(all *ast.SchemaDocument) map[string]*ast.Definition {
	types := map[string]*ast.Definition{}
	for _, def := range slices.Concat(all.Definitions, all.Extensions) {
		if types[def.Name] == nil {
			whole := *def
			types[def.Name] = &whole
			continue
		}
		whole := types[def.Name]
		whole.Fields = slices.Concat(whole.Fields, def.Fields)
		whole.Directives = slices.Concat(whole.Directives, def.Directives)
		whole.EnumValues = slices.Concat(whole.EnumValues, def.EnumValues)
		whole.Interfaces = slices.Concat(whole.Interfaces, def.Interfaces)
		whole.Types = slices.Concat(whole.Types, def.Types)
	}
	return types
}

// DelimiterOf returns the delimiter of a document's @table.
func DelimiterOf(all *ast.SchemaDocument) string {
	if table := tableOf(all); table != nil {
		if delimiter, ok := Raw(table, "delimiter").(string); ok && delimiter != "" {
			return delimiter
		}
	}
	return keys.Delimiter
}

// HasNoSortKey reports whether the @table of a document says that the table has no sort key.
func HasNoSortKey(all *ast.SchemaDocument) bool {
	table := tableOf(all)
	return table != nil && IsNull(table, "sk")
}

// tableOf returns the @table of a document, nil if it has none.
func tableOf(all *ast.SchemaDocument) *ast.Directive {
	for _, s := range slices.Concat(all.Schema, all.SchemaExtension) {
		if table := s.Directives.ForName("table"); table != nil {
			return table
		}
	}
	return nil
}

// IsConnection reports whether an object type is a connection, perhaps one without a part that it needs.
func IsConnection(def *ast.Definition) bool {
	edges, pageInfo := def.Fields.ForName("edges"), def.Fields.ForName("pageInfo")
	if edges != nil && pageInfo != nil {
		return true
	}
	return strings.HasSuffix(def.Name, ConnectionSuffix) && def.Directives.ForName("item") == nil &&
		(edges != nil || pageInfo != nil || def.Fields.ForName("nodes") != nil)
}

// VersionOf returns the field of a type with @version, or nil.
func VersionOf(def *ast.Definition) *ast.FieldDefinition {
	for _, f := range def.Fields {
		if f.Directives.ForName("version") != nil {
			return f
		}
	}
	return nil
}

// IsAttribute reports whether a field is stored: it is neither read by a directive, nor a difference, nor computed by a
// resolver, which has arguments or a declared cost.
func IsAttribute(f *ast.FieldDefinition) bool {
	return ReadDirective(f) == nil && f.Directives.ForName("cost") == nil && f.Directives.ForName("difference") == nil &&
		len(f.Arguments) == 0 && !strings.HasPrefix(f.Name, "__")
}
