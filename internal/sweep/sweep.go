package sweep

import (
	"context"
	"errors"

	"github.com/partita/partita/write"
)

// pageItems is how many items of the list are read at once.
const pageItems = 100

// Sweep removes all deleted objects, oldest deletion first, until none is left or the context ends. It ends between two
// steps only, and then returns the context's error. If an object cannot be removed, it continues with the next and
// finally returns the DamageErrors. Other errors are those of requests to the table.
func (s *Sweeper) Sweep(ctx context.Context) (Totals, error) {
	r := &run{Sweeper: s, totals: Totals{Removed: map[string]int{}}}
	ctx = write.NewContext(ctx, r)
	for {
		listed := r.listed
		err := r.pass(ctx)
		if err != nil && !isDamage(err) || r.listed == listed {
			return r.totals, err
		}
	}
}

// pass goes through the list once. What is below an object may have been added to it afterwards.
func (r *run) pass(ctx context.Context) error {
	var damaged []error
	for page := (write.Range{PK: write.DeletionsPK, Limit: pageItems}); ; {
		items, next, err := r.ReadRange(ctx, page)
		if err != nil {
			return err
		}
		for _, it := range items {
			if err := r.remove(ctx, it); isDamage(err) {
				damaged = append(damaged, err)
			} else if err != nil {
				return err
			}
		}
		if page.Start = next; next.IsZero() {
			return errors.Join(damaged...)
		}
	}
}
