package crowd

import (
	"fmt"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/item"
	"github.com/partita/partita/write"
)

// other is a program that writes items of the former design with the SDK: an object of each type, but for those that
// others count and those with claims, which only the gateway keeps right.
func (m *migration) other(t *testing.T) {
	t.Helper()
	d := m.sides[0].Design
	for _, typ := range d.Types {
		later := m.sides[1].Type(m.translate[0].TypeOf(typ.Name))
		if later == nil || len(typ.Uniques)+len(later.Uniques)+len(d.CountersOf(typ)) > 0 ||
			len(m.sides[1].Design.CountersOf(later)) > 0 {
			continue
		}
		m.others++
		form := item.Item{{Name: item.EntityType, Value: item.StringValue(typ.Name)}}
		def := m.sides[0].AST.Types[typ.Name]
		for i := range typ.Attributes {
			a := &typ.Attributes[i]
			v := draw(m.random, a, def, fmt.Sprint("other-", m.others), m.others).stored
			switch enum := m.sides[0].AST.Types[def.Fields.ForName(a.Name).Type.Name()]; {
			case enum.Kind == ast.Enum:
				v = item.StringValue(enum.EnumValues[0].Name)
			case a.Name == typ.Version:
				v = item.NumberValue(1)
			case m.isComputed(0, typ, a.Name):
				v = item.NumberValue(0)
			}
			form = append(form, item.Attribute{Name: a.Name, Value: v})
		}
		items, err := write.ItemsOf(d, typ, form)
		fatal.If(t, err)
		for i := range items {
			items[i] = d.ToStored(items[i]).WithoutNulls()
		}
		m.engine.Load(t, items...)
		m.objects = append(m.objects, m.objectOf(0, typ, form))
	}
}
