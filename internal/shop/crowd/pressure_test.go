package crowd

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

const (
	pressureCallers = 10
	// pressureText is the length of a text: its write consumes 10 units.
	pressureText = 9 << 10
	// pressureGreedy is how many operations the first caller has in flight, and pressureEach all others.
	pressureGreedy, pressureEach = 40, 4
)

// pressureAnswers is how many mutations are answered, and pressureUnits the limit: in the long form that of Amazon, for
// 10 minutes, otherwise one that each machine reaches, for 2 s.
var pressureAnswers, pressureUnits = int64(100), 500.0

func init() {
	if soak.Times(1) > 1 {
		pressureAnswers, pressureUnits = 50_000, 1000
	}
}

// TestPressure: ten callers write more to one partition key than it can take. Each gets its part of what it can, the
// table has what was answered, and few units are wasted on requests that are throttled.
func TestPressure(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("testdata/journal")
	fatal.If(t, err)
	f, err := folder.Open(dir)
	fatal.If(t, err)
	e := tabletest.Start(t, table.SchemaOf(f.Schema.Design))
	e.Proxy.Limit(tabletest.Limits{WriteUnits: pressureUnits, Contended: true})
	settings := []string{"DYNAMODB_ENDPOINT=" + e.Proxy.URL(), "READ_UNITS_BUCKET=0", "LIVE=off"}
	p := processtest.Launch(t, "serve "+dir, settings...)
	p.AwaitServing(t)
	s := crowdtest.NewService()
	s.Up(p.URL)

	j := newJournal(s, e.Proxy)
	// What is not counted: how the gateway finds the limit, once the key has consumed what it had left of the time before.
	for throttled := 0; throttled == 0; throttled = j.throttled {
		fatal.If(t, j.run(t.Context(), 60))
	}
	began := time.Now()
	fatal.If(t, j.run(t.Context(), pressureAnswers))
	took := time.Since(began)
	e.Proxy.Limit(tabletest.Limits{})
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")

	wasted := j.wasted / (j.units + j.wasted)
	t.Logf("%.0f units in %v, %.1f a second; %.1f %% of all were wasted by %d throttled requests",
		j.units, took.Round(time.Millisecond), j.units/took.Seconds(), 100*wasted, j.throttled)
	t.Logf("%s; answers by caller: %v", crowdtest.Summary(j.senders), j.answers())
	j.check(t, e.Table)
	if wasted > 0.1 {
		t.Errorf("%.1f %% of the units were wasted by %d throttled requests", 100*wasted, j.throttled)
	}
	for i, n := range j.answers() {
		if n*2*pressureCallers < pressureAnswers {
			t.Errorf("caller %d got %d answers of %d", i, n, pressureAnswers)
		}
	}
}

// journal is what callers write, and their ledger.
type journal struct {
	writers []*scribe
	senders []*crowdtest.Sender
	proxy   *tabletest.Proxy
	// answered is how many mutations of those that are wanted were answered.
	answered, wanted atomic.Int64

	// units are what the table has consumed, and wasted what throttled requests would have.
	mu            sync.Mutex
	units, wasted float64
	throttled     int
}

// scribe writes one entry after the other, for one of the callers.
type scribe struct {
	*crowdtest.Sender
	journal *journal
	caller  int
	// versions are those of the entries, whose texts follow from them.
	versions map[string]int
	answers  int64
}

func newJournal(s *crowdtest.Service, p *tabletest.Proxy) *journal {
	j := &journal{proxy: p}
	j.senders = crowdtest.NewSenders(pressureGreedy+(pressureCallers-1)*pressureEach, s)
	for i, sender := range j.senders {
		caller := max(0, (i-pressureGreedy+pressureEach)/pressureEach)
		j.writers = append(j.writers, &scribe{Sender: sender, journal: j, caller: caller, versions: map[string]int{}})
	}
	return j
}

// run lets all write until so many mutations are answered.
func (j *journal) run(ctx context.Context, wanted int64) error {
	j.units, j.wasted, j.throttled = 0, 0, 0
	defer j.count()
	j.answered.Store(0)
	j.wanted.Store(wanted)
	for _, w := range j.writers {
		w.answers = 0
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, w := range j.writers {
		group.Go(func() error {
			for j.answered.Load() < wanted {
				if err := w.write(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// count adds up what the table has done since the last time. Its log would become long.
func (j *journal) count() {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := j.proxy.Drain()
	j.units += c.WriteUnits
	j.wasted += c.ThrottledUnits
	j.throttled += c.Throttled
}

// answers returns how many mutations of each caller were answered.
func (j *journal) answers() (all [pressureCallers]int64) {
	for _, w := range j.writers {
		all[w.caller] += w.answers
	}
	return all
}

// write creates an entry by a transaction, with its word, or by a single write, and changes every other one.
func (w *scribe) write(ctx context.Context) error {
	name := w.Next("entry")
	in := input{"journal": "all", "entry": name, "text": textOf(name, 1)}
	action, version := "create", 1
	switch {
	case w.Serial%4 == 0:
		in["word"] = name
	case w.Serial%2 == 0:
		action, version = "update", 2
		name = fmt.Sprintf("%s-entry%d", w.Name, w.Serial-1)
		in = input{"id": keys.NewID("Entry", "all", name).Encode(), "version": 1, "text": textOf(name, 2)}
	}
	document := fmt.Sprintf("mutation($input: %[1]sEntryInput!) { m: %[2]sEntry(input: $input) {"+
		" entry { version } userErrors { code } } }", strings.ToUpper(action[:1])+action[1:], action)
	var r struct {
		Entry      struct{ Version int }
		UserErrors []struct{ Code string }
	}
	as := viewer.Viewer{ID: fmt.Sprint("caller", w.caller)}
	doubt, err := w.Mutate(ctx, crowdtest.Mutation{Document: document, Variables: input{"input": in}, As: as}, &r)
	if err != nil {
		return err
	}
	if (r.Entry.Version != version || len(r.UserErrors) > 0) && !doubt {
		return fmt.Errorf("%s of %s gave %+v", action, name, r)
	}
	w.versions[name] = version
	// What is in flight at the end is answered by caller as it was sent.
	n := w.journal.answered.Add(1)
	if n <= w.journal.wanted.Load() {
		w.answers++
	}
	if n%1000 == 0 {
		w.journal.count()
	}
	return nil
}

func textOf(entry string, version int) string {
	return strings.Repeat("x", pressureText) + fmt.Sprint(entry, " ", version)
}

// check compares the table with what was answered.
func (j *journal) check(t *testing.T, tb *table.Table) {
	t.Helper()
	want, got := map[string]int{}, map[string]int{}
	for _, w := range j.writers {
		maps.Copy(want, w.versions)
	}
	// The local engine takes long to find the end of a page of so much by itself, and longer for a Scan.
	for next := (request.Query{PK: "JOURNAL#all", Limit: 100}); ; {
		page, err := tb.Query(t.Context(), next)
		fatal.If(t, err)
		for _, it := range page.Items {
			name, version := it.Text("entry"), it.Text("version")
			if n, err := strconv.Atoi(version); err == nil && it.Text("text") == textOf(name, n) {
				got[name] = n
			}
		}
		if next.Start = page.Last; next.Start.IsZero() {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table (+) is not what was answered with success (-):\n%.2000s", diff)
	}
}
