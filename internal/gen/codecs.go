package gen

import (
	"fmt"
	"go/types"

	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// codec names the functions that store and read the values of a GraphQL type.
type codec struct{ encode, decode string }

var scalarCodecs = map[string]codec{
	"String":  {"item.StringValue", "item.AsString"},
	"Int":     {"item.NumberValue", "item.AsInt"},
	"Int64":   {"item.IntValue", "item.AsInt64"},
	"Float":   {"item.FloatValue", "item.AsFloat"},
	"Boolean": {"item.BoolValue", "item.AsBool"},
	"ID":      {"keys.EncodedID", `keys.AsID("")`},
	"Time":    {"item.TimeValue", "item.AsTime"},
}

// codecOf returns the codec of a named type. It is called while a file is rendered, because it adds
// the imports of the names that it returns.
func codecOf(d *directives.Schema, name string, goType types.Type) (codec, error) {
	if c, ok := scalarCodecs[name]; ok {
		return c, nil
	}
	def := d.TypeDef(name)
	goType = unpointed(goType)
	switch {
	case def.Kind == ast.Object:
		return codec{"valueOf" + goName(goType), "item.AsMap(new" + goName(goType) + ")"}, nil
	case def.Kind == ast.Enum:
		return codec{"item.TextValue", "item.AsEnum[" + templates.CurrentImports.LookupType(goType) + "]"}, nil
	case isText(goType) && name == "Date":
		return codec{"item.TextValue", "item.AsDate[" + templates.CurrentImports.LookupType(goType) + "]"}, nil
	case isText(goType):
		return codec{"item.TextValue", "item.AsText[" + templates.CurrentImports.LookupType(goType) + "]"}, nil
	}
	return codec{}, fmt.Errorf("a %s cannot be stored: bind it in gqlgen.yml to a Go type that is a string, not %s",
		name, goType)
}

// storedValue returns the expression of the stored value of a Go expression.
func storedValue(d *directives.Schema, t *ast.Type, goType types.Type, expression string) (string, error) {
	if t.Elem != nil {
		elem := elementOf(goType)
		inner, err := valueFunc(d, t.Elem, elem)
		if err != nil {
			return "", err
		}
		call := "item.NullableListOf"
		if t.NonNull {
			call = "item.ListOf"
		}
		return call + "(" + expression + ", " + inner + ")", nil
	}
	c, err := codecOf(d, t.Name(), goType)
	if err != nil {
		return "", err
	}
	if isPointer(goType) && d.TypeDef(t.Name()).Kind != ast.Object {
		return "item.NullableValue(" + expression + ", " + c.encode + ")", nil
	}
	return c.encode + "(" + expression + ")", nil
}

// valueFunc returns the expression of storedValue as a function of one argument.
func valueFunc(d *directives.Schema, t *ast.Type, goType types.Type) (string, error) {
	if t.Elem == nil && (!isPointer(goType) || d.TypeDef(t.Name()).Kind == ast.Object) {
		c, err := codecOf(d, t.Name(), goType)
		return c.encode, err
	}
	body, err := storedValue(d, t, goType, "v")
	return "func(v " + templates.CurrentImports.LookupType(goType) + ") item.Value { return " + body + " }", err
}

// readerOf returns the expression of the function that reads a stored value.
func readerOf(d *directives.Schema, t *ast.Type, goType types.Type) (string, error) {
	if t.Elem == nil {
		c, err := codecOf(d, t.Name(), goType)
		return c.decode, err
	}
	elem := elementOf(goType)
	inner, err := readerOf(d, t.Elem, elem)
	if isPointer(elem) && d.TypeDef(t.Elem.Name()).Kind != ast.Object {
		inner = "item.AsNullable(" + inner + ")"
	}
	return "item.AsList(" + inner + ")", err
}

// readAttribute returns the expression that reads an attribute from the Decoder d. a is nil for a field of
// an embedded object.
func readAttribute(
	d *directives.Schema, t *ast.Type, goType types.Type, name string, a *design.Attribute,
) (string, error) {
	reader, err := readerOf(d, t, goType)
	if a != nil && a.Kind == keys.IDKind {
		reader = fmt.Sprintf("keys.AsID(%q)", a.Ref)
	}
	call := "item.Required"
	switch {
	case t.NonNull:
	case t.Elem != nil || d.TypeDef(t.Name()).Kind == ast.Object:
		call = "item.OrZero"
	default:
		call = "item.Optional"
	}
	return fmt.Sprintf("%s(d, %q, %s)", call, name, reader), err
}
