package run_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
	"github.com/partita/partita/write"
)

// followed is a migration of a table with a stream, to which another program writes by the former design.
type followed struct {
	migratetest.Pair
	engine *tabletest.Engine
	table  *table.Table
	quiet  time.Duration
}

func startFollowed(t *testing.T, name string) *followed {
	t.Helper()
	f := &followed{Pair: migratetest.Load(t, name)}
	f.start(t)
	return f
}

func (f *followed) start(t *testing.T) {
	t.Helper()
	f.Stream = true
	f.engine = f.Start(t)
	f.Stream = false // for tables beside it
	f.table = f.engine.Table.WithSchema(table.SchemaOf(f.From.Design))
	fatal.If(t, record.Open(f.table).Put(t.Context(), migrate.Record{}, migrate.NewRecord(f.From)))
}

// with calls a function with the right to migrate.
func (f *followed) with(t *testing.T, do func(*run.Migrator) error) error {
	t.Helper()
	m, err := run.Open(t.Context(), f.table, run.Options{
		Name: "test", Every: 20 * time.Millisecond, Stream: promptly, Lease: time.Second, Quiet: f.quiet,
		Log: slog.New(slog.DiscardHandler),
	})
	fatal.If(t, err)
	return errors.Join(do(m), m.Close(context.Background()))
}

func (f *followed) run(t *testing.T, goal migrate.State) error {
	t.Helper()
	return f.with(t, func(m *run.Migrator) error {
		if goal == migrate.Switched {
			if err := m.Begin(t.Context(), f.To); err != nil {
				return err
			}
		}
		return m.Run(t.Context(), goal)
	})
}

// during calls a function while another one does something, and fails with the error of that.
func during(t *testing.T, do func() error, other func()) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	for {
		select {
		case err := <-ended:
			fatal.If(t, err)
			return
		default:
			other()
		}
	}
}

// TestOthers: what another program writes by the former design during a migration is what the table has at its end, by
// the design that remains.
func TestOthers(t *testing.T) {
	t.Parallel()
	for _, name := range soak.Some(slices.Sorted(maps.Keys(migratetest.Pairs)), 5) {
		for _, goal := range []migrate.State{migrate.Latter, migrate.Former} {
			t.Run(name+" "+goal.String(), func(t *testing.T) {
				t.Parallel()
				for seed := range soak.Seeds(1) {
					others(t, startFollowed(t, name), goal, seed)
				}
			})
		}
	}
}

func others(t *testing.T, f *followed, goal migrate.State, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	alone := [2]migratetest.Writer{f.Alone(t, migrate.From), f.Alone(t, migrate.To)}
	program := migratetest.Writer{Design: f.From.Design, Table: f.table}
	write := func(o migratetest.Operation) {
		for i, w := range []migratetest.Writer{alone[1], alone[0], program} {
			if rejected, err := o.By(t, w); err != nil {
				t.Fatal(err)
			} else if rejected != "" && i == 0 {
				return // what is not possible by To would stop the migration
			}
		}
	}
	for _, shelf := range []string{"s", "t"} {
		write(migratetest.Of("create", "Shelf", "name", shelf, nil))
	}
	for range 20 {
		write(migratetest.Draw(r, f.Pair))
	}
	drawn := 0
	during(t, func() error { return f.run(t, migrate.Switched) }, func() {
		// A counter cannot be set while its collection changes all the time.
		if drawn++; f.IsCounted() && drawn > 50 {
			time.Sleep(time.Millisecond)
			return
		}
		write(migratetest.Draw(r, f.Pair))
	})
	for range 10 { // while nobody follows
		write(migratetest.Draw(r, f.Pair))
	}
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	during(t, func() error {
		err := f.with(t, func(m *run.Migrator) error { return m.Follow(ctx) })
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}, func() {
		if n++; n == 20 {
			stop()
		} else if n < 20 {
			write(migratetest.Draw(r, f.Pair))
		}
	})
	fatal.If(t, f.run(t, goal))
	got, want := migratetest.Scan(t, f.table), migratetest.Scan(t, alone[goal.Reads()].Table)
	d := f.Side(goal.Reads())
	withoutLatest(t, d, want)
	withoutLatest(t, d, got)
	equal(t, goal.String(), got, want)
}

// withoutLatest removes the places of the latest objects. What a place has when that object leaves it depends on when
// another one is looked at: it is empty, or the latest of those that are stored.
func withoutLatest(t *testing.T, d *design.Design, items map[keys.Key]item.Item) {
	t.Helper()
	typ := d.Type("Note")
	for n, c := range typ.Copies {
		if c.Latest == "" {
			continue
		}
		latest := map[keys.Key]item.Item{}
		for key, it := range items {
			stored, err := write.ItemsOf(d, typ, it)
			if it.Type() != typ.Name || !typ.IsBase(key) || err != nil {
				continue
			}
			place := keys.KeyOf(stored[n+1])
			v, _ := it.Get(c.Latest)
			w, _ := latest[place].Get(c.Latest)
			order := write.Compare(v, w)
			isHeld := migratetest.Describe(stored[n+1]) == migratetest.Describe(items[place])
			if latest[place] == nil || order > 0 || order == 0 && isHeld {
				latest[place] = stored[n+1]
			}
		}
		for key, it := range items {
			if it.Type() != typ.Name || !c.Holds(key) {
				continue
			}
			if want := migratetest.Describe(latest[key]); !keys.IsDeleted(it) && migratetest.Describe(it) != want {
				t.Errorf("%v is\n %s, want\n %s", key, migratetest.Describe(it), want)
			}
			delete(items, key)
		}
	}
}

// TestFinishWaits: a migration is not finished while a program writes the former form by the SDK, and nothing of what
// that has written is lost.
func TestFinishWaits(t *testing.T) {
	t.Parallel()
	f := startFollowed(t, "key")
	set := func(slug, rank string) {
		_, err := f.engine.Table.Client().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(f.table.Name()), Key: attribute.FromItem(tabletest.Stored("NOTE#"+slug, "NOTE")),
			UpdateExpression:         aws.String("SET #rank = :rank"),
			ExpressionAttributeNames: map[string]string{"#rank": "rank"},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":rank": &types.AttributeValueMemberN{Value: rank},
			},
		})
		if err != nil {
			t.Error(err)
		}
	}
	program := migratetest.Writer{Design: f.From.Design, Table: f.table}
	for _, slug := range []string{"a", "b"} {
		if rejected, err := noteOf("create", slug).By(t, program); err != nil || rejected != "" {
			t.Fatal(rejected, err)
		}
	}
	fatal.If(t, f.run(t, migrate.Switched))
	set("a", "7")
	f.quiet = time.Hour
	err := f.run(t, migrate.Latter)
	waits, is := errors.AsType[*run.OthersError](err)
	if !is || len(waits.Others) != 1 || waits.Others[0].PK != "NOTE#a" {
		t.Fatal(err)
	}
	rank := func(pk, sk string) string {
		v, _ := migratetest.Scan(t, f.table)[keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}].Get("rank")
		return v.Text
	}
	if got := rank("PAGE#a", "PAGE"); got != "7" {
		t.Errorf("it is %q by the later design", got)
	}
	f.quiet = 0
	fatal.If(t, f.run(t, migrate.Latter))
	if a, b, former := rank("PAGE#a", "PAGE"), rank("PAGE#b", "PAGE"), rank("NOTE#a", "NOTE"); a != "7" || b != "1" ||
		former != "" {
		t.Errorf("%q, %q and %q", a, b, former)
	}
}

// TestDiffers: without a stream, a migration is not finished as long as it would remove what another program has
// written.
func TestDiffers(t *testing.T) {
	t.Parallel()
	s := startMoved(t, migratetest.Load(t, "key"), "a", "b")
	program := migratetest.Writer{Design: s.From.Design, Table: s.table}
	s.do(t, program, noteOf("delete", "b"))
	s.do(t, program, noteOf("create", "c"))
	changed := noteOf("update", "a")
	changed.In.Set[1].Value.Text = "9"
	s.do(t, program, changed)
	blocked, is := errors.AsType[*run.BlockedError](s.m.Run(t.Context(), migrate.Latter))
	if !is || len(blocked.Objects) != 2 || blocked.Objects[0].Code != run.Differs ||
		blocked.Objects[1].Code != run.Differs {
		t.Fatal(blocked)
	}
}

// TestFormerForm: without a stream, what another program writes by the former design where both designs have one item
// has the later form at the end.
func TestFormerForm(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"format", "entry in place", "type value", "constants", "enum"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := migratetest.Load(t, name)
			s := startMoved(t, p, "a")
			program := migratetest.Writer{Design: p.From.Design, Table: s.table}
			alone := p.Alone(t, migrate.To)
			s.do(t, alone, noteOf("create", "a"))
			created := noteOf("create", "b")
			created.In.Set = append(created.In.Set, item.Attribute{Name: "color", Value: item.StringValue("reda")})
			if p.From.Type("Note").Attribute("at") != nil {
				at := item.StringValue("2026-01-02T00:00:00.000Z")
				created.In.Set = append(created.In.Set, item.Attribute{Name: "at", Value: at})
			}
			s.do(t, program, created)
			s.do(t, alone, created)
			fatal.If(t, s.m.Run(t.Context(), migrate.Latter))
			equal(t, name, migratetest.Scan(t, s.table), migratetest.Scan(t, alone.Table))
		})
	}
}

// TestOthersDuplicate: a value that another program writes and that must be unique by the later design stops the end of
// a migration until it is another one.
func TestOthersDuplicate(t *testing.T) {
	t.Parallel()
	f := startFollowed(t, "unique")
	program := migratetest.Writer{Design: f.From.Design, Table: f.table}
	do := func(verb, slug, color string) {
		o := noteOf(verb, slug)
		o.In.Set = append(o.In.Set, item.Attribute{Name: "color", Value: item.StringValue(color)})
		if rejected, err := o.By(t, program); err != nil || rejected != "" {
			t.Fatal(rejected, err)
		}
	}
	do("create", "a", "red")
	fatal.If(t, f.run(t, migrate.Switched))
	do("create", "b", "red")
	err := f.run(t, migrate.Latter)
	blocked, is := errors.AsType[*run.BlockedError](err)
	if !is || len(blocked.Objects) != 1 || blocked.Objects[0].Code != run.Duplicate || blocked.Objects[0].PK != "NOTE#b" {
		t.Fatal(err)
	}
	do("update", "b", "blue")
	fatal.If(t, f.run(t, migrate.Latter))
	for color, slug := range map[string]string{"red": "a", "blue": "b"} {
		claim := migratetest.Scan(t, f.table)[f.claimOf(t, color)]
		if v, _ := claim.Get(f.To.Type("Note").Uniques[0].Holder); v.Text != slug {
			t.Errorf("%s is that of %q", color, v.Text)
		}
	}
}

// TestUndoBlocked: a migration that objects stop can be undone while the stream still has those that stop it.
func TestUndoBlocked(t *testing.T) {
	t.Parallel()
	f := &followed{Pair: migratetest.NewPair(t,
		migratetest.SDL(migratetest.Note, migratetest.PlainFields, "", migratetest.GetNote),
		migratetest.SDL(migratetest.Note, migratetest.PlainFields+" rating: Int!", "", migratetest.GetNote))}
	f.start(t)
	program := migratetest.Writer{Design: f.From.Design, Table: f.table}
	create := func(slug string) {
		if rejected, err := noteOf("create", slug).By(t, program); err != nil || rejected != "" {
			t.Fatal(rejected, err)
		}
	}
	create("a")
	if _, is := errors.AsType[*run.BlockedError](f.run(t, migrate.Switched)); !is {
		t.Fatal("an object without a rating stops nothing")
	}
	create("b")
	fatal.If(t, f.run(t, migrate.Former))
}

// claimOf returns the key of the claim of a color.
func (f *followed) claimOf(t *testing.T, color string) keys.Key {
	t.Helper()
	typ := f.To.Type("Note")
	claim, err := write.UniqueClaim(typ, typ.Uniques[0], item.Item{{Name: "color", Value: item.StringValue(color)}})
	fatal.If(t, err)
	return keys.KeyOf(claim)
}
