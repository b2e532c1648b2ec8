package live_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// ends returns the error that a feed has ended with.
func ends(t *testing.T, f *live.Feed) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		if _, err := f.Next(ctx); err != nil {
			return err
		}
	}
}

// TestOverflow: a feed ends when its queue is full, and others go on.
func TestOverflow(t *testing.T) {
	h, s := newHub(t, live.Options{Settings: live.Settings{Queue: 3}}), stream{}
	slow, fast := started(t, h, condition(t, "notes", "ann")), started(t, h, condition(t, "notes", "ann"))
	for range 4 {
		h.Deliver([]*live.Change{s.change(nil, note("ann", "1", "a", "red"))})
		next(t, fast)
	}
	if err := ends(t, slow); !errors.Is(err, live.ErrSlow) {
		t.Errorf("the slow one: %v", err)
	}
	none(t, fast)
}

// TestOverflowOfBytes: a feed also ends when the changes in its queue have too many bytes. One alone may have more.
func TestOverflowOfBytes(t *testing.T) {
	h, s := newHub(t, live.Options{Settings: live.Settings{QueueBytes: 30_000}}), stream{}
	f := started(t, h, condition(t, "notes", "ann"))
	deliver := func(bytes int) {
		h.Deliver([]*live.Change{s.change(nil, note("ann", "1", strings.Repeat("x", bytes), "red"))})
	}
	for range 10 {
		deliver(40_000)
		next(t, f)
		deliver(10_000)
		deliver(10_000)
		next(t, f)
		next(t, f)
	}
	for range 3 {
		deliver(10_000)
	}
	if err := ends(t, f); !errors.Is(err, live.ErrSlow) {
		t.Errorf("got %v", err)
	}
}

// TestLost: all feeds end, and what was delivered before is no basis for positions.
func TestLost(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	f := started(t, h, condition(t, "notes", "ann"))
	waits := subscribe(t, h, condition(t, "notes", "ann"), "")
	h.Deliver([]*live.Change{s.change(nil, note("ann", "1", "a", "red"))})
	position := next(t, f).Position()
	h.Lost(errors.New("trimmed"))
	for _, f := range []*live.Feed{f, waits} {
		if err := ends(t, f); !errors.Is(err, live.ErrLost) {
			t.Errorf("got %v", err)
		}
	}
	waits.Begin(live.State{})
	h.Current(time.Now())
	again := subscribe(t, h, condition(t, "notes", "ann"), waits.Position())
	if err := ends(t, again); !errors.Is(err, live.ErrUnsettled) {
		t.Errorf("resuming after a state that was read too late: %v", err)
	}
	if _, err := h.Subscribe(condition(t, "notes", "ann"), position); !errors.Is(err, live.ErrExpired) {
		t.Errorf("resuming: %v", err)
	}
	started(t, h, condition(t, "notes", "ann"))
}

// TestUnavailable: there are no new feeds while the stream is not read, and the others wait.
func TestUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := live.NewHub(tableDesign, live.Options{Patience: time.Second}), stream{}
		if _, err := h.Subscribe(condition(t, "notes", "ann"), ""); !errors.Is(err, live.ErrUnavailable) {
			t.Errorf("before the first record: %v", err)
		}
		h.Current(time.Now())
		f := started(t, h, condition(t, "notes", "ann"))
		time.Sleep(2 * time.Second)
		if lag := h.Lag(); lag != 2*time.Second {
			t.Errorf("the lag is %v", lag)
		}
		if _, err := h.Subscribe(condition(t, "notes", "ann"), ""); !errors.Is(err, live.ErrUnavailable) {
			t.Errorf("after a pause: %v", err)
		}
		h.Deliver([]*live.Change{s.change(nil, note("ann", "1", "a", "red"))})
		next(t, f)
		h.Close()
		if err := ends(t, f); !errors.Is(err, live.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
		_, err := h.Subscribe(condition(t, "notes", "ann"), "")
		if !errors.Is(err, live.ErrClosed) || !errors.Is(err, live.ErrUnavailable) {
			t.Errorf("after Close: %v", err)
		}
	})
}

// TestStateIsTooOld: the history has to have everything since Subscribe.
func TestStateIsTooOld(t *testing.T) {
	h, s := newHub(t, live.Options{Settings: live.Settings{HistoryBytes: 1}}), stream{}
	f := subscribe(t, h, condition(t, "notes", "ann"), "")
	for range 2 {
		h.Deliver([]*live.Change{s.change(nil, note("ann", "1", "a", "red"))})
	}
	f.Begin(live.State{})
	if err := ends(t, f); !errors.Is(err, live.ErrLost) {
		t.Errorf("got %v", err)
	}
	again := subscribe(t, h, condition(t, "notes", "ann"), f.Position())
	if err := ends(t, again); !errors.Is(err, live.ErrUnsettled) {
		t.Errorf("resuming: got %v", err)
	}
}

// TestVersionDoesNotCome: an item that is read in another form than the stream has is delivered as soon as the state
// must be settled.
func TestVersionDoesNotCome(t *testing.T) {
	a, b, c := note("ann", "1", "a", "red"), note("ann", "1", "b", "red"), note("ann", "1", "c", "red")
	h, s := newHub(t, live.Options{}), stream{}
	f := started(t, h, condition(t, "notes", "ann"), append(item.Item{{Name: "more"}}, a...))
	h.Deliver([]*live.Change{s.change(a, b), s.change(b, c)})
	none(t, f)
	h.Current(time.Now().Add(time.Minute))
	if e := next(t, f); kind(e) != "wi" || e.New.Text("text") != "c" {
		t.Errorf("got %s, %v", kind(e), e.New)
	}
	h.Deliver([]*live.Change{s.change(c, a)})
	next(t, f)
	none(t, f)
}

// TestMovesBeyondThePage: the state shows that the item was not on the page any more.
func TestMovesBeyondThePage(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	f := subscribe(t, h, condition(t, "ofColour", "red"), "")
	f.Begin(live.State{Items: []item.Item{note("ann", "2", "5", "red")}, After: true})
	h.Deliver([]*live.Change{s.change(note("ann", "1", "1", "red"), note("ann", "1", "9", "red"))})
	if e := next(t, f); kind(e) != "-i" {
		t.Errorf("got %s", kind(e))
	}
}

// TestHistoryEnds: a hub without a Reader resumes what is in its history.
func TestHistoryEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := newHub(t, live.Options{Settings: live.Settings{History: time.Minute}}), stream{}
		position := started(t, h, condition(t, "notes", "ann")).Position()
		time.Sleep(30 * time.Second)
		h.Deliver([]*live.Change{s.change(nil, note("ann", "1", "a", "red"))})
		for _, want := range []error{nil, live.ErrExpired} {
			time.Sleep(40 * time.Second)
			h.Current(time.Now())
			if _, err := h.Subscribe(condition(t, "notes", "ann"), position); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
	})
}

// TestEntries: an entry of an index does not show whether an attribute that it lacks has changed.
func TestEntries(t *testing.T) {
	whole := note("ann", "1", "a1", "red")
	entry := keys.Entry(item.Item{whole[0], whole[1], whole[2], whole[8], whole[9]})
	h, s := newHub(t, live.Options{}), stream{}
	changed := note("ann", "1", "b1", "red")
	h.Deliver([]*live.Change{s.change(nil, whole)})
	f := subscribe(t, h, condition(t, "ofColour", "red"), "")
	h.Deliver([]*live.Change{s.change(whole, changed)})
	f.Begin(live.State{Items: []item.Item{entry}})
	if e := next(t, f); e.New.Text("text") != "b1" {
		t.Errorf("got %v", e.New)
	}
	none(t, f)
}

// TestChangedBackBeforeReading: the stream is behind when the first state is read, after another replica has died. What
// has changed and changed back before looks like what does so afterwards. It is delivered like that, once and in order.
func TestChangedBackBeforeReading(t *testing.T) {
	before, other := note("ann", "1", "a1", "red"), note("ann", "1", "b1", "red")
	for _, c := range []struct {
		name       string
		state      []item.Item
		there, now item.Item // the item in the state, and another version
	}{
		{"not there", nil, nil, before},
		{"there", []item.Item{before}, before, nil},
		{"changed", []item.Item{before}, before, other},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, s := newHub(t, live.Options{}), stream{}
			f := subscribe(t, h, condition(t, "notes", "ann"), "")
			h.Deliver([]*live.Change{s.change(c.there, c.now), s.change(c.now, c.there)})
			f.Begin(live.State{Items: c.state})
			later := []*live.Change{s.change(c.there, c.now), s.change(c.now, c.there), s.change(c.there, c.now)}
			h.Deliver(later)
			h.Current(time.Now())
			for _, want := range later {
				wantChange(t, f, want)
			}
			none(t, f)
		})
	}
}

// TestBucketBeginsWhileReading: the next time bucket begins while the first state is read.
func TestBucketBeginsWhileReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub(t, live.Options{})
		c := condition(t, "visits", map[string]any{"from": "2000-01-01T00:00:00Z"})
		before := len(c.Partitions)
		f := subscribe(t, h, c, "")
		time.Sleep(40 * 24 * time.Hour)
		begun := make(chan struct{})
		go func() {
			defer close(begun)
			f.Begin(live.State{})
		}()
		<-begun
		h.Deliver([]*live.Change{(&stream{}).change(nil, visit(time.Now()))})
		if e := next(t, f); e.Partition < before || e.Partition >= len(c.Partitions) {
			t.Errorf("the event is in partition %d of %v", e.Partition, c.Partitions)
		}
	})
}

// TestBucketsOfMissedChanges: changes of a time bucket that has begun since the condition was made are events, also if
// they are delivered before the first state has been read, or before the feed resumes.
func TestBucketsOfMissedChanges(t *testing.T) {
	for name, resumes := range map[string]bool{"first state": false, "resumed": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHub(t, live.Options{})
				from := map[string]any{"from": "2000-01-01T00:00:00Z"}
				position := started(t, h, condition(t, "visits", from)).Position()
				c := condition(t, "visits", from)
				f := subscribe(t, h, c, "")
				time.Sleep(40 * 24 * time.Hour)
				h.Current(time.Now())
				change := (&stream{}).change(nil, visit(time.Now()))
				h.Deliver([]*live.Change{change})
				if resumes {
					f = subscribe(t, h, c, position)
				} else {
					f.Begin(live.State{})
				}
				wantChange(t, f, change)
			})
		})
	}
}

// TestNewBuckets: an open range over time buckets has those that begin later.
func TestNewBuckets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := newHub(t, live.Options{}), stream{}
		from := map[string]any{"from": "2000-01-01T00:00:00Z"}
		c := condition(t, "visits", from)
		f := started(t, h, c)
		before := len(c.Partitions)
		time.Sleep(40 * 24 * time.Hour)
		h.Current(time.Now())
		now := time.Now()
		h.Deliver([]*live.Change{s.change(nil, visit(now))})
		e, month := next(t, f), now.UTC().Format("2006-01")
		if e.Partition != before || len(c.Partitions) != before+1 || c.Partitions[before].Label != month {
			t.Errorf("the event is in partition %d of %v", e.Partition, c.Partitions)
		}
		c.Cursor(e.Partition, e.New)
	})
}

// visit returns a visit, which is in the partition of its month.
func visit(when time.Time) item.Item {
	at := when.UTC().Format(item.TimeLayout)
	return item.Item{
		{Name: "PK", Value: item.StringValue("MONTH#" + at[:len("2000-01")])},
		{Name: "SK", Value: item.StringValue("V#" + at)},
		{Name: "entityType", Value: item.StringValue("Visit")},
		{Name: "at", Value: item.StringValue(at)},
	}
}
