package contract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// defaultOf returns the default value as GraphQL text, "" if there is none. Values that are coerced to the same one
// have the same text.
func defaultOf(schema *ast.Schema, i input) string {
	if i.defaultValue == nil {
		return ""
	}
	return coerced(schema, i.typ, i.defaultValue, true)
}

// coerced returns the text of a constant value of a type. With isComplete, objects have the default values of the
// fields that they lack, but these have no further ones: the default values of two input types may contain each other.
//
// https://spec.graphql.org/September2025/#sec-Input-Values
func coerced(schema *ast.Schema, typ *ast.Type, v *ast.Value, isComplete bool) string {
	if v.Kind == ast.NullValue {
		return "null"
	}
	if typ.Elem != nil {
		return coercedList(schema, typ, v, isComplete)
	}
	switch def := schema.Types[typ.NamedType]; {
	case v.Kind == ast.StringValue || v.Kind == ast.BlockValue:
		return strconv.Quote(v.Raw)
	case def != nil && def.Kind == ast.InputObject && v.Kind == ast.ObjectValue:
		return coercedObject(schema, def, v, isComplete)
	case v.Kind == ast.IntValue && typ.NamedType == "ID":
		return strconv.Quote(v.Raw)
	case (v.Kind == ast.IntValue || v.Kind == ast.FloatValue) && typ.NamedType == "Float":
		if f, err := strconv.ParseFloat(v.Raw, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	case v.Kind == ast.ListValue || v.Kind == ast.ObjectValue: // of a scalar of the schema's own
		return sortedText(v)
	}
	return v.Raw
}

func coercedList(schema *ast.Schema, typ *ast.Type, v *ast.Value, isComplete bool) string {
	if v.Kind != ast.ListValue {
		return "[" + coerced(schema, typ.Elem, v, isComplete) + "]"
	}
	elements := make([]string, len(v.Children))
	for i, child := range v.Children {
		elements[i] = coerced(schema, typ.Elem, child.Value, isComplete)
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

func coercedObject(schema *ast.Schema, def *ast.Definition, v *ast.Value, isComplete bool) string {
	var fields []string
	for _, f := range def.Fields {
		if value := v.Children.ForName(f.Name); value != nil {
			fields = append(fields, f.Name+": "+coerced(schema, f.Type, value, isComplete))
		} else if isComplete && f.DefaultValue != nil {
			fields = append(fields, f.Name+": "+coerced(schema, f.Type, f.DefaultValue, false))
		}
	}
	slices.Sort(fields)
	return "{" + strings.Join(fields, ", ") + "}"
}

// sortedText returns the text of a value with sorted fields.
func sortedText(v *ast.Value) string {
	parts := make([]string, len(v.Children))
	for i, child := range v.Children {
		parts[i] = sortedText(child.Value)
		if child.Name != "" {
			parts[i] = child.Name + ": " + parts[i]
		}
	}
	switch v.Kind {
	case ast.ListValue:
		return "[" + strings.Join(parts, ", ") + "]"
	case ast.ObjectValue:
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.String()
}
