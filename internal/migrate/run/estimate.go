package run

import (
	"context"
	"errors"
	"iter"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// Estimate is what a migration would do.
type Estimate struct {
	Parts []migrate.Part `json:"parts"`
	// Items is how many items the table has, by its statistics, which DynamoDB updates every six hours, or by the sample
	// if that is the whole table.
	Items int `json:"items"`
	// Sampled is how many items were read for the estimate.
	Sampled int    `json:"sampled"`
	Steps   []Step `json:"steps"`
	// Hot are the partition keys of the table and of its indexes that have a great part of all items then.
	Hot []HotKey `json:"hot,omitempty"`
	// Unfollowed is why other programs cannot be followed, "" if they can, and Fix the command that changes it.
	Unfollowed string `json:"unfollowed,omitempty"`
	Fix        string `json:"fix,omitempty"`
}

// Units returns the units of the steps of `migrate run`, or with finish of that.
func (e Estimate) Units(finish bool) (read, written float64) {
	for _, s := range e.Steps {
		if s.IsFinish == finish {
			read, written = read+s.ReadUnits, written+s.WriteUnits
		}
	}
	return read, written
}

// Compare returns what differs in what two versions store, and the mutations that write too much meanwhile.
func Compare(from, to migrate.Version) migrate.Difference {
	d := migrate.Compare(from, to)
	if d.NeedsMigration() {
		d.Parts = append(d.Parts, follow.TooLarge(from, to)...)
	}
	return d
}

// Plan estimates a migration from a version to another one, from the statistics of the table and a sample of its items.
// It writes nothing.
func Plan(ctx context.Context, t *table.Table, from, to migrate.Version) (Estimate, error) {
	p := pair{t, from, to}
	all, err := itemCount(ctx, t)
	if err != nil {
		return Estimate{}, err
	}
	s, err := p.sample(ctx, p.ofTable(ctx, all))
	if err != nil {
		return Estimate{}, err
	}
	if s.isAll || all < s.items {
		all = s.items
	}
	e := s.estimate(from, to, all)
	if unsuitable, is := errors.AsType[*stream.Unsuitable](stream.Check(ctx, t)); is {
		e.Unfollowed, e.Fix = unsuitable.Reason(), unsuitable.Fix()
	}
	return e, nil
}

// PlanOf is Plan for a table without tenants that has these items, as they are stored. The first ones are its sample.
func PlanOf(ctx context.Context, items iter.Seq2[item.Item, error], from, to migrate.Version) (Estimate, error) {
	page, stored, all, bytes := request.Result{}, map[keys.Key]item.Item{}, 0, 0
	for it, err := range items {
		if err != nil {
			return Estimate{}, err
		}
		if all++; all <= sampleItems {
			page.Items = append(page.Items, it)
			stored[from.Layout.KeyOf(it)] = it
			bytes += it.Size()
		}
	}
	page.ReadUnits = capacity.Get(bytes, false)
	follower := follow.New(migrate.Filling, from, to)
	s, err := pair{from: from, to: to}.sample(ctx, source{
		pages: func(yield func(samplePage, error) bool) { yield(samplePage{page, true}, nil) },
		preview: func(ctx context.Context, w write.Transaction) (table.Preview, error) {
			return table.PreviewOf(ctx, table.SchemaOf(from.Design), follower, stored, w)
		},
	})
	return s.estimate(from, to, all), err
}

// estimate returns what the sample says of a table with so many items.
func (s *sampled) estimate(from, to migrate.Version, items int) Estimate {
	difference := Compare(from, to)
	e := Estimate{Parts: difference.Parts, Items: items, Sampled: s.items, Hot: s.hot()}
	if s.items > 0 {
		s.factor = float64(items) / float64(s.items)
	}
	for _, p := range difference.Parts {
		if p.Kind == migrate.TableIndex && p.Change == migrate.New {
			e.Steps = append(e.Steps, Step{What: "create index " + p.Name + ", which DynamoDB fills from what is stored"})
		}
	}
	e.Steps = append(e.Steps, s.steps(difference, makesUnique(from, to))...)
	return e
}
