package reading

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// attribute returns the attribute of a stored field of an object type, with the name and the format of its @stored and
// the value of its @default.
func (r *Source) attribute(f *ast.FieldDefinition) design.Attribute {
	a := design.Attribute{Name: f.Name, Kind: r.Kind(f.Type), NonNull: f.Type.NonNull, Object: r.objectOf(f.Type)}
	if d := f.Directives.ForName("stored"); d != nil {
		r.readStored(&a, f.Type, d)
	}
	if d := f.Directives.ForName("default"); d != nil {
		a.Default, _ = r.DefaultOf(f.Type, a.As, d.Arguments.ForName("value").Value)
	}
	a.Exists = f.Directives.ForName("exists") != nil
	if d := f.Directives.ForName("check"); d != nil {
		a.Check = valueCheck(d)
	}
	return a
}

// valueCheck returns what a @check demands. A pattern with a mistake is left out: it is a finding.
func valueCheck(d *ast.Directive) *design.ValueCheck {
	c := &design.ValueCheck{
		Min: numeral(d, "min"), Max: numeral(d, "max"),
		MinLength: sdl.Int(d, "minLength"), MaxLength: sdl.Int(d, "maxLength"),
		Pattern: sdl.Text(d, "pattern"), Message: sdl.Text(d, "message"),
	}
	if _, err := regexp.Compile(c.Pattern); err != nil {
		c.Pattern = ""
	}
	return c
}

// numeral returns a number as it is written, "" if there is none.
func numeral(d *ast.Directive, argument string) string {
	a := d.Arguments.ForName(argument)
	if a == nil || a.Value.Kind != ast.IntValue && a.Value.Kind != ast.FloatValue {
		return ""
	}
	return a.Value.Raw
}

// readStored sets the name and the format of an attribute.
func (r *Source) readStored(a *design.Attribute, typ *ast.Type, d *ast.Directive) {
	switch name := sdl.Text(d, "name"); {
	case sdl.IsNull(d, "name"):
		a.InKeys = true
	case name != a.Name:
		a.Stored = name
	}
	if as := keys.FormatOf(sdl.Text(d, "as")); r.Fits(as, typ) {
		a.As = as
	}
}

// Fits reports whether values of the type can have the format.
func (r *Source) Fits(as keys.Format, t *ast.Type) bool {
	if as != keys.Set {
		return fits(as, r.Kind(t))
	}
	if t.Elem == nil || t.Elem.Elem != nil {
		return false
	}
	def := r.Schema.Types[t.Name()]
	return t.Name() != "Boolean" && def != nil && (def.Kind == ast.Enum || def.Kind == ast.Scalar)
}

// fits reports whether values of the kind can have the format.
func fits(f keys.Format, k keys.Kind) bool {
	switch f {
	case keys.Plain:
		return true
	case keys.NumberText:
		return k == keys.Int || k == keys.Int64
	case keys.Number:
		return k == keys.String || k == keys.IDKind
	case keys.EpochSeconds, keys.EpochMillis, keys.EpochSecondsText:
		return k == keys.Time || k == keys.Date
	default:
		return k == keys.Time
	}
}

// objectOf returns the name of the object type of the values of a field if they are stored within its attribute; "" for
// a field of another type.
func (r *Source) objectOf(t *ast.Type) string {
	def := r.Schema.Types[t.Name()]
	if def == nil || def.Kind != ast.Object || def.Directives.ForName("item") != nil {
		return ""
	}
	return def.Name
}

// objectsIn returns the object types inside of attributes, at any depth. One may contain itself.
func (r *Storage) objectsIn(attributes []design.Attribute) []design.Object {
	var found []design.Object
	var visit func([]design.Attribute)
	visit = func(attributes []design.Attribute) {
		for _, a := range attributes {
			isFound := func(o design.Object) bool { return o.Name == a.Object }
			if a.Object == "" || slices.ContainsFunc(found, isFound) {
				continue
			}
			o := r.object(a.Object)
			found = append(found, o)
			visit(o.Attributes)
		}
	}
	visit(attributes)
	slices.SortFunc(found, func(a, b design.Object) int { return cmp.Compare(a.Name, b.Name) })
	return found
}

// object returns an object type that is stored within attributes. It is read once, so that its faults are found once.
func (r *Storage) object(name string) design.Object {
	if o, known := r.Nested[name]; known {
		return o
	}
	o, def := design.Object{Name: name}, r.Schema.Types[name]
	for _, f := range def.Fields {
		if sdl.IsAttribute(f) {
			o.Attributes = append(o.Attributes, r.attribute(f))
		}
	}
	r.Nested[name] = o
	return o
}

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
