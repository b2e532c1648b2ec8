package follow_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// TestPairs: what writers of two neighbouring states have written is what tables with one side alone have.
func TestPairs(t *testing.T) {
	t.Parallel()
	for _, name := range soak.Some(slices.Sorted(maps.Keys(migratetest.Pairs)), 3) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := small(t, name)
			histories := map[uint64][]step{}
			for seed := range soak.Seeds(1) {
				histories[seed] = newHistory(t, p, seed)
			}
			for _, states := range [][2]migrate.State{
				{migrate.Filling, migrate.Filling}, {migrate.Prepared, migrate.Filling}, {migrate.Filling, migrate.Switched},
				{migrate.Switched, migrate.Closing},
			} {
				t.Run(fmt.Sprint(states), func(t *testing.T) {
					for seed, history := range histories {
						run(t, p, states, history, tabletest.Faults{})
						if t.Failed() {
							t.Fatal("seed", seed)
						}
					}
				})
			}
		})
	}
}

// TestPairsAfterFaults: requests that fail, and answers that are lost, make no difference.
func TestPairsAfterFaults(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"counter and key", "new entry", "unique", "latest key"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := migratetest.Load(t, name)
			for seed := range soak.Seeds(1) {
				run(t, p, [2]migrate.State{migrate.Filling, migrate.Switched}, newHistory(t, p, seed), tabletest.Faults{
					Seed: seed, Lost: 0.1, Throttled: 0.1, Conflict: 0.1, Unprocessed: 0.2,
				})
			}
		})
	}
}

// TestPairsWithTenants: the items of the other side belong to the tenant.
func TestPairsWithTenants(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"key", "stored name", "unique"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := migratetest.Load(t, name)
			p.Tenants = true
			history := newHistory(t, p, soak.Seed)
			run(t, p, [2]migrate.State{migrate.Filling, migrate.Switched}, history, tabletest.Faults{})
		})
	}
}

// TestPairsGettingTenants: the same while a table gets tenants. The items of the later side are those of the tenant.
func TestPairsGettingTenants(t *testing.T) {
	t.Parallel()
	for _, name := range soak.Some(slices.Sorted(maps.Keys(migratetest.Pairs)), 2) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := migratetest.GettingTenants(t, name)
			history := newHistory(t, p, soak.Seed)
			for _, states := range [][2]migrate.State{
				{migrate.Prepared, migrate.Filling}, {migrate.Filling, migrate.Switched}, {migrate.Switched, migrate.Closing},
			} {
				run(t, p, states, history, tabletest.Faults{})
			}
		})
	}
}

// readAhead is what Operation.By reads for the version.
func readAhead(p migratetest.Pair) float64 {
	for _, v := range []migrate.Version{p.From, p.To} {
		if t := v.Type("Note"); t != nil && t.Version != "" {
			return 1
		}
	}
	return 0
}

// step is an operation by one of two writers. Tables with one side alone answer it by a text, and have these items
// afterwards, if they are compared.
type step struct {
	operation migratetest.Operation
	writer    int
	want      string
	alone     [2]map[keys.Key]item.Item
}

// newHistory returns random steps.
func newHistory(t *testing.T, p migratetest.Pair, seed uint64) (steps []step) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	alone := [2]migratetest.Writer{p.Alone(t, migrate.From), p.Alone(t, migrate.To)}
	do := func(o migratetest.Operation, writer int) *step {
		want, err := o.By(t, alone[0])
		if other, otherErr := o.By(t, alone[1]); err != nil || otherErr != nil || other != want {
			t.Fatalf("%s: %q, %v by the former side, and %q, %v by the later one", o, want, err, other, otherErr)
		}
		steps = append(steps, step{operation: o, writer: writer, want: want})
		return &steps[len(steps)-1]
	}
	if p.IsCounted() {
		for _, shelf := range []string{"s", "t"} {
			do(migratetest.Of("create", "Shelf", "name", shelf, nil), 1)
		}
	}
	for n := range 40 {
		if s := do(migratetest.Draw(r, p), r.IntN(2)); n%8 == 7 {
			s.alone = [2]map[keys.Key]item.Item{migratetest.Scan(t, alone[0].Table), migratetest.Scan(t, alone[1].Table)}
		}
	}
	return steps
}

func run(t *testing.T, p migratetest.Pair, states [2]migrate.State, steps []step, faults tabletest.Faults) {
	e := p.StartBehindProxy(t)
	e.Proxy.Inject(faults)
	writers := [2]migratetest.Writer{p.Writer(e, states[0]), p.Writer(e, states[1])}
	do := func(n int, s step) {
		o, w, want := s.operation, s.writer, s.want
		e.Proxy.Reset()
		got, err := o.By(t, writers[w])
		// Of a copy with latest it is not known beforehand what is to be sent.
		if c, most := e.Proxy.Counts(), mostOf(writers[w], o); faults.Seed == 0 && got == "" && c.WriteRequests() == 1 &&
			(c.WriteUnits > float64(most.Units()) || c.ReadUnits > most.ReadUnits+readAhead(p)) {
			t.Errorf("%d: %s by %v: %v of %v read, %v of %d written", n, o, states[w], c.ReadUnits, most.ReadUnits, c.WriteUnits,
				most.Units())
		}
		var failed *write.ConditionError
		if errors.As(err, &failed) && failed.InDoubt { // It is carried out, or has no effect.
			got, err = want, nil
		}
		if faults.Lost > 0 && got == "" && strings.HasPrefix(want, string(write.CodeAlready)) {
			got = want // It may have been this attempt that has created it.
		}
		if err != nil || got != want {
			t.Fatalf("%d: %s by %v: %q, %v, want %q", n, o, states[w], got, err, want)
		}
	}
	want := migratetest.Wanted{InPlace: [2]migrate.Side{states[0].InPlace(), states[1].InPlace()}}
	// A form that is created later has its first version, and an update without a change has none where none is declared.
	want.Ignored = []string{keys.AttributeDeletedAt, write.AttributeVersion}
	if slices.Contains(states[:], migrate.Closing) { // Nobody reads a counter that goes.
		for _, c := range p.From.Counters {
			if p.To.Type(c.Parent).Attribute(c.Attribute) == nil {
				want.Ignored = append(want.Ignored, c.Attribute)
			}
		}
	}
	for s := range want.Complete {
		want.Complete[s] = min(states[0].Writes(migrate.Side(s)), states[1].Writes(migrate.Side(s))) == migrate.Write
	}
	for n, s := range steps {
		do(n, s)
		if want.Alone = s.alone; s.alone[0] == nil {
			continue
		}
		want.Compare(t, migratetest.Scan(t, e.Table))
		if t.Failed() {
			t.Fatalf("%d: after %s by %v", n, s.operation, states[s.writer])
		}
	}
}
