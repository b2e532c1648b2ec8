package table

import (
	"testing"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/write"
)

// BenchmarkWriteOf measures what is made of the actions of a transaction, before it is encoded: a counter, an object
// that must be new, its copy, and an update of a version.
func BenchmarkWriteOf(b *testing.B) {
	t := &Table{clock: &clock{}}
	of := border{schema: Schema{Design: &design.Design{Layout: stored.DefaultLayout()}}}
	object := item.Item{
		{Name: keys.AttributePK, Value: item.StringValue("ORDER#1")},
		{Name: keys.AttributeSK, Value: item.StringValue("ORDER#1")},
		{Name: "status", Value: item.StringValue("PENDING")},
	}
	key := keys.Key{PK: "USER#1", SK: "USER#1"}
	actions := []write.Action{
		write.Count(key, "orderCount", 1),
		write.PutItem(object, write.IfMissing()),
		write.PutItem(object),
		{
			Kind: write.ActionUpdate, Key: key, If: []write.Precondition{write.IfExists(), write.IfVersion(1)},
			Set: item.Item{{Name: "name", Value: item.StringValue("Ada")}}, Add: []write.Increment{{Name: "version", By: 1}},
		},
	}
	all := make([]wire.Write, len(actions))
	b.ReportAllocs()
	for b.Loop() {
		for i, a := range actions {
			all[i] = t.writeOf(of, a, nil)
		}
	}
}
