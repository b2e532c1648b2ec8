package write_test

import (
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestMutateCreateStoresDefaults: a new object has what nobody may give.
func TestMutateCreateStoresDefaults(t *testing.T) {
	t.Parallel()
	d := design.MustDesign(nil, []*design.Type{{
		Name: "Account", Identity: []string{"id"}, MaxBytes: 1024, Item: shape("ACCOUNT#{id}", "ACCOUNT#{id}"),
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.IDKind, Ref: "Account", NonNull: true},
			{Name: "balance", Kind: keys.Int, NonNull: true, Default: item.NumberValue(0)},
			{Name: "state", Kind: keys.String, NonNull: true, Default: item.StringValue("OPEN")},
		},
		Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("STATE#{state}", "ACCOUNT#{id}")}},
	}}, nil).WithMutations([]*design.Mutation{
		{Name: "createAccount", Type: "Account", Object: "account", Inputs: []string{"state"}},
	}, nil)
	e := tabletest.Start(t, table.SchemaOf(d))
	for _, tt := range []struct {
		in        write.Input
		key, want string
	}{
		{given(), "STATE#OPEN", "balance=0 state=OPEN"},
		{given("state", "CLOSED"), "STATE#CLOSED", "balance=0 state=CLOSED"},
	} {
		out, err := write.Mutate(write.NewContext(t.Context(), store{e.Table}), d, d.Mutation("createAccount"), tt.in)
		if err != nil || out.Any() {
			t.Fatal(err, userErrors(out))
		}
		key, _ := write.ObjectKey(d.Type("Account"), out.ID)
		stored := (&members{e}).stored(t, string(key.PK), string(key.SK))
		if got := describe(out.Object); got != tt.want || stored.Text("GSI1PK") != tt.key || stored.Text("balance") != "0" {
			t.Errorf("created %s, stored %v; want %s", got, stored, tt.want)
		}
	}
}
