package directives

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// readConstants reads the constants of a type's @item, and finds names that cannot be constants.
func (r *reader) readConstants(t *storedType, item *ast.Directive) {
	argument := item.Arguments.ForName("constants")
	if argument == nil {
		return
	}
	values := []*ast.Value{argument.Value} // A single value is a list of one.
	if argument.Value.Kind == ast.ListValue {
		values = nil
		for _, child := range argument.Value.Children {
			values = append(values, child.Value)
		}
	}
	var faults []string
	valid := &ast.Value{Kind: ast.ListValue}
	for _, v := range values {
		name, value := v.Children.ForName("name"), v.Children.ForName("value")
		c, ok := constant(name.Raw, value)
		what := ""
		switch {
		case !ok:
			what = fmt.Sprintf("the value of constant %s is no String, number or Boolean", name.Raw)
		case t.IsConstant(name.Raw):
			what = fmt.Sprintf("%s is a constant of %s already", name.Raw, t.Name)
		case r.isKeyAttribute(name.Raw):
			what = fmt.Sprintf("constant %s is an attribute that the table itself needs", name.Raw)
		}
		if what != "" {
			faults = append(faults, what)
			continue
		}
		t.Constants = append(t.Constants, c)
		valid.Children = append(valid.Children, &ast.ChildValue{Value: v})
	}
	if len(faults) > 0 {
		r.find(item.Position, t.Name, strings.Join(faults, "; "), "write constants: "+valid.String())
	}
}

// constant returns the constant with a value of the schema. ok is false for a list, an object or null.
func constant(name string, v *ast.Value) (c keys.Constant, ok bool) {
	switch v.Kind {
	case ast.IntValue, ast.FloatValue:
		_, err := strconv.ParseFloat(v.Raw, 64)
		return keys.NumberConstant(name, v.Raw), err == nil
	case ast.BooleanValue:
		return keys.BooleanConstant(name, v.Raw), true
	case ast.StringValue, ast.BlockValue:
		return keys.StringConstant(name, v.Raw), true
	default:
		return c, false
	}
}

// isKeyAttribute reports whether an attribute is a key of the table or of an index, or the type.
func (r *reader) isKeyAttribute(name string) bool {
	l := r.names()
	return l.IsKey(name) || name == l.Type || slices.ContainsFunc(l.Indexes,
		func(ix keys.IndexLayout) bool {
			return ix.PK.Has(name) || ix.SK.Has(name)
		})
}

// checkConstants finds fields that have the attribute of a constant.
func (r *reader) checkConstants() {
	for _, t := range r.sortedTypes() {
		for _, a := range t.Attributes {
			if a.InKeys || !t.IsConstant(a.StoredName()) {
				continue
			}
			f := t.def.Fields.ForName(a.Name)
			at, fix := f.Position, fmt.Sprintf("rename %s to %s in type %s", f.Name, renamed(t.def, f.Name), t.Name)
			if d := f.Directives.ForName("stored"); a.Stored != "" {
				at, fix = d.Position, fmt.Sprintf("write name: %q", a.Stored+"Value")
			}
			r.find(at, t.Name+"."+f.Name, fmt.Sprintf("attribute %s is a constant of %s", a.StoredName(), t.Name), fix)
		}
	}
}

// isNull reports whether an argument of a directive is null, not absent.
func isNull(d *ast.Directive, name string) bool {
	argument := d.Arguments.ForName(name)
	return argument != nil && argument.Value.Kind == ast.NullValue
}

// withConstant returns the text of an @item with a constant that only one type has.
func withConstant(item *ast.Directive, value string) string {
	constant := &ast.Value{Kind: ast.ObjectValue, Children: ast.ChildValueList{
		{Name: "name", Value: &ast.Value{Kind: ast.StringValue, Raw: "type"}},
		{Name: "value", Value: &ast.Value{Kind: ast.StringValue, Raw: value}},
	}}
	list := &ast.Value{Kind: ast.ListValue, Children: ast.ChildValueList{{Value: constant}}}
	if argument := item.Arguments.ForName("constants"); argument != nil {
		list.Children = append(slices.Clone(argument.Value.Children), list.Children...)
	}
	return directiveText(withArgument(item, "constants", list))
}
