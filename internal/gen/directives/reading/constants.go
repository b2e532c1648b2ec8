package reading

import (
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// readConstants reads the constants of a type's @item, but for those that cannot be constants.
func (r *Source) readConstants(t *Type, item *ast.Directive) {
	for _, v := range ConstantValues(item) {
		name := v.Children.ForName("name").Raw
		if c, ok := ConstantOf(v); ok && !t.IsConstant(name) && !r.IsKeyAttribute(name) {
			t.Constants = append(t.Constants, c)
		}
	}
}

// ConstantValues returns the values of the constants of an @item. A single value is a list of one.
func ConstantValues(item *ast.Directive) []*ast.Value {
	argument := item.Arguments.ForName("constants")
	switch {
	case argument == nil:
		return nil
	case argument.Value.Kind != ast.ListValue:
		return []*ast.Value{argument.Value}
	}
	var values []*ast.Value
	for _, child := range argument.Value.Children {
		values = append(values, child.Value)
	}
	return values
}

// ConstantOf returns the constant with a name and a value. ok is false if the value is a list, an object or null.
func ConstantOf(of *ast.Value) (c design.Constant, ok bool) {
	name, v := of.Children.ForName("name").Raw, of.Children.ForName("value")
	switch v.Kind {
	case ast.IntValue, ast.FloatValue:
		_, err := strconv.ParseFloat(v.Raw, 64)
		return design.NumberConstant(name, v.Raw), err == nil
	case ast.BooleanValue:
		return design.BooleanConstant(name, v.Raw), true
	case ast.StringValue, ast.BlockValue:
		return design.StringConstant(name, v.Raw), true
	default:
		return c, false
	}
}

// IsKeyAttribute reports whether an attribute is a key of the table or of an index, or the type.
func (r *Source) IsKeyAttribute(name string) bool {
	l := r.Names()
	return l.IsKey(name) || name == l.Type || slices.ContainsFunc(l.Indexes,
		func(ix stored.IndexLayout) bool {
			return ix.PK.Has(name) || ix.SK.Has(name)
		})
}
