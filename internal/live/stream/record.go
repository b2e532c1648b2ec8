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
	all, changes := make([]live.Change, len(records)), make([]*live.Change, 0, len(records))
	for i, one := range records {
		if !layout.IsReserved(one.stored()) {
			one.fill(&all[i], &s, layout)
			changes = append(changes, &all[i])
		}
	}
	return changes
}
