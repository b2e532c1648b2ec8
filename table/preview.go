package table

import (
	"context"
	"time"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Preview is what a table with a Follower would write.
type Preview struct {
	// Writes is how many items would change.
	Writes int
	// WriteUnits are those of the whole transaction, conditions included.
	WriteUnits float64
	// Read is what has been read to know it, and ReadUnitsAfter what the same reads consume afterwards.
	Read           request.Result
	ReadUnitsAfter float64
	// Bytes are how many the items have more then.
	Bytes int
}

// Preview returns what a transaction would write, and sends nothing but reads. The error is that of the Follower.
func (t *Table) Preview(ctx context.Context, w write.Transaction) (Preview, error) {
	var p Preview
	b, err := t.border(ctx)
	if err != nil {
		return p, err
	}
	if w, err = b.stored(w); err != nil {
		return p, err
	}
	return preview(ctx, t.follower, t.following(b, w.Actions, &p.Read), &p)
}

// PreviewOf returns what Preview would return of a table without tenants that has these items, by their stored keys.
func PreviewOf(
	ctx context.Context, s Schema, f Follower, items map[keys.Key]item.Item, w write.Transaction,
) (Preview, error) {
	var p Preview
	b := border{schema: s}
	w, err := b.stored(w)
	if err != nil {
		return p, err
	}
	return preview(ctx, f, Following{Own: View{b}, Actions: w.Actions, Now: time.Now(),
		Items: func(_ context.Context, all []keys.Key) (map[keys.Key]item.Item, error) {
			found := map[keys.Key]item.Item{}
			for _, key := range all {
				if it := items[key]; it != nil {
					found[key] = it
				}
				p.Read.ReadUnits += capacity.Get(items[key].Size(), true)
			}
			return found, nil
		}}, &p)
}

// preview adds what a transaction would write to what has been read for it.
func preview(ctx context.Context, f Follower, of Following, p *Preview) (Preview, error) {
	followed, err := f.Follow(ctx, of)
	if err != nil {
		return *p, err
	}
	p.ReadUnitsAfter = p.Read.ReadUnits
	for _, one := range followed {
		p.WriteUnits += float64(one.Units)
		p.Bytes += one.Bytes
		raw := one.Raw
		switch {
		case raw == nil:
		case raw.Kind == write.ActionPut:
			p.Writes++
			p.ReadUnitsAfter += capacity.Get(raw.Item.Size(), true) - capacity.Get(0, true)
		case raw.Kind == write.ActionDelete, len(raw.Set)+len(raw.Remove)+len(raw.Add) > 0:
			p.Writes++
		}
	}
	return *p, nil
}
