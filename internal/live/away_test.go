package live_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/keys"
)

// elsewhere has the items of changes. It is a live.Reader.
type elsewhere struct {
	shards
	changes []*live.Change
	isGone  bool
	// fetched are the keys of the items that were fetched. meanwhile is called once before they are there.
	fetched   []string
	meanwhile func()
	// pause is how long fetching takes, so that other feeds come meanwhile. No result depends on it.
	pause time.Duration
	mu    sync.Mutex
}

// away returns a change as another replica publishes it.
func (e *elsewhere) away(c *live.Change) *live.Change {
	e.changes = append(e.changes, c)
	return awayAt(c, "", len(e.changes)-1)
}

func (e *elsewhere) Fetch(away []*live.Away) ([]live.Items, error) {
	time.Sleep(e.pause)
	e.mu.Lock()
	defer e.mu.Unlock()
	if do := e.meanwhile; do != nil {
		e.meanwhile = nil
		do()
	}
	if e.isGone {
		return nil, live.ErrGone
	}
	items := make([]live.Items, len(away))
	for i, a := range away {
		of := e.changes[a.From]
		items[i] = live.Items{Old: of.Old, New: of.New}
		e.fetched = append(e.fetched, string(of.Key.SK))
	}
	return items, nil
}

func (e *elsewhere) want(t *testing.T, fetched ...string) {
	t.Helper()
	if !slices.Equal(e.fetched, fetched) {
		t.Errorf("the items of %q are fetched, want %q", e.fetched, fetched)
	}
	e.fetched = nil
}

// exactPosition returns a position of the present, after which a feed of any condition can resume.
func exactPosition(t *testing.T, h *live.Hub, s *stream) string {
	t.Helper()
	f := started(t, h, condition(t, "note", "eve", "1"))
	defer f.Close()
	h.Deliver([]*live.Change{s.change(nil, note("eve", "1", "a", "green"))})
	return next(t, f).Position()
}

// TestAway: a replica needs the items of a change if a feed is in one of its partitions, those of the index and of the
// item before the change included. Later it fetches what the history has for a feed, once.
func TestAway(t *testing.T) {
	e, s := &elsewhere{}, &stream{}
	h := newHub(t, live.Options{Reader: e})
	red, blue := note("ann", "1", "a", "red"), note("ann", "1", "a", "blue")
	position := exactPosition(t, h, s)
	if needed := h.Deliver([]*live.Change{e.away(s.change(nil, red))}); needed != nil {
		t.Errorf("%d items are needed by nobody", len(needed))
	}
	f := started(t, h, condition(t, "ofColour", "red"))
	e.want(t, "NOTE#1")
	if event := next(t, f); event.New.Text("text") != "a" {
		t.Errorf("the event has %v", event.New)
	}
	other := started(t, h, condition(t, "ofColour", "red"))
	next(t, other)
	e.want(t)
	leaves := e.away(s.change(red, blue))
	others := []*live.Change{e.away(s.change(nil, note("bob", "2", "a", "blue"))), leaves}
	if needed := h.Deliver(others); !slices.Equal(needed, []*live.Change{leaves}) {
		t.Fatalf("%d items are needed, want the one that leaves the range", len(needed))
	}
	leaves.Bring(live.Items{Old: red, New: blue})
	if needed := h.Deliver(others); needed != nil {
		t.Fatalf("%d items are needed again", len(needed))
	}
	if event := next(t, f); event.Is || !event.Was {
		t.Errorf("the event is %v, %v", event.Was, event.Is)
	}
	f = subscribe(t, h, condition(t, "notes", "bob"), position)
	e.want(t, "NOTE#2")
	if event := next(t, f); event.New.Text("id") != "2" {
		t.Errorf("the event has %v", event.New)
	}
	none(t, f)
}

// TestAwayForMany: what many feeds need that begin at once is fetched once.
func TestAwayForMany(t *testing.T) {
	e, s := &elsewhere{pause: 5 * time.Millisecond}, &stream{}
	h := newHub(t, live.Options{Reader: e})
	h.Deliver([]*live.Change{
		e.away(s.change(nil, note("ann", "1", "a", "red"))), e.away(s.change(nil, note("bob", "2", "a", "red"))),
	})
	var beginning sync.WaitGroup
	for range 8 {
		f := subscribe(t, h, condition(t, "ofColour", "red"), "")
		beginning.Go(func() { f.Begin(live.State{}) })
	}
	beginning.Wait()
	e.want(t, "NOTE#1", "NOTE#2")
}

// TestAwayMeanwhile: what comes while a feed fetches what it needs is an event, once, and comes with its items.
func TestAwayMeanwhile(t *testing.T) {
	e, s := &elsewhere{}, &stream{}
	h := newHub(t, live.Options{Reader: e})
	f := subscribe(t, h, condition(t, "notes", "ann"), "")
	h.Deliver([]*live.Change{e.away(s.change(nil, note("ann", "1", "a", "red")))})
	e.meanwhile = func() {
		second := s.change(nil, note("ann", "2", "a", "red"))
		if needed := h.Deliver([]*live.Change{e.away(second)}); len(needed) != 1 {
			t.Errorf("%d items are needed", len(needed))
		}
		h.Deliver([]*live.Change{second})
	}
	f.Begin(live.State{})
	e.want(t, "NOTE#1")
	for _, id := range []string{"1", "2"} {
		if event := next(t, f); event.New.Text("id") != id {
			t.Errorf("the event has %v, want %s", event.New, id)
		}
	}
	none(t, f)
	if needed := h.Deliver([]*live.Change{e.away(s.change(nil, note("bob", "1", "a", "red")))}); needed != nil {
		t.Errorf("%d items are needed by nobody", len(needed))
	}
}

// TestGone: if items cannot be fetched, a new feed has to begin again, and one that resumes has them read from the
// stream.
func TestGone(t *testing.T) {
	e, s := &elsewhere{isGone: true}, &stream{}
	h := newHub(t, live.Options{Reader: e})
	position := exactPosition(t, h, s)
	begun := must(h.Subscribe(condition(t, "notes", "ann"), ""))
	h.Deliver([]*live.Change{e.away(s.change(nil, note("ann", "2", "a", "red")))})
	begun.Begin(live.State{})
	if _, _, err := begun.Poll(); !errors.Is(err, live.ErrLost) {
		t.Errorf("the error is %v", err)
	}
	begun.Close()
	resumed := must(h.Subscribe(condition(t, "notes", "ann"), position))
	if _, _, err := resumed.Poll(); !errors.Is(err, live.ErrReplay) {
		t.Errorf("the error is %v", err)
	}
	e.isGone = false // the store has answered again, before anybody has read the stream
	event, isAny, err := resumed.Poll()
	if fatal.If(t, err); !isAny || event.New.Text("id") != "2" {
		t.Errorf("the event has %v, %v", event.Change, isAny)
	}
	resumed.Close()
}

// TestAwayIsLight: a history keeps more changes if their items are elsewhere, until these are fetched.
func TestAwayIsLight(t *testing.T) {
	e, s := &elsewhere{}, &stream{}
	o := live.Options{Reader: e}
	o.HistoryBytes = 100_000
	h := newHub(t, o)
	position := exactPosition(t, h, s)
	text := strings.Repeat("x", 1000)
	for range 90 {
		h.Deliver([]*live.Change{e.away(s.change(nil, note("bob", "1", text, "red")))})
	}
	if f, err := h.Subscribe(condition(t, "notes", "bob"), position); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	h.Current(time.Now())
	h.Deliver([]*live.Change{e.away(s.change(nil, note("bob", "1", text, "red")))})
	resumed := must(h.Subscribe(condition(t, "notes", "bob"), position))
	if _, _, err := resumed.Poll(); !errors.Is(err, live.ErrReplay) {
		t.Errorf("a history that is full has %v", err)
	}
	resumed.Close()
}

// TestAwayForDifferentFeeds: feeds of different partitions fetch the same item at the same time, without a data race.
func TestAwayForDifferentFeeds(t *testing.T) {
	e, s := &elsewhere{pause: time.Millisecond}, &stream{}
	h := newHub(t, live.Options{Reader: e})
	for i := range 50 {
		other, it := note("bob", strconv.Itoa(i), "a", "red"), note("ann", strconv.Itoa(i), "a", "red")
		both := []*live.Feed{
			must(h.Subscribe(condition(t, "notes", "ann"), "")), must(h.Subscribe(condition(t, "ofColour", "red"), "")),
		}
		h.Deliver([]*live.Change{e.away(s.change(nil, other)), e.away(s.change(nil, it))})
		var beginning sync.WaitGroup
		for _, f := range both {
			beginning.Go(func() { f.Begin(live.State{}) })
		}
		beginning.Wait()
		for _, f := range both {
			for keys.KeyOf(next(t, f).New) != keys.KeyOf(it) { // the index may not have had earlier ones
			}
			f.Close()
		}
	}
}
