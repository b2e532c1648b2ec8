package randomtable

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// TestMain makes each run that of the same schemas, unless -rapid.seed is another one; -rapid.checks is how many.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.checks": "40", "rapid.seed": "11", "rapid.nofailfile": "true"} {
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

var findingsSeen = map[string]int{}

// TestRandom serves random tables. Each answer must be what the objects say.
func TestRandom(t *testing.T) {
	e := startEngine(t)
	var accepted, rejected atomic.Int64
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Custom(func(t *rapid.T) *tableModel { return generate(drawn{t}) }).Draw(t, "table")
		seed := rapid.Uint64().Draw(t, "seed")
		text := m.sdl()
		schema, findings, err := read(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(findings) > 0 {
			rejected.Add(1)
			if show := os.Getenv("SHOW"); len(show) > 1 && strings.Contains(findings.Error(), show) {
				fmt.Println("FOUND", findings, text)
			}
			for _, f := range findings {
				findingsSeen[strings.ReplaceAll(f.Error(), "\n", " | ")]++
			}
			return
		}
		accepted.Add(1)
		if err := e.run(t, m, schema, seed); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
	t.Log(accepted.Load(), "accepted", rejected.Load(), "rejected")
	if os.Getenv("SHOW") != "" {
		var all []string
		for f, n := range findingsSeen {
			all = append(all, fmt.Sprintf("%d %s", n, f))
		}
		sort.Strings(all)
		t.Log(strings.Join(all, "\n"))
	}
}
