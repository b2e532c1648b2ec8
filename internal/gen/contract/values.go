package contract

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// attribute compares what stored objects have where a type now has an attribute.
func (d *designs) attribute(base, head *design.Type, b *design.Attribute) {
	path := head.Name + "." + b.Name
	field := d.comparison.head.Types[head.Name].Fields.ForName(b.Name)
	former := base.Attribute(b.Name)
	if former != nil && former.InKeys != b.InKeys {
		was := d.comparison.base.Types[base.Name].Fields.ForName(b.Name)
		at := positions{was.Position, field.Position}
		d.keyOnly(path, at, b, d.followsFromKeys(base, head, b.Name))
		values{designs: d, path: path, at: at, attribute: b.StoredName()}.elements(was.Type, field.Type)
		return
	}
	if b.InKeys {
		return // What its values are follows from the keys, which are compared.
	}
	a := storedIn(base, b.StoredName())
	if a == nil {
		a = former
	}
	if a == nil {
		return
	}
	was := d.comparison.base.Types[base.Name].Fields.ForName(a.Name)
	at := positions{was.Position, field.Position}
	d.within(isDeprecated(was.Directives), func() {
		values{designs: d, path: path, at: at, attribute: b.StoredName()}.elements(was.Type, field.Type)
		if demands := b.Check.Demands(); demands != "" && demands != a.Check.Demands() {
			d.dangerous(path, at, "a given value must be %s now: mutations with others fail with the code INVALID", demands)
		}
	})
}

// keyOnly compares where a value is that was in keys only, or is now: isInKeys is set if the keys of all stored objects
// have it.
func (d *designs) keyOnly(path string, at positions, b *design.Attribute, isInKeys bool) {
	switch {
	case isInKeys && !b.InKeys:
	case isInKeys:
		d.dangerous(path, at, "it has no attribute now: objects that are written from now on lack it for other programs, "+
			"and for indexes that need it")
	case b.InKeys:
		d.data(path, at, "keep the attribute until all stored objects have a key with the value",
			"it has no attribute now, and not all stored objects have a key with its value: the others lose it")
	default:
		d.data(path, at, "keep @stored(name: null), or write "+b.StoredName()+" into all stored objects first, until "+
			"`table check` with this version finds none without it",
			"it was in keys only: stored objects have no attribute %s, and not all have a key from which it is read now",
			b.StoredName())
	}
}

// storedOtherwise adds that an attribute has another name or format.
func (d *designs) storedOtherwise(path string, at positions, was, is string) {
	d.data(path, at, "keep the former name and format with @stored, and add a field for the other",
		"it was stored as %s and is stored as %s: values in the former are not read", was, is)
}

// required adds that stored objects need not have an attribute that is never null.
func (d *designs) required(path string, at positions, attribute string, typ *ast.Type) {
	d.data(path, at, "let it be null ("+sdl.Nullable(typ)+"), or write "+attribute+" into all stored objects first, "+
		"until `table check` with this version finds none without it",
		"it is never null now, but stored objects may have no attribute %s: each one without it is an error where the "+
			"field is selected", attribute)
}

// followsFromKeys reports whether the keys of all objects that are stored in the base have the value of an attribute,
// or of those in which it is set.
func (d *designs) followsFromKeys(base, head *design.Type, name string) bool {
	if !d.head.Translates() {
		return false // An attribute is written for each variable, and nothing is read from keys.
	}
	isNeeded := head.Attribute(name).NonNull
	has := map[string]bool{}
	for _, s := range shapes(base) {
		for _, t := range []keys.Template{s.PK, s.SK} {
			has[unnamed(t)] = !slices.ContainsFunc(t.Variables(), func(variable string) bool {
				a := base.Attribute(variable)
				return a != nil && !a.NonNull && (variable != name || isNeeded)
			})
		}
	}
	return slices.ContainsFunc(shapes(head), func(s keys.Shape) bool {
		return slices.ContainsFunc([]keys.Template{s.PK, s.SK}, func(t keys.Template) bool {
			return t.Bucket(name) == 0 && slices.Contains(t.Variables(), name) && has[unnamed(t)]
		})
	})
}

// values compares the values that an attribute had with those that it may have.
type values struct {
	*designs
	// path and at are those of the field, attribute is its name in the table.
	path, attribute string
	at              positions
	// within are the objects that contain the value.
	within []string
}

func (v values) compare(was, is *ast.Type) {
	if is.NonNull && !was.NonNull {
		v.required(v.path, v.at, v.attribute, is)
	}
	v.elements(was, is)
}

// elements compares types without regard to whether the value itself is never null.
func (v values) elements(was, is *ast.Type) {
	if was.Elem != nil && is.Elem != nil {
		if is.Elem.NonNull && !was.Elem.NonNull {
			v.data(v.path, v.at, "keep "+was.String(), "the elements of the list are never null now, but those of stored "+
				"objects may be: a list with null is an error where the field is selected")
		}
		v.elements(was.Elem, is.Elem)
		return
	}
	a, b := v.comparison.base.Types[was.NamedType], v.comparison.head.Types[is.NamedType]
	switch {
	case a == nil || b == nil: // One of them is a list.
		v.unreadable(was, is)
	case a.Kind == ast.Enum && b.Kind == ast.Enum && len(v.within) > 0: // Others are parts of the design.
		v.enum(a, b)
	case a.Kind == ast.Enum && b.Kind == ast.Enum:
	case a.Kind == ast.Object && b.Kind == ast.Object:
		v.object(a, b)
	case !isReadable(a, b):
		v.unreadable(was, is)
	}
}

func (v values) unreadable(was, is *ast.Type) {
	v.data(v.path, v.at,
		"keep "+was.String()+", and add a field of type "+sdl.Nullable(is)+" with an attribute of its own",
		"values are stored as %s and read as %s: one that is no %s is an error where the field is selected",
		was, is, sdl.Nullable(is))
}

// isReadable reports whether every stored value of a type is one of another type.
func isReadable(was, is *ast.Definition) bool {
	if was.Name == is.Name || is.Kind == ast.Scalar && !slices.Contains(storedScalars, is.Name) {
		return true // Any value, or what Go code decides.
	}
	switch is.Name {
	case "String", "ID":
		return was.Kind == ast.Enum || slices.Contains([]string{"String", "ID", "Time", "Date"}, was.Name)
	case "Int64":
		return was.Name == "Int"
	case "Float":
		return was.Name == "Int" || was.Name == "Int64"
	}
	return false
}

// storedScalars are the scalars whose values are stored in a format that is known.
var storedScalars = []string{"String", "ID", "Int", "Int64", "Float", "Boolean", "Time", "Date"}

// enum compares the values that stored objects may have.
func (v values) enum(was, is *ast.Definition) {
	var removed []string
	for _, value := range was.EnumValues {
		if is.EnumValues.ForName(value.Name) == nil {
			removed = append(removed, value.Name)
		}
	}
	if len(removed) == 0 {
		return
	}
	v.data(v.path, v.at, "keep "+strings.Join(removed, " and ")+" in enum "+is.Name+" until `table check` with this "+
		"version finds no object that has it",
		"stored objects may have %s, which enum %s does not have: each is an error where the field is selected",
		strings.Join(removed, " or "), is.Name)
}

// object compares the fields of an object that is stored inside of its parent.
func (v values) object(was, is *ast.Definition) {
	if slices.Contains(v.within, is.Name) || v.head.Type(is.Name) != nil {
		return
	}
	within := append(slices.Clip(v.within), is.Name)
	for _, field := range is.Fields {
		if !isNestedAttribute(field) {
			continue
		}
		path := is.Name + "." + field.Name
		if v.damaging[path] {
			continue // Another object contains one of the same type.
		}
		name, as := nestedStored(field)
		former := nestedField(was, name)
		if former == nil {
			former = was.Fields.ForName(field.Name)
		}
		if former == nil {
			if field.Type.NonNull {
				v.required(path, positions{head: field.Position}, name, field.Type)
			}
			continue
		}
		at := positions{former.Position, field.Position}
		if formerName, formerAs := nestedStored(former); formerName != name || formerAs != as {
			v.storedOtherwise(path, at, strings.TrimSpace(formerName+" "+formerAs), strings.TrimSpace(name+" "+as))
			continue
		}
		nested := values{designs: v.designs, path: path, attribute: name, within: within, at: at}
		nested.compare(former.Type, field.Type)
	}
}

// isNestedAttribute reports whether a field of an object inside of another one is stored.
func isNestedAttribute(f *ast.FieldDefinition) bool {
	return len(f.Arguments) == 0 && !isOfGraphQL(f.Name) &&
		!slices.ContainsFunc(f.Directives, func(d *ast.Directive) bool {
			return slices.Contains([]string{"get", "query", "cost"}, d.Name)
		})
}

// nestedField returns the field whose value is stored under a name in an object inside of another one, or nil.
func nestedField(def *ast.Definition, name string) *ast.FieldDefinition {
	for _, f := range def.Fields {
		if stored, _ := nestedStored(f); isNestedAttribute(f) && stored == name {
			return f
		}
	}
	return nil
}

// nestedStored returns under which name a field is stored, and in which format.
func nestedStored(f *ast.FieldDefinition) (name, as string) {
	name = f.Name
	if d := f.Directives.ForName("stored"); d != nil {
		if a := d.Arguments.ForName("name"); a != nil {
			name = a.Value.Raw
		}
		if a := d.Arguments.ForName("as"); a != nil {
			as = a.Value.Raw
		}
	}
	return name, as
}
