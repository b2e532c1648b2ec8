package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"hash"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/item"
)

const (
	// agreement is how many rounds of reads in a row must have read the same. The
	// reads of one round are of different moments; that changes undo each other in
	// between, twice, in the same places, is what could deceive.
	agreement = 3
	// maxRounds bounds the rounds on an item that others write to all the time.
	maxRounds = 40
)

// confirm inspects the item with a key as it is now. settled is false when what
// was read changed from round to round.
func (p *pass) confirm(ctx context.Context, key keys.Key) (found []Violation, settled bool, err error) {
	var before []byte
	for round, agreed := 1, 0; round <= maxRounds; round++ {
		r := &strongReader{meter: p.meter, items: map[keys.Key]item.Item{}, digest: sha256.New()}
		r.get = func(key keys.Key) (item.Item, error) { return p.meter.get(ctx, key) }
		r.query = func(q table.Query) (table.Result, error) { return p.meter.query(ctx, q) }
		it := r.Get(key)
		found = nil
		if it != nil {
			found = p.inspector.inspect(it, r)
		}
		if r.err != nil || len(found) == 0 {
			return nil, true, r.err
		}
		now := r.digest.Sum(nil)
		if !bytes.Equal(now, before) {
			before, agreed = now, 0
		}
		if agreed++; agreed == agreement {
			return found, true, nil
		}
		if agreed == 1 && round > 1 {
			if err := pause(ctx, round); err != nil {
				return nil, false, err
			}
		}
	}
	return nil, false, nil
}

// pause waits for table.Backoff, or until the context ends.
func pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(table.Backoff(attempt))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// strongReader is the Reader of one round: strongly consistent, but for indexes,
// and each item once.
type strongReader struct {
	*meter
	get   func(keys.Key) (item.Item, error)
	query func(table.Query) (table.Result, error)
	items map[keys.Key]item.Item
	// digest is of all that was read, in the order of the reads.
	digest hash.Hash
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
	r.note(it)
	return it
}

func (r *strongReader) Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		q := table.Query{Index: index, PK: pk, Prefix: prefix, Consistent: true}
		for r.err == nil {
			var result table.Result
			if result, r.err = r.query(q); r.err != nil {
				return
			}
			for _, it := range result.Items {
				r.note(it)
				if !yield(it) {
					return
				}
			}
			if q.Start = result.Last; q.Start == nil {
				return
			}
		}
	}
}

func (r *strongReader) note(it item.Item) {
	// The attributes come in no order.
	text, err := json.Marshal(sorted(it))
	if err != nil {
		r.err = err
	}
	_, _ = r.digest.Write(append(text, '\n'))
}

func sorted(it item.Item) item.Item {
	it = slices.Clone(it)
	for i := range it {
		it[i].Value.Fields = sorted(it[i].Value.Fields)
	}
	slices.SortFunc(it, func(a, b item.Attribute) int { return strings.Compare(a.Name, b.Name) })
	return it
}
