package check

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// suspects returns the keys of the items that look wrong, or that cannot be
// inspected with what is cheap to read, in their order.
func (p *pass) suspects(ctx context.Context, s share) ([]keys.Key, error) {
	items, at := s.items, newPage(s.items, s.start, s.last)
	at.earlier = earlier{p.earlier, s.tenant}
	looksWrong := make([]bool, len(items))
	undecided := make([]int, len(items))
	for i := range items {
		undecided[i] = i
	}
	for len(undecided) > 0 {
		wanted := map[keys.Key]bool{}
		var inOrder []keys.Key
		var wantedBy []int
		for _, i := range undecided {
			r := &pageReader{page: at}
			found := p.inspector.inspect(items[i], r)
			switch {
			case r.apart:
				looksWrong[i] = true
			case len(r.missing) > 0:
				wantedBy = append(wantedBy, i)
				for _, key := range r.missing {
					if !wanted[key] {
						wanted[key] = true
						inOrder = append(inOrder, key)
					}
				}
			default:
				looksWrong[i] = len(found) > 0
			}
		}
		if err := p.fetch(ctx, at, inOrder); err != nil {
			return nil, err
		}
		undecided = wantedBy
	}
	var suspects []keys.Key
	for i, it := range items {
		at.earlier.Add(keys.KeyOf(it), it)
		if looksWrong[i] {
			suspects = append(suspects, keys.KeyOf(it))
		}
	}
	return suspects, nil
}

// fetch reads the wanted items into the page.
func (p *pass) fetch(ctx context.Context, at *page, wanted []keys.Key) error {
	batches := slices.Collect(slices.Chunk(wanted, request.MaxBatchKeys))
	found := make([][]item.Item, len(batches))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, batch := range batches {
		group.Go(func() error {
			return p.meter.batch(ctx, batch, func(it item.Item) { found[i] = append(found[i], it) })
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, key := range wanted {
		at.items[key] = nil
	}
	for _, it := range slices.Concat(found...) {
		at.items[keys.KeyOf(it)] = it
	}
	for _, key := range wanted { // in this order, so that each run reads the same
		at.earlier.Add(key, at.items[key])
	}
	return nil
}
