package write_test

import (
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestReservedKeyIsAUserError: whose values make a key of the engine is told so, whatever they want to do, and nothing
// is stored under it.
func TestReservedKeyIsAUserError(t *testing.T) {
	t.Parallel()
	d := design.MustDesign(nil, []*design.Type{{
		Name: "Note", Identity: []string{"scope", "name"}, MaxBytes: 1024, Item: shape("{scope}#{name}", "LEASE#0"),
		Attributes: []design.Attribute{
			{Name: "scope", Kind: keys.String, NonNull: true}, {Name: "name", Kind: keys.String, NonNull: true},
			{Name: "holder", Kind: keys.String},
		},
		Copies: []design.Copy{{Shape: shape("{holder}#{name}", "LEASE#1")}},
	}}, nil).WithMutations([]*design.Mutation{
		{Name: "createNote", Type: "Note", Inputs: []string{"scope", "name", "holder"}},
		{Name: "updateNote", Kind: design.UpdateMutation, Type: "Note", Inputs: []string{"holder"}, HasID: true},
		{Name: "deleteNote", Kind: design.DeleteMutation, Type: "Note", HasID: true},
	}, nil)
	e := tabletest.Start(t, table.SchemaOf(d))
	ctx := write.NewContext(t.Context(), store{e.Table})
	const reserved = "-: INVALID these values together are a key that is reserved: choose others"
	lease := keys.NewID("Note", "PARTITA", "LIVE")
	for _, step := range []struct {
		mutation string
		in       write.Input
		want     string
	}{
		{"createNote", given("scope", "PARTITA", "name", "LIVE", "holder", "eve"), reserved},
		{"createNote", given("scope", "a", "name", "LIVE", "holder", "PARTITA"), reserved},
		{"createNote", given("scope", "a", "name", "LIVE", "holder", "eve"), ""},
		{"updateNote", of(keys.NewID("Note", "a", "LIVE"), 0, given("holder", "PARTITA")), reserved},
		{"updateNote", of(lease, 0, given("holder", "eve")), "id: NOT_FOUND there is no Note with this id"},
		{"deleteNote", of(lease, 0, write.Input{}), "id: NOT_FOUND there is no Note with this id"},
	} {
		out, err := write.Mutate(ctx, d, d.Mutation(step.mutation), step.in)
		if got := userErrors(out); err != nil || got != step.want || got == reserved && (out.ID != "" || out.Object != nil) {
			t.Errorf("%s: %s, %v, %+v", step.mutation, got, err, out)
		}
	}
	if got := rows(t, e); len(got) != 2 {
		t.Errorf("the table has %v", got)
	}
}
