package executors

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// CheckValues compares the executors while each attribute in turn has odd values in all items, for the first two of
// the Viewers in turn. The operation selects all attributes of objects of each type, and those of the objects beside
// them.
func (s Schema) CheckValues(t *testing.T) {
	t.Helper()
	c := s.Compare(loaders.Options{})
	var ids []string
	for _, typ := range c.generator.stored {
		ids = append(ids, c.generator.ids[typ][0])
	}
	node := c.generator.schema.Types["Node"]
	o := Operation{
		Document:  "query($ids: [ID!]!) { nodes(ids: $ids) " + c.generator.everything(node, 1) + " }",
		Variables: map[string]any{"ids": ids},
	}
	attributes, executed := map[string]item.Value{}, false
	for _, it := range s.Items {
		for _, a := range it {
			if !s.Design.IsKeyAttribute(a.Name) && (attributes[a.Name].Kind == item.Null || len(a.Value.Elements()) > 0) {
				attributes[a.Name] = a.Value
			}
		}
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		for value, known := range oddValues(attributes[name]) {
			v := s.Viewers[n%2]
			n++
			header := http.Header{}
			gatewaytest.SetViewer(header, v)
			c.Memory.Alter = func(it item.Item) item.Item { return with(it, name, value, known) }
			r, err := c.Both(header, o, nil)
			if err != nil {
				t.Fatalf("%+v, with %s = %+v: %v", v, name, value, err)
			}
			executed = executed || r.Data() != nil
		}
	}
	if !executed {
		t.Errorf("%s is not executed", o.Document)
	}
}

// oddValues calls yield with values to take the place of one, or with false for none.
func oddValues(v item.Value) func(yield func(item.Value, bool) bool) {
	values := []item.Value{
		{}, item.BoolValue(true), {Kind: item.Binary, Text: "\xff"}, item.ListValue(nil), item.ListValue([]item.Value{v}),
		item.ListValue(append(slices.Clone(v.Elements()), item.Value{})), item.FieldsValue(nil),
	}
	for _, texts := range [][]string{damagedTexts, damagedTimes} {
		for _, text := range texts {
			values = append(values, item.StringValue(text))
		}
	}
	for _, number := range damagedNumbers {
		values = append(values, item.Value{Kind: item.Number, Text: number})
	}
	for _, a := range v.Fields() {
		values = append(values, item.FieldsValue(with(v.Fields(), a.Name, item.Value{}, true)))
		values = append(values, item.FieldsValue(with(v.Fields(), a.Name, item.Value{}, false)))
	}
	return func(yield func(item.Value, bool) bool) {
		for _, value := range values {
			if !yield(value, true) {
				return
			}
		}
		yield(item.Value{}, false)
	}
}

// with returns an item with another value of an attribute, or without it, if it has the attribute.
func with(it item.Item, name string, value item.Value, known bool) item.Item {
	i := slices.IndexFunc(it, func(a item.Attribute) bool { return a.Name == name })
	if i < 0 {
		return it
	}
	it = slices.Clone(it)
	if !known {
		return slices.Delete(it, i, i+1)
	}
	it[i].Value = value
	return it
}

// everything returns a selection of all fields of a type that have no required arguments, except pages.
func (g *Generator) everything(def *ast.Definition, depth int) string {
	parts := []string{"__typename"}
	if def.IsAbstractType() {
		for _, object := range g.schema.GetPossibleTypes(def) {
			parts = append(parts, "... on "+object.Name+" "+g.everything(object, depth))
		}
		return "{ " + strings.Join(parts, " ") + " }"
	}
	for _, f := range def.Fields {
		if isMeta(f.Name) || g.isHandWritten(def, f) || hasRequired(f) {
			continue
		}
		text := def.Name + "_" + f.Name + ": " + f.Name
		if below := g.schema.Types[f.Type.Name()]; below.IsCompositeType() {
			read := g.design.Field(def.Name, f.Name)
			if depth == 0 || read != nil && read.Result == design.Connection {
				continue
			}
			text += " " + g.everything(below, depth-1)
		}
		parts = append(parts, text)
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

func hasRequired(f *ast.FieldDefinition) bool {
	return slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull })
}
