package plan

import (
	"errors"
	"reflect"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// shopOrders returns the condition of a connection of orders in one partition.
func shopOrders(t *testing.T) *design.Condition {
	t.Helper()
	shape := keys.Shape{PK: keys.MustTemplate("SHOP"), SK: keys.MustTemplate("ORDER#{at:02}#{id}")}
	field := &design.Field{
		Parent: "Query", Name: "orders", Kind: design.Query, Result: design.Connection,
		PK: keys.MustTemplate("SHOP"), SK: keys.MustTemplate("ORDER#"),
	}
	types := []*design.Type{{Name: "Order", Identity: []string{"id"}, Item: shape}}
	design := design.MustDesign(nil, types, []*design.Field{field})
	none := func(string) keys.Value { return keys.Value{} }
	c, err := design.MustField("Query", "orders").Bind(none).Condition()
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

func TestWindow(t *testing.T) {
	c := shopOrders(t)
	cursor := c.Cursor(0, item.Item{{Name: keys.AttributeSK, Value: item.StringValue("ORDER#03#1")}})
	at := func(sk keys.SK) *design.CursorPosition {
		return &design.CursorPosition{Position: keys.Position{SK: sk}}
	}
	for _, ok := range []struct {
		name   string
		paging Paging
		want   Window
	}{
		{"first", Paging{First: new(20)}, Window{Count: 20}},
		{"first 0", Paging{First: new(0)}, Window{Count: 0}},
		{"first 100", Paging{First: new(100)}, Window{Count: 100}},
		{"after", Paging{After: &cursor}, Window{Count: DefaultPage, Cursor: at("ORDER#03#1")}},
		{"first after", Paging{First: new(3), After: &cursor}, Window{Count: 3, Cursor: at("ORDER#03#1")}},
		{"last", Paging{Last: new(20)}, Window{Count: 20, Backward: true}},
		{"before", Paging{Before: &cursor}, Window{Count: DefaultPage, Backward: true, Cursor: at("ORDER#03#1")}},
	} {
		got, err := ok.paging.Window(c)
		if err != nil || !reflect.DeepEqual(got, ok.want) {
			t.Errorf("%s: %+v, %v, want %+v", ok.name, got, err, ok.want)
		}
	}
	const (
		both    = "give first (with after) to page forwards or last (with before) to page backwards, not both"
		foreign = " is not a cursor of this connection; pass one that it returned for the same arguments, or none"
	)
	for _, bad := range []struct {
		paging            Paging
		argument, message string
	}{
		{Paging{}, "first", "give first or last, from 0 to 100"},
		{Paging{First: new(-1)}, "first", "first must be from 0 to 100"},
		{Paging{First: new(101)}, "first", "first must be from 0 to 100"},
		{Paging{Last: new(-1)}, "last", "last must be from 0 to 100"},
		{Paging{Last: new(101)}, "last", "last must be from 0 to 100"},
		{Paging{First: new(1), Last: new(1)}, "", both},
		{Paging{First: new(1), Before: &cursor}, "", both},
		{Paging{After: &cursor, Last: new(1)}, "", both},
		{Paging{After: &cursor, Before: &cursor}, "", both},
		{Paging{After: new("x")}, "after", "after" + foreign},
		{Paging{Before: new("")}, "before", "before" + foreign},
	} {
		_, err := bad.paging.Window(c)
		var in *keys.InputError
		if !errors.As(err, &in) || in.Argument != bad.argument || in.Message != bad.message {
			t.Errorf("%+v: %v, want of %q: %s", bad.paging, err, bad.argument, bad.message)
		}
	}
}
