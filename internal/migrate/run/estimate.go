package run

import (
	"context"
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// sampleItems is about how many items an estimate reads.
const sampleItems = 4000

// Estimate is what a migration would do.
type Estimate struct {
	Parts []migrate.Part `json:"parts"`
	// Items is how many items the table has, by its statistics, which DynamoDB updates every six hours, or by the sample
	// if that is the whole table.
	Items int `json:"items"`
	// Sampled is how many items were read for the estimate.
	Sampled int    `json:"sampled"`
	Steps   []Step `json:"steps"`
}

// Step is one step of an Estimate.
type Step struct {
	// What is a sentence.
	What string `json:"what"`
	// Items is how many items are written or deleted.
	Items      int     `json:"items"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	// IsFinish is set for a step of `migrate finish`, which cannot be undone.
	IsFinish bool `json:"finish,omitempty"`
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

// sampled are the sums over the objects of a sample.
type sampled struct {
	items, objects, writes         int
	scanUnits, readUnits, writeSum float64
	isAll                          bool
}

// Plan estimates a migration from a version to another one, from the statistics of the table and a sample of its items.
// It writes nothing.
func Plan(ctx context.Context, t *table.Table, from, to migrate.Version) (Estimate, error) {
	difference := migrate.Compare(from, to)
	e := Estimate{Parts: difference.Parts}
	m := &Migrator{table: t, from: from, to: to, record: migrate.Record{State: migrate.Filling}, rate: newLimiter(0)}
	m.progress = newTracker(m, "")
	s, err := m.sample(ctx)
	if err != nil {
		return e, err
	}
	if e.Items, err = itemCount(ctx, t); err != nil {
		return e, err
	}
	e.Sampled = s.items
	if s.isAll || e.Items < s.items {
		e.Items = s.items
	}
	factor := 0.0
	if s.items > 0 {
		factor = float64(e.Items) / float64(s.items)
	}
	times := func(n float64) float64 { return math.Ceil(n * factor) }
	for _, p := range difference.Parts {
		if p.Kind == migrate.TableIndex && p.Change == migrate.New {
			e.Steps = append(e.Steps, Step{What: "create index " + p.Name + ", which DynamoDB fills from what is stored"})
		}
	}
	writes := int(times(float64(s.writes)))
	e.Steps = append(e.Steps,
		Step{What: "write both designs, and fill what is missing", Items: writes,
			ReadUnits: times(s.scanUnits + s.readUnits*2), WriteUnits: times(s.writeSum)},
		Step{What: "prove by reading everything that nothing is missing", ReadUnits: times(s.scanUnits + s.readUnits)},
		Step{What: "remove what only the former design has", Items: writes,
			ReadUnits: times(2*s.scanUnits + s.readUnits), WriteUnits: times(s.writeSum), IsFinish: true})
	return e, nil
}

// itemCount returns how many items a table has, by its statistics.
func itemCount(ctx context.Context, t *table.Table) (int, error) {
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
	if err != nil {
		return 0, t.ExitError(err)
	}
	return int(aws.ToInt64(out.Table.ItemCount)), nil
}

// sample computes what the first pages of the table need. Partitions lie in the order of a hash, so that they are a
// sample of all.
func (m *Migrator) sample(ctx context.Context) (sampled, error) {
	var s sampled
	read := m.by(m.from.Design)
	t := read.WithFollower(follow.New(migrate.Filling, m.from, m.to, nil))
	start := keys.Key{}
	for s.items < sampleItems {
		page, err := (admin.Scanner{Table: read}).Scan(ctx, admin.Scan{Start: start})
		if err != nil {
			return s, err
		}
		s.items += len(page.Items)
		s.scanUnits += page.ReadUnits
		for i, it := range page.Items {
			ctx := ctx
			if page.Tenants != nil {
				ctx = request.WithTenant(ctx, page.Tenants[i])
			}
			if err := m.sampleItem(ctx, t, it, &s); err != nil {
				return s, err
			}
		}
		if start = page.Last.Base; start == (keys.Key{}) {
			s.isAll = true
			break
		}
	}
	return s, nil
}

func (m *Migrator) sampleItem(ctx context.Context, t *table.Table, it item.Item, s *sampled) error {
	typ := m.from.Type(it.Type())
	if typ == nil || !typ.IsBase(keys.KeyOf(it)) {
		return nil
	}
	s.objects++
	preview, err := t.Preview(ctx, touchOf(typ, it))
	if err != nil {
		return err
	}
	s.readUnits += preview.Read.ReadUnits
	if preview.Writes > 0 {
		s.writes += preview.Writes
		s.writeSum += preview.WriteUnits
	}
	return nil
}
