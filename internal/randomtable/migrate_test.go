package randomtable

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/table"
)

// TestMigrate: a random table that is migrated to a changed design has the items that another program writes by that
// design for the same objects, and one whose migration is undone has the items of before.
func TestMigrate(t *testing.T) {
	t.Parallel()
	e := startEngine(t)
	rejected, blocked, done, kinds := 0, 0, 0, map[migrate.PartKind]int{}
	for seed := range soak.Seeds(50) {
		p := drawPair(seed)
		var findings directives.Findings
		switch parts, err := p.migrate(t, e); {
		case errors.As(err, &findings):
			rejected++
		case errors.Is(err, errBlocked):
			blocked++
		case err != nil:
			t.Errorf("SOAK_SEED=%d: %v\n%v", seed, err, parts)
		default:
			done++
			for _, part := range parts {
				kinds[part.Kind]++
			}
		}
	}
	t.Logf("%d were migrated and undone, %d have no steps, %d are no good schemas: %v", done, blocked, rejected, kinds)
	if done < rejected+blocked {
		t.Errorf("only %d were migrated; %d have no steps, %d are no good schemas", done, blocked, rejected)
	}
}

// migrated are two designs of the same objects.
type migrated struct{ models [2]*tableModel }

// drawPair draws a table twice, and changes each.
func drawPair(seed uint64) *migrated {
	p := &migrated{}
	layout := generate
	if seed%4 == 3 {
		layout = generateKeys
	}
	for side := range p.models {
		var random executors.Random = rand.New(rand.NewPCG(seed, 26))
		m := layout(random).withoutHidden()
		g := &generator{rand.New(rand.NewPCG(seed, uint64(side))), m, 0}
		if side == 1 || g.chance(30) {
			g.change()
		}
		p.models[side] = m
	}
	return p
}

// errBlocked is the error of a pair to which no steps lead.
var errBlocked = errors.New("no steps lead there")

// migrate carries out the migration twice: undone, and to its end.
func (p *migrated) migrate(t *testing.T, e *engine) ([]migrate.Part, error) {
	t.Helper()
	var versions [2]migrate.Version
	for side, m := range p.models {
		schema, findings, err := read(m.sdl())
		if err != nil || len(findings) > 0 {
			return nil, errors.Join(err, findings)
		}
		versions[side] = migrate.NewVersion(schema)
	}
	difference := migrate.Compare(versions[0], versions[1])
	isLocal := func(m *tableModel) bool {
		return slices.ContainsFunc(m.indexes, func(x *index) bool { return x.isLocal })
	}
	switch {
	case len(difference.Blocked()) > 0, isLocal(p.models[0]) != isLocal(p.models[1]):
		return nil, errBlocked
	case !difference.NeedsMigration():
		return nil, nil
	}
	tab, err := p.load(t, e, versions)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tab.Close() }()
	for _, goal := range []migrate.State{migrate.Former, migrate.Latter} {
		m, err := run.Open(t.Context(), tab, run.Options{Name: "test", Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			return nil, err
		}
		if err := m.Begin(t.Context(), versions[1]); err != nil {
			return nil, err
		}
		for _, next := range []migrate.State{migrate.Switched, goal} {
			if err := m.Run(t.Context(), next); err != nil {
				return difference.Parts, fmt.Errorf("to %s: %w", next, err)
			}
		}
		if err := m.Close(t.Context()); err != nil {
			return nil, err
		}
		if err := p.compare(t, tab, goal.Reads()); err != nil {
			return difference.Parts, fmt.Errorf("%s: %w", goal, err)
		}
	}
	return difference.Parts, nil
}

// load creates a table with the items of the first design.
func (p *migrated) load(t *testing.T, e *engine, versions [2]migrate.Version) (*table.Table, error) {
	t.Helper()
	e.tables++
	settings := table.Settings{
		TableName: fmt.Sprintf("random%d", e.tables), Endpoint: e.endpoint, Region: "us-east-1", StartTimeout: time.Minute,
		RequestTimeout: time.Minute,
	}
	from := versions[0].WithoutGo()
	tab, err := table.Open(t.Context(), settings, table.SchemaOf(from), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	whole := table.SchemaOf(from)
	for _, index := range versions[1].IndexNames() {
		if !slices.Contains(whole.Indexes, index) {
			whole.Indexes = append(whole.Indexes, index)
		}
	}
	if err := admin.Create(t.Context(), tab.WithSchema(whole)); err != nil {
		return nil, err
	}
	items := p.models[0].fill(func(int) int { return 0 })
	if _, err := admin.Load(t.Context(), tab, bytes.NewReader(lines(items))); err != nil {
		return nil, err
	}
	return tab, record.Open(tab).Put(t.Context(), migrate.Record{}, migrate.NewRecord(versions[0]))
}

// compare compares the table with the items of the objects by the design of a side.
func (p *migrated) compare(t *testing.T, tab *table.Table, side migrate.Side) error {
	t.Helper()
	m := p.models[side]
	got, err := (&service{direct: tab}).export(t.Context(), m)
	if err != nil {
		return err
	}
	for key := range got {
		if strings.Contains(key, "PARTITA#") {
			delete(got, key)
		}
	}
	return (&runner{tableModel: m}).compareItems(m.fill(func(int) int { return 0 }), got)
}
