package check

import (
	"context"
	"iter"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

const (
	// agreement is how many rounds of reads in a row must find the same. The reads of
	// one round are of different moments, and a round during which the item changes
	// does not count. A false violation would need others to write between the same
	// two reads in each round, and to undo it before the end of the round.
	agreement = 4
	// maxRounds limits the rounds on an item that others write to all the time. Those
	// that do not count are among them.
	maxRounds = 20
)

// confirm inspects the item with a key as it is now, in rounds. What one round does
// not find is not wrong. confirmed is false if each round found something, but not
// the same, or the item changed meanwhile.
func (p *pass) confirm(ctx context.Context, key keys.Key) (found []Violation, confirmed bool, err error) {
	type finding struct {
		text   string
		rounds int
	}
	var before map[slot]finding // nil until a round counts
	for round := 1; round <= maxRounds; round++ {
		if pauses := round - agreement - 1; pauses > 0 {
			if err := request.Pause(ctx, pauses); err != nil {
				return nil, false, err
			}
		}
		again, changed, err := p.inspectNow(ctx, key)
		if err != nil {
			return nil, false, err
		}
		if changed {
			continue
		}
		if before != nil { // what an earlier round did not find is not wrong
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
	}
	return nil, false, nil
}

// inspectNow inspects the item in one round of reads. If it finds something, it reports
// whether the item changed during the round: a transaction that changes what the item is
// compared with, such as a counted collection, changes the item as well.
func (p *pass) inspectNow(ctx context.Context, key keys.Key) (found []Violation, changed bool, err error) {
	r := p.strong(ctx)
	it := r.Get(key)
	if it == nil || r.err != nil {
		return nil, false, r.err
	}
	found = p.inspector.inspect(it, r)
	if r.err != nil || len(found) == 0 || r.requests == 1 { // one read is of one moment
		return found, false, r.err
	}
	now, err := p.meter.get(ctx, key)
	return found, len(differences(it, now)) > 0, err
}

// strong returns the Reader of a round.
func (p *pass) strong(ctx context.Context) *strongReader {
	return &strongReader{
		items: map[keys.Key]item.Item{},
		get:   func(key keys.Key) (item.Item, error) { return p.meter.get(ctx, key) },
		query: func(q request.Query) (request.Result, error) { return p.meter.query(ctx, q) },
	}
}

// strongReader is the Reader of one round. It reads each item once, and all but
// indexes strongly consistently.
type strongReader struct {
	get   func(keys.Key) (item.Item, error)
	query func(request.Query) (request.Result, error)
	items map[keys.Key]item.Item
	// requests is how many requests were made.
	requests int
	// err is the first error of a read; nothing is read after it.
	err error
}

func (r *strongReader) Get(key keys.Key) item.Item {
	it, known := r.items[key]
	if known || r.err != nil {
		return it
	}
	r.requests++
	it, r.err = r.get(key)
	r.items[key] = it
	return it
}

func (r *strongReader) Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		q := request.Query{Index: index, PK: pk, Prefix: prefix, Consistent: true}
		for r.err == nil {
			r.requests++
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
