package write_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// drawers is a design of a table of another program: objects whose owner is in keys only, in that of the item and in
// that of an index; and objects whose owner the other program has left out of the attributes.
var drawers = func() *design.Design {
	var types []*design.Type
	var mutations []*design.Mutation
	for _, t := range []*design.Type{
		{
			Name: "Memo", Identity: []string{"userId", "id"}, Item: shapeOf("memo#{userId}", "{id}"),
			Attributes: []design.Attribute{
				{Name: "userId", Kind: keys.String, NonNull: true, InKeys: true}, {Name: "id", Kind: keys.String, NonNull: true},
			},
		},
		{
			Name: "Page", Identity: []string{"id"}, Item: shapeOf("page#{id}", "page#"),
			Attributes: []design.Attribute{
				{Name: "userId", Kind: keys.String, InKeys: true}, {Name: "id", Kind: keys.String, NonNull: true},
			},
			Indexes: []design.Index{{Name: "gsi1", Shards: 1, Shape: shapeOf("owner#{userId}", "page#{id}")}},
		},
		{
			Name: "Card", Identity: []string{"id"}, Item: shapeOf("card#{id}", "card#"),
			Attributes: []design.Attribute{
				{Name: "userId", Kind: keys.String}, {Name: "id", Kind: keys.String, NonNull: true},
			},
			Indexes: []design.Index{{Name: "gsi1", Shards: 1, Shape: shapeOf("owner#{userId}", "card#{id}")}},
		},
		{
			Name: "Slip", Identity: []string{"id"}, Item: shapeOf("slip#{id}", "slip#"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.String, NonNull: true}, {Name: "color", Kind: keys.String},
				{Name: "label", Kind: keys.String, InKeys: true},
			},
			Indexes: []design.Index{{Name: "gsi1", Shards: 1, Shape: shapeOf("label#{label}#{color}", "{id}")}},
		},
	} {
		t.MaxBytes = 1024
		types = append(types, t)
		mutations = append(mutations, &design.Mutation{
			Name: "delete" + t.Name, Kind: design.DeleteMutation, Type: t.Name, HasID: true, Owner: "userId",
		})
	}
	mutations = append(mutations, &design.Mutation{
		Name: "updateSlip", Kind: design.UpdateMutation, Type: "Slip", Inputs: []string{"color", "label"}, HasID: true,
	})
	return design.MustDesign(library.Layout, types, nil).WithMutations(mutations, nil)
}()

// TestDeleteOwnOnly: who may delete own objects only deletes no other, wherever an object has its owner.
func TestDeleteOwnOnly(t *testing.T) {
	t.Parallel()
	m := &members{tabletest.Start(t, table.SchemaOf(drawers))}
	for _, row := range []string{
		"pk=memo#ada sk=m1 id=m1 type=Memo", "pk=memo#ada sk=m2 type=Memo",
		"pk=page#p1 sk=page# id=p1 type=Page gsi1pk=owner#ada gsi1sk=page#p1",
		"pk=card#c1 sk=card# id=c1 type=Card gsi1pk=owner#ada gsi1sk=card#c1",
		"pk=card#c2 sk=card# id=c2 userId=ada type=Card gsi1pk=owner#ada gsi1sk=card#c2",
	} {
		put1(t, m.Engine, row)
	}
	all := rows(t, m.Engine)
	for i, id := range []keys.ID{
		keys.NewID("Memo", "ada", "m1"), keys.NewID("Memo", "ada", "m2"), keys.NewID("Page", "p1"), keys.NewID("Card", "c1"),
		keys.NewID("Card", "c2"),
	} {
		for _, by := range []string{"eve", "ada"} {
			mutation := drawers.Mutation("delete" + id.Type())
			out := must(write.Mutate(m.operation(t), drawers, mutation, write.Input{ID: id, Owner: by}))
			left := len(all) - i
			if by == "ada" {
				left--
			}
			if got := rows(t, m.Engine); out.Any() != (by == "eve") || len(got) != left {
				t.Errorf("%s by %s: %s, and left are %q", id, by, userErrors(out), got)
			}
		}
	}
}

// TestDeleteWhatIsMeant: an item whose key is that of an object, but which is another one, is not deleted.
func TestDeleteWhatIsMeant(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.SchemaOf(library))
	const red = "__edb_v__=%s b=true n=2 pk=$app#team_red team sk=$task_1#taskid_t1 taskId=T1 team=Red Team type=task"
	for _, version := range []string{"1", "2"} {
		put1(t, e, fmt.Sprintf(red, version))
		before := rows(t, e)
		for _, id := range []string{"t1", "T1"} {
			if id == "T1" && version == "1" {
				continue
			}
			run(t, e, "", "deleteTask", write.Input{ID: keys.NewID("Task", "Red Team", id)}, "NOT_FOUND", nil)
			if after := rows(t, e); !slices.Equal(before, after) {
				t.Errorf("%s, version %s: left are %q", id, version, after)
			}
		}
	}
}

// TestKeyOnlyValueThatChangesBetween: what another program changes in a key between the read and the write of an update
// counts, although there is no attribute with it.
func TestKeyOnlyValueThatChangesBetween(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.SchemaOf(drawers))
	const slip = "color=%s gsi1pk=label#%s#%[1]s gsi1sk=s1 id=s1 pk=slip#s1 sk=slip# type=Slip"
	put1(t, e, fmt.Sprintf(slip, "red", "a"))
	s := &interrupted{store{e.Table}, 1, func() { put1(t, e, fmt.Sprintf(slip, "red", "b")) }}
	in := of(keys.NewID("Slip", "s1"), 0, given("color", "blue"))
	out, err := write.Mutate(write.NewContext(t.Context(), s), drawers, drawers.Mutation("updateSlip"), in)
	if err != nil || out.Any() || out.Object.Text("label") != "b" {
		t.Errorf("%s, %v, %v", userErrors(out), err, out.Object)
	}
	if got, want := rows(t, e), fmt.Sprintf(slip, "blue", "b"); len(got) != 1 || got[0] != want {
		t.Errorf("stored is %q, want %q", got, want)
	}
}
