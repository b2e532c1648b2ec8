package executors

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// place is where a value is an argument, or a part of one.
type place struct {
	parent   string
	field    *ast.FieldDefinition
	argument string
}

// value returns a value of a type: null, a bool, an int, a text, an enumValue, a list or an object.
func (b *builder) value(typ *ast.Type, at place) any {
	if !typ.NonNull && !b.Valid && b.chance(5) {
		return nil
	}
	if typ.Elem != nil {
		return b.list(typ.Elem, at)
	}
	def := b.schema.Types[typ.NamedType]
	switch {
	case def.Kind == ast.Enum:
		return enumValue(pick(b, def.EnumValues).Name)
	case def.Kind == ast.InputObject:
		return b.object(def, at)
	case def.Name == "ID":
		return b.id(at)
	case def.Name == design.AnyType:
		return b.representation(at)
	case def.Name == "Boolean":
		return b.chance(50)
	case def.Name == "Int":
		if b.wild() {
			return pick(b, []int{-1, 0, 100, 2147483647, -2147483648})
		}
		return 1 + b.IntN(4)
	case def.Name == "Int64":
		return b.text(at.argument, wrongNumbers)
	case def.Name == "Time":
		return b.text(kindName(keys.Time), wrongTimes)
	case def.Name == "Date":
		return b.text(kindName(keys.Date), wrongTimes)
	case at.field.Name == "__type" && !b.wild():
		return pick(b, b.types)
	default:
		return b.text(at.argument, wrongTexts)
	}
}

var (
	wrongTimes = []string{
		"2026-13-01T00:00:00Z", "soon", "", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-02-29",
		"2026-01-31T09:30:00.123456789Z", "2026-01-31T09:30:00+05:30", "10000-01-01T00:00:00Z", "2026-01-31", "-1",
	}
	wrongNumbers = []string{"9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.0", "1e3", "", "a"}
	wrongTexts   = []string{"", "none", "a#b", "\x00", "ä\u2028\U0001f600", strings.Repeat("x", 3000), `"\`}
)

// text returns a value that an attribute has, or a wrong one.
func (b *builder) text(attribute string, wrong []string) string {
	known := b.texts[attribute]
	if len(known) == 0 || b.wild() {
		return pick(b, wrong)
	}
	if b.chance(50) {
		return pick(b, known)
	}
	return pick(b, known[:min(3, len(known))])
}

func (b *builder) list(elem *ast.Type, at place) []any {
	n := pick(b, []int{1, 2, 0, 4, 12})
	if b.chance(3) {
		n = 100
	}
	if b.wild() {
		n = 101
	}
	list := make([]any, n)
	for i := range list {
		list[i] = b.value(elem, at)
		if i > 0 && b.chance(15) {
			list[i] = list[b.IntN(i)]
		}
	}
	return list
}

func (b *builder) object(def *ast.Definition, at place) map[string]any {
	object := map[string]any{}
	for _, f := range def.Fields {
		if f.Type.NonNull || !b.chance(25) {
			at.argument = f.Name
			object[f.Name] = b.value(f.Type, at)
		}
	}
	from, isFrom := object["from"].(string)
	to, isTo := object["to"].(string)
	if isFrom && isTo && from > to && !b.wild() {
		object["from"], object["to"] = to, from
	}
	return object
}

// id returns the global id of an object to which the argument leads, or a wrong one.
func (b *builder) id(at place) string {
	typ := at.field.Type.Name()
	if f := b.design.Field(at.parent, at.field.Name); f != nil {
		if a := f.Argument(at.argument); a != nil && a.Ref != "" {
			typ = a.Ref
		}
	}
	if m := b.design.Mutation(at.field.Name); m != nil && at.parent == b.schema.Mutation.Name {
		typ = m.Type
		if in := m.Input(at.argument); in != nil {
			typ, at.argument = in.Type, in.Attribute
		}
		switch a := b.design.Type(typ).Attribute(at.argument); {
		case a != nil && a.Ref != "":
			typ = a.Ref
		case a != nil && at.argument != "id":
			return b.text(at.argument, wrongTexts)
		}
	}
	known := b.ids[typ]
	if len(known) == 0 { // the field returns an interface
		typ = pick(b, b.stored)
		known = b.ids[typ]
	}
	if b.wild() {
		return pick(b, []string{
			keys.NewID(typ, "none").Encode(), pick(b, b.ids[pick(b, b.stored)]), "none", "", known[0] + "=",
			keys.NewID(typ, "a", "b", "c").Encode(), keys.NewID(typ, "a#b").Encode(), keys.NewID(typ, "").Encode(),
			keys.NewID("None", "1").Encode(), keys.NewID(typ, strings.Repeat("x", 2100)).Encode(),
			strings.Repeat("x", 10_000),
		})
	}
	if b.chance(40) {
		return pick(b, known)
	}
	return pick(b, known[:min(4, len(known))])
}
