package stream_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// TestAllKindsOfKeys: a change of a table with a Number as a key, or without a sort key, has the key of its item.
// Leases and the item of the replicas that divide the stream have keys of the same kinds, are no changes, and the next
// reader continues where the one before was stopped.
func TestAllKindsOfKeys(t *testing.T) {
	store := storetest.Start(t)
	for _, k := range tabletest.KeyTables() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			schema := table.SchemaOf(k.Design)
			schema.Stream = true
			e := tabletest.Start(t, schema)
			r := read(t, e.Table, stream.Options{})
			e.LoadLines(t, strings.NewReader(k.Lines))
			r.awaitCurrent(t)
			var want []string
			for _, key := range k.Keys {
				want = append(want, shown(k, k.Key(t, key)))
			}
			slices.Sort(want)
			if got := changed(k, r.sink); !slices.Equal(got, want) {
				t.Errorf("changes of %q, want %q", got, want)
			}
			for _, c := range r.changes {
				if c.Old != nil || keys.KeyOf(c.New) != c.Key || c.New.Type() == "" && !strings.Contains(shown(k, c.Key), "EMAIL") {
					t.Errorf("the change is %+v", c)
				}
			}
			r.stop()
			first := k.Key(t, k.Keys[0])
			_, _, err := table.Call(t.Context(), e.Table, e.Table.Client().DeleteItem, &dynamodb.DeleteItemInput{
				TableName: aws.String(e.Table.Name()), Key: attribute.FromKey(k.Design.Layout, first),
			})
			fatal.If(t, err)
			again := read(t, e.Table, stream.Options{})
			again.awaitCurrent(t)
			if got := changed(k, again.sink); !slices.Equal(got, []string{shown(k, first)}) || again.changes[0].New != nil {
				t.Errorf("after the start of another reader: %q", got)
			}
			wantItem(t, e, k.Design.Layout.LeaseKey(0), "holder")
			again.stop()
			sharing := read(t, e.Table, withStore(t, store))
			sharing.stop()
			wantItem(t, e, k.Design.Layout.ReadersKey(), "position")
			if got := changed(k, sharing.sink); len(got) > 0 {
				t.Errorf("items of the table itself are changes: %q", got)
			}
		})
	}
}

// wantItem reports an error unless the table has an item with an attribute.
func wantItem(t *testing.T, e *tabletest.Engine, key keys.Key, name string) {
	t.Helper()
	out, _, err := table.Call(t.Context(), e.Table, e.Table.Client().GetItem, &dynamodb.GetItemInput{
		TableName: aws.String(e.Table.Name()), Key: attribute.FromKey(e.Table.Schema().Layout(), key),
	})
	if err != nil || attribute.Text(out.Item, name) == "" {
		t.Errorf("the item is %v, %v", out.Item, err)
	}
}

func shown(k tabletest.KeyTable, key keys.Key) string {
	pk, sk := k.Design.Layout.ShowKey(key)
	return strings.TrimSpace(pk + " " + sk)
}

// changed returns the keys of the changes, in order.
func changed(k tabletest.KeyTable, s *sink) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, c := range s.changes {
		all = append(all, shown(k, c.Key))
	}
	slices.Sort(all)
	return all
}
