package stream

import (
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/live"
	"github.com/partita/partita/table"
)

// record is a record of the stream, with items as they are stored.
type record struct {
	shard, sequence string
	at              time.Time
	// old and new are nil if the item did not exist.
	old, new item.Item
}

// stored returns an image of the item, for its key.
func (r *record) stored() item.Item {
	if r.new != nil {
		return r.new
	}
	return r.old
}

// change returns the record as the design has it. The record must not be used afterwards.
func (r *record) change(s table.Schema) *live.Change {
	stored, layout := r.stored(), s.Layout()
	c := &live.Change{At: r.at, Shard: r.shard, Sequence: r.sequence}
	tenant, found := s.TenantOf(stored)
	if found = found && s.Tenants && !layout.IsLease(stored); found {
		c.Tenant = layout.TenantName(tenant)
	} else {
		tenant = ""
	}
	c.Key = keys.Key{PK: tenant.Cut(keys.PK(stored.Text(layout.PK))), SK: keys.SK(stored.Text(layout.SK))}
	for _, image := range []struct{ from, to *item.Item }{{&r.old, &c.Old}, {&r.new, &c.New}} {
		if *image.from != nil {
			one := []item.Item{*image.from}
			s.FromTenant(tenant, one)
			*image.to = s.Design.FromStored(one[0])
		}
	}
	return c
}
