package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/soak"
)

// TestMain is bench itself in the processes that a run starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"attack", "serve", "replay"}, os.Args[1]) {
		main()
		return
	}
	os.Exit(m.Run())
}

// testRun: all systems give the same answers to some operations, from recorded requests only.
func testRun(t *testing.T, partita string) {
	t.Parallel()
	c := &runCommand{
		Rounds: 1, Window: time.Millisecond, Delay: []time.Duration{time.Millisecond}, Concurrency: []int{1, 4},
		Partita: partita,
	}
	all := operations(0)
	first := slices.IndexFunc(all, func(o operation) bool { return o.isMutation })
	chosen := append(soak.Some(all[:first], 1), soak.Some(all[first:], 1)...)
	want := 0
	for _, o := range chosen {
		c.Operation = append(c.Operation, o.name)
		for _, s := range systems() {
			if !o.isMutation || !s.isReader {
				want++
			}
		}
	}
	results, err := c.measure(t.Context())
	fatal.If(t, err)
	if len(results) != want {
		t.Fatalf("there are %d results, want %d", len(results), want)
	}
	for _, o := range chosen {
		for _, r := range resultsOf(results, o.name) {
			c.check(t, o, r)
		}
	}
	text := c.report(results)
	for _, s := range systems() {
		has := slices.DeleteFunc(slices.Clone(chosen), func(o operation) bool { return o.isMutation && s.isReader })
		if got, want := strings.Count(text, "\n| "+s.name+" "), len(has); got != want {
			t.Errorf("%s has %d rows, want %d, in\n%s", s.name, got, want, text)
		}
	}
}

// TestShortRuns builds Partita once for short runs, in which nothing depends on the speed of the machine.
func TestShortRuns(t *testing.T) {
	partita := filepath.Join(t.TempDir(), "partita")
	// Without debug information, linking takes half as long.
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-w", "-o", partita, "github.com/partita/partita")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	t.Run("operations", func(t *testing.T) { testRun(t, partita) })
	t.Run("fair", func(t *testing.T) { testFair(t, partita) })
	t.Run("live", func(t *testing.T) { testLive(t, partita) })
}

// testFair: each of some attacks gets the answers that it is about, and the caller beside it gets data. The times are
// not checked.
func testFair(t *testing.T, partita string) {
	t.Parallel()
	c := &fairCommand{Rounds: 1, Window: 100 * time.Millisecond, Rate: 50, Connections: 4, Partita: partita}
	chosen := soak.Some(attacks(), 1)
	for _, a := range chosen {
		c.Attack = append(c.Attack, a.name)
	}
	results, err := c.measure(t.Context())
	fatal.If(t, err)
	text := c.report(results)
	for _, a := range chosen {
		if strings.Count(text, "\n| "+a.name+" ") != 1 {
			t.Errorf("%s has no row in\n%s", a.name, text)
		}
	}
	for _, r := range results {
		if n := len(r.rounds[0].beside); n != 5 || r.failed > 0 || r.peakMemory < 1<<20 {
			t.Errorf("%s: %d operations beside it, want 5, %d failed; peak %v", r.attack, n, r.failed, r.peakMemory)
		}
	}
}

// testLive: each event is received, and each case has a row. The times are not checked.
func testLive(t *testing.T, partita string) {
	t.Parallel()
	c := &liveCommand{
		Rounds: 1, Window: 100 * time.Millisecond, Subscribers: []int{20, 40}, Connections: 4, Rate: 100, Partita: partita,
	}
	results, err := c.measure(t.Context())
	fatal.If(t, err)
	text := c.report(results)
	for _, n := range c.Subscribers {
		for _, l := range liveCases(n) {
			if !c.isMeasured(l, n) {
				continue
			}
			if strings.Count(text, fmt.Sprintf("\n| %-11d | %s ", n, l.name)) != 1 {
				t.Errorf("%s of %d has no row in\n%s", l.name, n, text)
			}
			w := results[0].windows[0]
			results = results[1:]
			if want := w.changes * l.sharing; !l.isElsewhere && len(w.took) != want || l.isElsewhere && len(w.took) != 0 {
				t.Errorf("%s of %d: %d events, want %d", l.name, n, len(w.took), want)
			}
		}
	}
	if len(results) != 0 {
		t.Errorf("there are %d more results", len(results))
	}
}

func (c *runCommand) check(t *testing.T, o operation, r result) {
	t.Helper()
	for _, delay := range c.Delay {
		for _, concurrency := range c.Concurrency {
			s := setting{delay, concurrency}
			if len(r.samples[s]) != 1 {
				t.Errorf("%s, %s, %s: %d samples, want 1", r.operation, r.system, s, len(r.samples[s]))
				continue
			}
			got := r.samples[s][0]
			if len(got.took) < concurrency || got.took[0] < delay {
				t.Errorf("%s, %s, %s: %d operations, the fastest in %v", r.operation, r.system, s, len(got.took), got.took[0])
			}
			if got.cpu <= 0 || got.objects <= 0 || got.bytes <= 0 {
				t.Errorf("%s, %s, %s: CPU %v, %v objects of %v bytes", r.operation, r.system, s, got.cpu, got.objects, got.bytes)
			}
			// A loader can divide a batch, but no system needs fewer requests than the handlers.
			if got.requests < float64(o.requests) ||
				(r.system == handlersSDK || r.system == handlersHTTP) && got.requests != float64(o.requests) {
				t.Errorf("%s, %s, %s: %v requests; the fewest are %d", r.operation, r.system, s, got.requests, o.requests)
			}
		}
	}
	if r.peakMemory < 1<<20 {
		t.Errorf("%s, %s: the peak of memory is %v bytes", r.operation, r.system, r.peakMemory)
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   spread
	}{
		{[]float64{7}, spread{7, 7, 7}},
		{[]float64{3, 1, 2}, spread{1, 2, 3}},
		{[]float64{4, 1, 2, 9}, spread{1, 3, 9}},
	} {
		if got := newSpread(tt.values); got != tt.want {
			t.Errorf("the spread of %v is %v, want %v", tt.values, got, tt.want)
		}
	}
}

func TestRatioIsThatOfTheSameRound(t *testing.T) {
	s := setting{0, 1}
	samples := func(cpu ...time.Duration) result {
		r := result{samples: map[setting][]sample{}}
		for _, c := range cpu {
			r.samples[s] = append(r.samples[s], sample{cpu: c})
		}
		return r
	}
	got := samples(10, 200, 30).ratio(samples(10, 100, 10), s, cpuOf)
	if want := (spread{1, 2, 3}); got != want {
		t.Errorf("the ratio is %v, want %v", got, want)
	}
}

func TestPercentile(t *testing.T) {
	var took []time.Duration
	for i := range 100 {
		took = append(took, time.Duration(i+1))
	}
	for share, want := range map[float64]float64{0: 1, .5: 51, .99: 100, 1: 100} {
		if got := percentile(share)(sample{took: took}); got != want {
			t.Errorf("percentile %v is %v, want %v", share, got, want)
		}
	}
}

func TestWriteBetweenMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	for _, tt := range []struct{ old, want string }{
		{
			"# Page\n" + runMarks.begin + "old\n" + runMarks.end + "End\n",
			"# Page\n" + runMarks.begin + "\nnew\n\n" + runMarks.end + "End\n",
		},
		{"# Page\n" + runMarks.end, ""},
	} {
		fatal.If(t, os.WriteFile(path, []byte(tt.old), 0o600))
		err := writeBetweenMarks(path, runMarks, "new\n")
		got, readErr := os.ReadFile(path)
		fatal.If(t, readErr)
		switch {
		case tt.want == "" && (err == nil || string(got) != tt.old):
			t.Errorf("a page without marks becomes %q, error %v", got, err)
		case tt.want != "" && (err != nil || string(got) != tt.want):
			t.Errorf("the page is %q, error %v, want %q", got, err, tt.want)
		}
	}
}
