package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// SchemaPart is a part of the schema that introspection returns as an object: the schema itself, a type, a field, an
// argument, an enum value or a directive, or what describes a Federation subgraph. The zero SchemaPart is the root of
// the query.
//
// https://spec.graphql.org/September2025/#sec-Introspection
type SchemaPart struct {
	// part is a *directiveArgument, a service, or a pointer to another definition of package ast. An *ast.Type is a list,
	// or a type that is not null.
	part any
}

// Introspect returns the value of a field of kind IntrospectionField: a string, a bool, a []string, a SchemaPart, a
// []SchemaPart, or nil for null. As in gqlgen, includeDeprecated has no effect on arguments and input fields.
func (b *Bound) Introspect(f *Field, of SchemaPart) any {
	schema := b.Schema.AST
	switch part := of.part.(type) {
	case *ast.Schema:
		return introspectSchema(part, f.Name)
	case *ast.Definition:
		return b.introspectDefinition(f, part)
	case *ast.Type:
		return introspectWrapper(schema, part, f.Name)
	case *ast.FieldDefinition:
		return introspectField(schema, part, f)
	case *ast.ArgumentDefinition:
		return introspectInput(schema, f.Name, input{
			part.Name, part.Description, part.DefaultValue, part.Type, part.Directives.ForName(deprecated),
		})
	case *directiveArgument:
		return introspectInput(schema, f.Name, input{part.Name, part.Description, part.DefaultValue, part.Type, nil})
	case *ast.EnumValueDefinition:
		return introspectEnumValue(part, f.Name)
	case *ast.DirectiveDefinition:
		return introspectDirective(part, f.Name)
	case service:
		return part.sdl
	}
	switch f.Name {
	case schemaName:
		return SchemaPart{schema}
	case design.ServiceField:
		return SchemaPart{service{b.Schema.SDL}}
	}
	name, _ := valueOf(f.ast, f.Definition.Arguments[0], b.variables).(string)
	return definitionPart(schema.Types[name])
}

// schemaName is the name of the field of the query that returns the whole schema; the other one is __type.
const schemaName = "__schema"

func definitionPart(def *ast.Definition) any {
	if def == nil {
		return nil
	}
	return SchemaPart{def}
}

// typePart returns the part of a type as a field or an argument has it.
func typePart(schema *ast.Schema, t *ast.Type) SchemaPart {
	if !t.NonNull && t.NamedType != "" {
		return SchemaPart{schema.Types[t.NamedType]}
	}
	return SchemaPart{t}
}

// parts returns the parts of a list, which is empty instead of null.
func parts[T any](all []T) []SchemaPart {
	list := make([]SchemaPart, len(all))
	for i, part := range all {
		list[i] = SchemaPart{part}
	}
	return list
}

// sorted returns the parts of a map by their names.
func sorted[T any](all map[string]T) []SchemaPart {
	list := make([]SchemaPart, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, SchemaPart{all[name]})
	}
	return list
}

// orNull returns nil for an empty text.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func introspectSchema(schema *ast.Schema, name string) any {
	switch name {
	case "types":
		return sorted(schema.Types)
	case "queryType":
		return definitionPart(schema.Query)
	case "mutationType":
		return definitionPart(schema.Mutation)
	case "subscriptionType":
		return definitionPart(schema.Subscription)
	case "directives":
		return sorted(schema.Directives)
	default:
		return orNull(schema.Description)
	}
}

func (b *Bound) introspectDefinition(f *Field, def *ast.Definition) any {
	schema := b.Schema.AST
	hasFields := def.Kind == ast.Object || def.Kind == ast.Interface
	switch f.Name {
	case "kind":
		return string(def.Kind)
	case "name":
		return def.Name
	case "description":
		return orNull(def.Description)
	case "specifiedByURL":
		if d := def.Directives.ForName("specifiedBy"); d != nil {
			return d.Arguments.ForName("url").Value.Raw
		}
		return nil
	case "isOneOf":
		return def.Kind == ast.InputObject && def.Directives.ForName("oneOf") != nil
	case "fields":
		if !hasFields {
			break
		}
		fields, all := []SchemaPart{}, b.includesDeprecated(f)
		for _, field := range def.Fields {
			isMeta := strings.HasPrefix(field.Name, "__")
			if !isMeta && (all || field.Directives.ForName(deprecated) == nil) {
				fields = append(fields, SchemaPart{field})
			}
		}
		return fields
	case "interfaces":
		if !hasFields {
			break
		}
		interfaces := []SchemaPart{}
		for _, name := range def.Interfaces {
			interfaces = append(interfaces, SchemaPart{schema.Types[name]})
		}
		return interfaces
	case "possibleTypes":
		if def.IsAbstractType() {
			return parts(schema.GetPossibleTypes(def))
		}
	case "enumValues":
		values, all := []SchemaPart{}, b.includesDeprecated(f)
		for _, v := range def.EnumValues {
			if all || v.Directives.ForName(deprecated) == nil {
				values = append(values, SchemaPart{v})
			}
		}
		return values
	case "inputFields":
		if def.Kind == ast.InputObject {
			return parts(def.Fields)
		}
	default: // ofType
		return nil
	}
	return []SchemaPart{}
}

// deprecated is the name of the directive.
const deprecated = "deprecated"

// includesDeprecated reports whether a list also has what is deprecated.
func (b *Bound) includesDeprecated(f *Field) bool {
	is, _ := valueOf(f.ast, f.Definition.Arguments[0], b.variables).(bool)
	return is
}

// introspectWrapper returns a value of a list, or of a type that is not null.
func introspectWrapper(schema *ast.Schema, t *ast.Type, name string) any {
	switch name {
	case "kind":
		if t.NonNull {
			return "NON_NULL"
		}
		return "LIST"
	case "ofType":
		if t.NonNull {
			nullable := *t
			nullable.NonNull = false
			return typePart(schema, &nullable)
		}
		return typePart(schema, t.Elem)
	case "isOneOf":
		return false
	case "name", "description", "specifiedByURL":
		return nil
	default:
		return []SchemaPart{}
	}
}

// introspectField returns a value of a field, or of the field of an input object.
func introspectField(schema *ast.Schema, def *ast.FieldDefinition, f *Field) any {
	d := def.Directives.ForName(deprecated)
	switch {
	case f.Parent == "__InputValue":
		return introspectInput(schema, f.Name, input{def.Name, def.Description, def.DefaultValue, def.Type, d})
	case f.Name == "args":
		return parts(def.Arguments)
	case f.Name == "deprecationReason" && d != nil && d.Arguments.ForName("reason") == nil:
		return "No longer supported"
	default:
		return introspectInput(schema, f.Name, input{def.Name, def.Description, nil, def.Type, d})
	}
}

// directiveArgument is an argument of a directive. In gqlgen's introspection it is never deprecated.
type directiveArgument ast.ArgumentDefinition

// input is an argument, or the field of an input object.
type input struct {
	name, description string
	value             *ast.Value
	typ               *ast.Type
	deprecated        *ast.Directive
}

func introspectInput(schema *ast.Schema, name string, in input) any {
	switch name {
	case "name":
		return in.name
	case "type":
		return typePart(schema, in.typ)
	case "defaultValue":
		if in.value == nil {
			return nil
		}
		return in.value.String()
	default:
		return introspectAny(name, in.description, in.deprecated)
	}
}

func introspectEnumValue(def *ast.EnumValueDefinition, name string) any {
	if name == "name" {
		return def.Name
	}
	return introspectAny(name, def.Description, def.Directives.ForName(deprecated))
}

// introspectAny returns a value that fields, arguments and enum values have.
func introspectAny(name, description string, deprecated *ast.Directive) any {
	switch name {
	case "description":
		return orNull(description)
	case "isDeprecated":
		return deprecated != nil
	default: // deprecationReason
		if deprecated == nil || deprecated.Arguments.ForName("reason") == nil {
			return nil
		}
		return deprecated.Arguments.ForName("reason").Value.Raw
	}
}

func introspectDirective(def *ast.DirectiveDefinition, name string) any {
	switch name {
	case "name":
		return def.Name
	case "isRepeatable":
		return def.IsRepeatable
	case "locations":
		locations := make([]string, len(def.Locations))
		for i, l := range def.Locations {
			locations[i] = string(l)
		}
		return locations
	case "args":
		list := make([]SchemaPart, len(def.Arguments))
		for i, a := range def.Arguments {
			list[i] = SchemaPart{(*directiveArgument)(a)}
		}
		return list
	default:
		return orNull(def.Description)
	}
}
