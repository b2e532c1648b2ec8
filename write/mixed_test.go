package write_test

import (
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestCreateUnderTheKeyOfAnotherType: an object whose key an object of another type has is not created, and the other
// one is not in the answer.
func TestCreateUnderTheKeyOfAnotherType(t *testing.T) {
	t.Parallel()
	layout := &stored.Layout{PK: keys.Named("Id"), Type: "category", Delimiter: "#"}
	var types []*design.Type
	var mutations []*design.Mutation
	for _, name := range []string{"Book", "Bicycle"} {
		types = append(types, &design.Type{
			Name: name, Item: keys.Shape{PK: keys.MustTemplate("{number}")}, Identity: []string{"number"},
			MaxBytes:   1024,
			Attributes: []design.Attribute{{Name: "number", Kind: keys.Int, Stored: "Id", NonNull: true}},
		})
		mutations = append(mutations, &design.Mutation{
			Name: "create" + name, Kind: design.CreateMutation, Type: name, Inputs: []string{"number"},
		})
	}
	design := design.MustDesign(layout, types, nil).WithMutations(mutations, nil)
	m := &members{tabletest.Start(t, table.SchemaOf(design))}
	number := item.Item{{Name: "number", Value: item.NumberValue(7)}}
	for _, want := range []struct{ mutation, errors, id string }{
		{"createBook", "", "Book"},
		{"createBook", "number: ALREADY this Book exists already", "Book"},
		{"createBicycle", "number: ALREADY an object of another type has this key already", ""},
	} {
		out := must(write.Mutate(m.operation(t), design, design.Mutation(want.mutation), write.Input{Set: number}))
		if got := userErrors(out); got != want.errors || out.ID.Type() != want.id ||
			(out.Object == nil) != (want.id == "") {
			t.Errorf("%s: %q, %v, %v", want.mutation, got, out.ID, out.Object)
		}
	}
}

// TestUpdateOfTypesWithEqualKeys: an action has the names of its own type, also if another type may have the key and
// has another name for the attribute.
func TestUpdateOfTypesWithEqualKeys(t *testing.T) {
	t.Parallel()
	var types []*design.Type
	for name, stored := range map[string]string{"Book": "Title", "Bicycle": "BrandName"} {
		types = append(types, &design.Type{
			Name: name, Item: keys.Shape{PK: keys.MustTemplate("{number}")}, Identity: []string{"number"},
			MaxBytes: 1024,
			Attributes: []design.Attribute{
				{Name: "number", Kind: keys.Int, Stored: "Id", NonNull: true}, {Name: "title", Kind: keys.String,
					Stored: stored},
			},
		})
	}
	design := design.MustDesign(&stored.Layout{PK: keys.Named("Id"), Type: "category", Delimiter: "#"}, types, nil)
	e := tabletest.Start(t, table.SchemaOf(design))
	for i, name := range []string{"Book", "Bicycle"} {
		stored := func(title string) []item.Item {
			items := must(write.Items(design.Type(name), item.Item{
				{Name: item.EntityType, Value: item.StringValue(name)}, {Name: "number", Value: item.NumberValue(i)},
				{Name: "title", Value: item.StringValue(title)},
			}))
			return items
		}
		first, second := stored("a"), stored("b")
		update := must(write.Update(design, first, second, write.IfEquals("title", item.StringValue("a"))))
		remove := write.Delete(design, second)
		remove[0].If = append(remove[0].If, write.IfEquals("title", item.StringValue("b")))
		for _, actions := range [][]write.Action{write.Create(design, first), update, remove} {
			if _, err := e.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: actions}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
