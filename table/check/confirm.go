package check

import (
	"context"
	"iter"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

const (
	// agreement is how many consecutive rounds of reads must find the same. The reads
	// of one round are of different moments. A false violation would need others to
	// write between the same two reads in each round, and to undo it in between.
	agreement = 4
	// maxRounds limits the rounds on an item that others write to all the time.
	maxRounds = 20
)

// confirm inspects the item with a key as it is now, in rounds. What one round does
// not find is not wrong. confirmed is false if each round found something, but not
// the same.
func (p *pass) confirm(ctx context.Context, key keys.Key) (found []Violation, confirmed bool, err error) {
	type finding struct {
		text   string
		rounds int
	}
	before := map[slot]finding{}
	for round := 1; round <= maxRounds; round++ {
		again, err := p.inspectNow(ctx, key)
		if err != nil {
			return nil, false, err
		}
		if round > 1 { // what an earlier round did not find is not wrong
			again = slices.DeleteFunc(again, func(v Violation) bool { return before[v.slot()].rounds == 0 })
		}
		now := map[slot]finding{}
		agreed := true
		for _, v := range again {
			f := finding{text: v.finding(), rounds: 1}
			if old := before[v.slot()]; old.text == f.text {
				f.rounds += old.rounds
			}
			now[v.slot()] = f
			agreed = agreed && f.rounds >= agreement
		}
		if agreed {
			return again, true, nil
		}
		before = now
		if round > agreement {
			if err := request.Pause(ctx, round-agreement); err != nil {
				return nil, false, err
			}
		}
	}
	return nil, false, nil
}

// inspectNow inspects the item in one round of reads.
func (p *pass) inspectNow(ctx context.Context, key keys.Key) ([]Violation, error) {
	r := &strongReader{items: map[keys.Key]item.Item{}}
	r.get = func(key keys.Key) (item.Item, error) { return p.meter.get(ctx, key) }
	r.query = func(q request.Query) (request.Result, error) { return p.meter.query(ctx, q) }
	it := r.Get(key)
	if it == nil || r.err != nil {
		return nil, r.err
	}
	found := p.inspector.inspect(it, r)
	return found, r.err
}

// strongReader is the Reader of one round. It reads each item once, and all but
// indexes strongly consistently.
type strongReader struct {
	get   func(keys.Key) (item.Item, error)
	query func(request.Query) (request.Result, error)
	items map[keys.Key]item.Item
	// err is the first error of a read; nothing is read after it.
	err error
}

func (r *strongReader) Get(key keys.Key) item.Item {
	it, known := r.items[key]
	if known || r.err != nil {
		return it
	}
	it, r.err = r.get(key)
	r.items[key] = it
	return it
}

func (r *strongReader) Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		q := request.Query{Index: index, PK: pk, Prefix: prefix, Consistent: true}
		for r.err == nil {
			var result request.Result
			if result, r.err = r.query(q); r.err != nil {
				return
			}
			for _, it := range result.Items {
				if !yield(it) {
					return
				}
			}
			if q.Start = result.Last; q.Start.IsZero() {
				return
			}
		}
	}
}
