package stream

import (
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// record is a record of the stream, with items as they are stored.
type record struct {
	shard, sequence string
	at              time.Time
	// old and new are nil if the item did not exist.
	old, new item.Item
	// change is set as soon as the record has become one; old and new are not used then.
	change *live.Change
	// isReserved is set for an item that belongs to no type.
	isReserved bool
}

// stored returns an image of the item, for its key.
func (r *record) stored() item.Item {
	if r.new != nil {
		return r.new
	}
	return r.old
}

// fill sets the change to the record as the design has it. The record must not be used afterwards.
func (r *record) fill(c *live.Change, s *table.Schema, layout *stored.Layout) {
	stored := r.stored()
	c.At, c.Shard, c.Sequence = r.at, r.shard, r.sequence
	var tenant keys.Tenant
	switch {
	case s.Owner != nil:
		tenant, c.Tenant = s.Owner.Prefix, s.Owner.Name
	case s.Tenants:
		if of, found := s.TenantOf(stored); found {
			tenant, c.Tenant = of, layout.TenantName(of)
		}
	}
	c.Key = layout.KeyOf(stored)
	c.Key.PK = tenant.Cut(c.Key.PK)
	c.Old, c.New = image(r.old, s, tenant), image(r.new, s, tenant)
}

// image returns an image of an item as the design has it, nil for none.
func image(it item.Item, s *table.Schema, tenant keys.Tenant) item.Item {
	if it == nil {
		return nil
	}
	if tenant != "" {
		one := []item.Item{it}
		s.FromTenant(tenant, one)
		it = one[0]
	}
	return s.Design.FromStored(it)
}

// changesOf returns the records as the design has them, except those of leases.
func changesOf(s table.Schema, records []*record) []*live.Change {
	layout := s.Layout()
	var all []live.Change
	changes := make([]*live.Change, 0, len(records))
	for i, one := range records {
		switch {
		case one.change != nil:
			changes = append(changes, one.change)
		case !one.isReserved && !layout.IsReserved(one.stored()):
			if all == nil {
				all = make([]live.Change, len(records)-i)
			}
			c := &all[len(records)-1-i]
			one.fill(c, &s, layout)
			changes = append(changes, c)
		}
	}
	return changes
}
