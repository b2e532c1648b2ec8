package randomtable

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/soak"
)

// TestMain makes each run that of the same schemas, unless -rapid.seed is another one; -rapid.checks is how many.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"rapid.checks": strconv.Itoa(soak.Times(30)), "rapid.seed": strconv.FormatUint(soak.Seed+1, 10),
		"rapid.nofailfile": "true",
	} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	os.Exit(m.Run())
}

// drawn draws the numbers of a rapid.T, which makes a failing table smaller.
type drawn struct{ *rapid.T }

func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "n") }

// TestRandom serves random tables. Each answer must be what the objects say. A schema may be rejected, but not most.
func TestRandom(t *testing.T) { checkTables(t, generate) }

// TestKeys serves random tables without a sort key, or with Numbers or attributes of types as their keys: a quarter as
// many.
func TestKeys(t *testing.T) {
	f := flag.Lookup("rapid.checks")
	checks := f.Value.String()
	n, err := strconv.Atoi(checks)
	if err == nil {
		err = f.Value.Set(strconv.Itoa(max(1, n/4)))
	}
	fatal.If(t, err)
	defer func() { _ = f.Value.Set(checks) }() // it has been this value
	checkTables(t, generateKeys)
}

func checkTables(t *testing.T, generate func(executors.Random) *tableModel) {
	t.Helper()
	e := startEngine(t)
	accepted, rejected := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Custom(func(t *rapid.T) *tableModel { return generate(drawn{t}) }).Draw(t, "table")
		seed := rapid.Uint64().Draw(t, "seed")
		text := m.sdl()
		schema, findings, err := read(text)
		switch {
		case err != nil:
			t.Fatalf("%v\n%s", err, text)
		case len(findings) > 0:
			rejected++
			return
		}
		accepted++
		if err := e.run(t, m, schema, seed); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
	if !t.Failed() && accepted < rejected/2 {
		t.Errorf("%d schemas are accepted, and %d rejected: the generator is too careless", accepted, rejected)
	}
}
