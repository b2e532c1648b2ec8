package write_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// doors have a state with ways.
var doors = design.MustDesign(nil, []*design.Type{{
	Name: "Door", Identity: []string{"id"}, MaxBytes: 256, Item: shape("DOOR#{id}", "DOOR#{id}"),
	Attributes: []design.Attribute{
		{Name: "id", Kind: keys.IDKind, Ref: "Door", NonNull: true},
		{Name: "state", Kind: keys.Enum, NonNull: true, Transitions: &design.Transitions{
			Start: []string{"OPEN"},
			Next:  []design.Transition{{From: "OPEN", To: []string{"CLOSED"}}, {From: "CLOSED", To: []string{"OPEN", "LOCKED"}}},
		}},
	},
}}, nil)

// TestTransitionsOfActions: Go that writes actions of its own cannot take another way either, nor one from a value that
// has changed meanwhile.
func TestTransitionsOfActions(t *testing.T) {
	t.Parallel()
	ctx := write.NewContext(t.Context(), store{tabletest.Start(t, table.SchemaOf(doors)).Table})
	door := func(state string) []item.Item {
		return must(write.Items(doors.Type("Door"), item.Item{
			{Name: "id", Value: keys.IDAttribute(keys.NewID("Door", "d"))}, {Name: "state", Value: item.StringValue(state)},
		}))
	}
	commit := func(actions []write.Action) (*write.Failure, error) {
		var tx write.Transaction
		tx.Add("door", actions...)
		return tx.Commit(ctx, "door")
	}
	illegal := new(*write.TransitionError)
	if _, err := commit(write.Create(doors, door("LOCKED"))); !errors.As(err, illegal) ||
		(*illegal).Message != "a Door begins as OPEN, not as LOCKED" {
		t.Errorf("created locked: %v", err)
	}
	if failed, err := commit(write.Create(doors, door("OPEN"))); failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	if _, err := write.Update(doors, door("OPEN"), door("LOCKED")); !errors.As(err, illegal) {
		t.Errorf("locked while it was open: %v", err)
	}
	var errs write.UserErrors
	isAdded := errs.AddInput("", *illegal)
	if e := errs.List()[0]; !isAdded || e.Code != write.CodeIllegalTransition || *e.Field != "state" {
		t.Errorf("the user error is %+v", e)
	}
	failed, err := commit(must(write.Update(doors, door("CLOSED"), door("LOCKED"))))
	if !failed.Part("door") || err != nil {
		t.Errorf("locked as if it were closed: %v, %v", failed, err)
	}
	if failed, err := commit(must(write.Update(doors, door("OPEN"), door("CLOSED")))); failed != nil || err != nil {
		t.Errorf("closed: %v, %v", failed, err)
	}
}
