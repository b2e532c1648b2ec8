package table

import (
	"context"

	"github.com/partita/partita/internal/capacity"
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
	followed, err := t.follower.Follow(ctx, t.following(b, w.Actions, &p.Read))
	if err != nil {
		return p, err
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
	return p, nil
}
