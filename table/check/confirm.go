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
	// agreement is how many rounds of reads in a row must find the same. The reads
	// of one round are of different moments; that others write between the same two
	// reads each time, and undo it in between, is what could deceive.
	agreement = 4
	// maxRounds bounds the rounds on an item that others write to all the time.
	maxRounds = 20
)

// confirm inspects the item with a key as it is now, in rounds. What one round
// does not find is right. settled is false when something was found in each, but
// never the same.
func (p *pass) confirm(ctx context.Context, key keys.Key) (found []Violation, settled bool, err error) {
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
		if round > 1 { // what the rounds before did not find is right
			again = slices.DeleteFunc(again, func(v Violation) bool { return before[v.slot()].rounds == 0 })
		}
		now := map[slot]finding{}
		settled := true
		for _, v := range again {
			f := finding{text: v.finding(), rounds: 1}
			if old := before[v.slot()]; old.text == f.text {
				f.rounds += old.rounds
			}
			now[v.slot()] = f
			settled = settled && f.rounds >= agreement
		}
		if settled {
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

// inspectNow is one round.
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

// strongReader is the Reader of one round: strongly consistent, but for indexes,
// and each item once.
type strongReader struct {
	get   func(keys.Key) (item.Item, error)
	query func(request.Query) (request.Result, error)
	items map[keys.Key]item.Item
	// err is the first failure of a read; nothing is read after it.
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
