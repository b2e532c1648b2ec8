package design_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func TestTypeKey(t *testing.T) {
	ticket := &design.Type{
		Name:       "Ticket",
		Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind, Ref: "Ticket", NonNull: true}},
		Identity:   []string{"id"},
		Item:       shape("TICKET#{id}", "TICKET#{id}"),
	}
	key, err := ticket.Key(keys.Values{{Name: "id", Value: keys.IDValue(keys.NewID("Ticket", "t1"))}}.Get)
	if err != nil || key != (keys.Key{PK: "TICKET#t1", SK: "TICKET#t1"}) {
		t.Errorf("got %v, %v", key, err)
	}
	_, err = ticket.Key(keys.Values{{Name: "id", Value: keys.IDValue(keys.NewID("Queue", "t1"))}}.Get)
	if err == nil || err.Error() != "id must be the id of a Ticket" {
		t.Errorf("the id of another type gave %v", err)
	}
}

func TestIsKeyOnly(t *testing.T) {
	stored := item.Item{{Name: keys.AttributePK, Value: item.StringValue("TICKET#t1")}}
	if keys.IsKeyOnly(stored) || !keys.IsKeyOnly(item.Item{{Name: "id", Value: item.StringValue("t1")}}) {
		t.Error("an item is partial exactly when it has no PK")
	}
}
