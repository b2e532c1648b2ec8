package run

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/table"
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
	difference := Compare(from, to)
	e := Estimate{Parts: difference.Parts}
	m := &Migrator{table: t, from: from, to: to, record: migrate.Record{State: migrate.Filling}, rate: newLimiter(0)}
	m.progress = newTracker(m, "")
	s, err := m.sample(ctx)
	if err != nil {
		return e, err
	}
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
	if err != nil {
		return e, t.ExitError(err)
	}
	e.Sampled, e.Items, e.Hot = s.items, int(aws.ToInt64(out.Table.ItemCount)), s.hot()
	if s.isAll || e.Items < s.items {
		e.Items = s.items
	}
	if s.items > 0 {
		s.factor = float64(e.Items) / float64(s.items)
	}
	for _, p := range difference.Parts {
		if p.Kind == migrate.TableIndex && p.Change == migrate.New {
			e.Steps = append(e.Steps, Step{What: "create index " + p.Name + ", which DynamoDB fills from what is stored"})
		}
	}
	e.Steps = append(e.Steps, s.steps(difference)...)
	return e, nil
}
