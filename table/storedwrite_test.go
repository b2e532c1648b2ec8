package table_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// TestWriteStored: an item becomes exactly what it is said to become, only if it is what it was said to be, and keeps
// what others have added.
func TestWriteStored(t *testing.T) {
	t.Parallel()
	e, raw := tenants(t)
	ctx := request.WithTenant(t.Context(), "acme")
	with := func(it item.Item, name string, v item.Value) item.Item {
		return append(without(it, name), item.Attribute{Name: name, Value: v})
	}
	texts := []item.Value{item.StringValue("x"), item.StringValue("y")}
	first := with(with(tabletest.Stored("A", "1", "GSI1PK", "P", "GSI1SK", "1", "gone", "soon"), "null", item.Value{}),
		"tags", item.ListValue(texts))
	second := with(without(first, "gone"), "tags", item.SetValue(texts))
	third := with(second, "GSI1PK", item.StringValue("Q"))

	write := func(before, after item.Item) error {
		e.Proxy.Reset()
		_, err := e.Table.WriteStored(ctx, before, after)
		if n := e.Proxy.Counts().Total(); n != 1 {
			t.Errorf("%d requests: %v", n, e.Proxy.Log())
		}
		return err
	}
	check := func(want ...item.Item) {
		t.Helper()
		got := must(e.Table.QueryStored(ctx, request.Query{PK: "A", Consistent: true})).Items
		if len(got) != len(want) || len(got) > 0 && !isSame(got[0], want[0]) {
			t.Errorf("stored %v, want %v", got, want)
		}
	}
	fatal.If(t, write(nil, first))
	check(first)
	if got := storedKeys(t, raw, "GSI1", "acme#P"); !slices.Equal(got, []string{"acme#A 1"}) {
		t.Errorf("in the index of the tenant: %v", got)
	}
	fatal.If(t, write(first, second))
	check(second)
	if tags, _ := must(e.Table.QueryStored(ctx, request.Query{PK: "A"})).Items[0].Find("tags"); !tags.IsSet() {
		t.Errorf("the List has not become a set: %v", tags)
	}
	fatal.If(t, write(second, third))
	check(third)
	for _, change := range [][2]item.Item{{nil, first}, {second, third}, {second, nil}, {first, third}} {
		if err := write(change[0], change[1]); !errors.Is(err, table.ErrChanged) {
			t.Errorf("%v: got %v", change, err)
		}
	}
	check(third)
	added := with(third, "added", item.StringValue("by another"))
	fatal.If(t, write(third, added))
	fatal.If(t, write(third, with(third, "more", item.BoolValue(true))))
	check(with(added, "more", item.BoolValue(true)))
	fatal.If(t, write(third, nil))
	check()

	_, err := raw.Table.WriteStored(t.Context(), nil, tabletest.Stored(stored.LeasePK, "LEASE#0"))
	if _, is := errors.AsType[*keys.InputError](err); !is {
		t.Errorf("a reserved key: got %v", err)
	}
}

// isSame reports whether two items have the same attributes.
func isSame(a, b item.Item) bool { return item.FieldsValue(a).Equal(item.FieldsValue(b)) }

// without returns an item without an attribute.
func without(it item.Item, name string) item.Item {
	return slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return a.Name == name })
}
