package run_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// TestLatest: objects that were stored before their type had a copy with latest are in it.
func TestLatest(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "latest")
	tab := p.Start(t).Table.WithSchema(table.SchemaOf(p.From.Design))
	fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	fill(t, migratetest.Writer{Design: p.From.Design, Table: tab}, 60)
	m := migrator(t, tab)
	fatal.If(t, m.Begin(t.Context(), p.To))
	fatal.If(t, m.Run(t.Context(), migrate.Switched))
	fatal.If(t, m.Close(t.Context()))
	all := migratetest.Scan(t, tab)
	for i := range 20 {
		key := keys.Key{PK: keys.PK(fmt.Sprint("SHELF#s", i)), SK: "TOP"}
		if got, want := all[key].Text("slug"), fmt.Sprint("n", 40+i); got != want {
			t.Errorf("the latest of shelf %d is %q, want %q", i, got, want)
		}
	}
}

// TestPlan: what a migration consumes is within a factor of 1.2 of its plan, in each direction.
func TestPlan(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"key", "new copy", "new entry", "stored name", "unique", "counter", "shards", "counter and key",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isAsPlanned(t, migratetest.Load(t, name))
		})
	}
}

// TestPlanOfTenants: the same for a table that gets tenants, with items that belong to no object.
func TestPlanOfTenants(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"key", "unique"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isAsPlanned(t, migratetest.GettingTenants(t, name))
		})
	}
}

func isAsPlanned(t *testing.T, p migratetest.Pair) {
	e := p.Start(t)
	tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
	fatal.If(t, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(p.From)))
	fill(t, migratetest.Writer{Design: p.From.Design, Table: tab}, 100)
	e.Load(t, looseOf("")...)
	plan, err := run.Plan(t.Context(), tab, p.From, p.To)
	fatal.If(t, err)
	var now run.Progress
	m := migrator(t, tab)
	fatal.If(t, m.Begin(t.Context(), p.To))
	for _, goal := range []migrate.State{migrate.Switched, migrate.Latter} {
		before := now
		fatal.If(t, m.Run(t.Context(), goal))
		now = m.Progress()
		read, written := plan.Units(goal == migrate.Latter)
		near(t, fmt.Sprint(goal, " read"), now.ReadUnits-before.ReadUnits, read)
		near(t, fmt.Sprint(goal, " written"), now.WriteUnits-before.WriteUnits, written)
	}
	fatal.If(t, m.Close(t.Context()))
}

// TestSampleOfAll: the sample of a table that is larger is from all of it, also where items are in the order of their
// keys, and is not larger than another one.
func TestSampleOfAll(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	plan := func(notes int) (of run.Estimate, scans int) {
		e := p.StartBehindProxy(t)
		tab := e.Table.WithSchema(table.SchemaOf(p.From.Design))
		loadNotes(t, p, e.Load, notes)
		e.Proxy.Reset()
		of, err := run.Plan(t.Context(), tab, p.From, p.To)
		fatal.If(t, err)
		return of, e.Proxy.Counts().Requests["Scan"]
	}
	const times = 10
	small, scans := plan(250)
	if small.Sampled != 500 || scans != 1 {
		t.Errorf("the sample of the small table are %d items by %d scans", small.Sampled, scans)
	}
	large, scans := plan(250 * times)
	if large.Sampled != 4000 || scans != 10 {
		t.Errorf("the sample of the large table are %d items by %d scans", large.Sampled, scans)
	}
	for i, s := range small.Steps {
		got := large.Steps[i]
		if !isNear(got.ReadUnits, times*s.ReadUnits) || !isNear(got.WriteUnits, times*s.WriteUnits) {
			t.Errorf("the large table has %+v, the small one %+v", got, s)
		}
	}
}

func isNear(a, b float64) bool { return math.Max(a, b) <= 1.1*math.Min(a, b) }

// TestPlanOf: items that are given instead of a table have the same plan, also those that are hot.
func TestPlanOf(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	p.To = migratetest.Version(t, strings.NewReplacer(
		"COLOR#{color}", "RANK#{rank}", "colored(color: String!)", "colored(rank: Int!)",
	).Replace(migratetest.Pairs["key"][1]))
	tab := p.Start(t).Table.WithSchema(table.SchemaOf(p.From.Design))
	w := migratetest.Writer{Design: p.From.Design, Table: tab}
	fill(t, w, 50)
	for i := range 40 {
		set := item.Item{{Name: "rank", Value: item.NumberValue(7)}}
		o := migratetest.Of("update", "Note", "slug", fmt.Sprint("n", i), set)
		if errs, err := o.By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	plan, err := run.Plan(t.Context(), tab, p.From, p.To)
	fatal.If(t, err)
	given, err := run.PlanOf(t.Context(), func(yield func(item.Item, error) bool) {
		for _, it := range migratetest.Scan(t, tab) {
			if !yield(it, nil) {
				return
			}
		}
	}, p.From, p.To)
	fatal.If(t, err)
	if a, b := fmt.Sprintf("%+v", plan.Steps), fmt.Sprintf("%+v", given.Steps); a != b {
		t.Errorf("the steps of items are\n%s, those of the table\n%s", b, a)
	}
	want := []run.HotKey{{Index: "GSI1", Key: "RANK#7", Items: 40, Share: 0.8}}
	if !slices.Equal(plan.Hot, want) || !slices.Equal(given.Hot, want) {
		t.Errorf("hot are %+v and %+v", plan.Hot, given.Hot)
	}
}

func near(t *testing.T, what string, got, planned float64) {
	t.Helper()
	const rounding = 3 // of each pass up to a unit, and what the record itself has
	if math.Max(got, planned) > 1.2*math.Min(got, planned)+rounding {
		t.Errorf("%s: %v units, and the plan has %v", what, got, planned)
	}
}

// fill creates shelves with notes.
func fill(t *testing.T, w migratetest.Writer, notes int) {
	t.Helper()
	do := func(o migratetest.Operation) {
		if errs, err := o.By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	for i := range 20 {
		do(migratetest.Of("create", "Shelf", "name", fmt.Sprint("s", i), nil))
	}
	for i := range notes {
		set := item.Item{{Name: "rank", Value: item.NumberValue(i)}}
		for name, value := range map[string]string{"shelf": fmt.Sprint("s", i%20), "color": fmt.Sprint("c", i), "text": "x"} {
			set = append(set, item.Attribute{Name: name, Value: item.StringValue(value)})
		}
		if w.Design.Type("Note").Attribute("at") != nil {
			set = append(set, item.Attribute{Name: "at", Value: item.StringValue("2026-01-01T00:00:00.000Z")})
		}
		do(migratetest.Of("create", "Note", "slug", fmt.Sprint("n", i), set))
	}
}
