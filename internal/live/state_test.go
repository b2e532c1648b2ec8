package live_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestNoGapAndNoDuplicate reads a first state while the items of a simulated table change, each at a moment of its own,
// and the stream delivers the changes at other moments. What the reader of the feed knows passes through the versions
// of each item in their order, and ends with those in the table.
func TestNoGapAndNoDuplicate(t *testing.T) {
	for _, c := range []struct {
		name, field, value string
		// inIndex is set if a read may return what an item was before.
		inIndex bool
	}{{"table", "notes", "ann", false}, {"index", "ofColour", "red", true}} {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				h := live.NewHub(tableDesign, live.Options{})
				defer h.Close()
				h.Current(time.Now())
				s := newSimulation(t, h, c.inIndex)
				f := tableDesign.MustField("Query", c.field)
				condition := must(f.Bind(func(string) keys.Value {
					return keys.ArgumentValue(f.Arguments[0], c.value)
				}).Condition())
				s.run(&condition)
			})
		})
	}
}

// simulation is a table with the versions of some items, and what the reader of a feed knows of them.
type simulation struct {
	*rapid.T
	hub     *live.Hub
	inIndex bool
	stream  stream
	// versions are those of each item, from the first one to the present. numbers are the indexes of the versions that
	// changes have made.
	versions map[string][]item.Item
	numbers  map[string]int
	// queued are the changes that the stream has not delivered.
	queued []*live.Change

	// read are the numbers of the versions in the state, and delivered those of the last ones that were delivered before
	// it; -1 for none.
	read, delivered map[string]int
	// low and high are the limits of the page, "" for none.
	low, high string
	isEmpty   bool
	// view is what the reader knows, and events are the numbers of events of each item.
	view   map[string]item.Item
	events map[string]int
}

func newSimulation(t *rapid.T, h *live.Hub, inIndex bool) *simulation {
	s := &simulation{
		T: t, hub: h, inIndex: inIndex, versions: map[string][]item.Item{}, numbers: map[string]int{},
		read: map[string]int{}, delivered: map[string]int{},
	}
	for _, id := range ids {
		s.delivered[id] = -1
	}
	return s
}

var ids = []string{"1", "2", "3", "4", "5"}

// step is some writes and deliveries.
func (s *simulation) step(name string) {
	for range rapid.IntRange(0, 6).Draw(s.T, name) {
		if rapid.Bool().Draw(s.T, "deliver") {
			s.deliver(rapid.IntRange(0, len(s.queued)).Draw(s.T, "changes"))
		} else {
			s.write()
		}
	}
}

func (s *simulation) write() {
	id := rapid.SampledFrom(ids).Draw(s.T, "id")
	old := s.version(id, len(s.versions[id])-1)
	var current item.Item
	if old == nil || rapid.IntRange(0, 3).Draw(s.T, "delete") > 0 {
		colour := rapid.SampledFrom([]string{"red", "red", "blue"}).Draw(s.T, "colour")
		rank := rapid.SampledFrom([]string{"1", "2", "3"}).Draw(s.T, "rank")
		current = note("ann", id, strconv.Itoa(s.stream.last)+rank, colour)
	}
	c := s.stream.change(old, current)
	s.numbers[c.Sequence] = len(s.versions[id])
	s.versions[id] = append(s.versions[id], current)
	s.queued = append(s.queued, c)
}

func (s *simulation) deliver(n int) {
	s.hub.Deliver(s.queued[:n])
	for _, c := range s.queued[:n] {
		if s.view == nil {
			s.delivered[idOf(c)] = s.numbers[c.Sequence]
		}
	}
	s.queued = s.queued[n:]
}

func idOf(c *live.Change) string { return strings.TrimPrefix(string(c.Key.SK), "NOTE#") }

// version returns a version of an item if it is in the range. Before the first one there is nothing.
func (s *simulation) version(id string, n int) item.Item {
	if n < 0 {
		return nil
	}
	return s.versions[id][n]
}

func (s *simulation) inRange(it item.Item) item.Item {
	if s.inIndex && it.Text("colour") != "red" {
		return nil
	}
	return it
}

func (s *simulation) sortKey(it item.Item) string {
	if s.inIndex {
		return it.Text("GSI1SK")
	}
	return it.Text("SK")
}

func (s *simulation) run(c *design.Condition) {
	s.step("before")
	f := must(s.hub.Subscribe(c, ""))
	defer f.Close()
	subscribed := s.stream.last - len(s.queued)
	s.step("subscribed")
	state := s.readState()
	s.view, s.events = map[string]item.Item{}, map[string]int{}
	for _, it := range state.Items {
		s.view[it.Text("id")] = it
	}
	f.Begin(state)
	for range 3 {
		s.step("after")
		s.receive(f, subscribed)
	}
	s.deliver(len(s.queued))
	s.receive(f, subscribed)
	for _, id := range ids {
		present := s.inRange(s.version(id, len(s.versions[id])-1))
		isNews := s.events[id] > 0 || s.covers(present) || s.view[id] != nil
		if isNews && !same(present, s.view[id]) {
			s.Fatalf("item %s is %v, and the reader has %v", id, present, s.view[id])
		}
	}
	s.hub.Current(time.Now().Add(time.Minute))
	if e, ok := waiting(f); ok {
		s.Fatalf("late: %v -> %v", e.Old, e.New)
	}
}

// readState reads a page, each item at its moment.
func (s *simulation) readState() live.State {
	var all []item.Item
	for _, id := range rapid.Permutation(ids).Draw(s.T, "order") {
		n := len(s.versions[id]) - 1
		if s.inIndex {
			n = rapid.IntRange(max(-1, n-2), n).Draw(s.T, "behind")
		}
		s.read[id] = n
		if it := s.inRange(s.version(id, n)); it != nil {
			all = append(all, it)
		}
		s.step("read")
	}
	slices.SortFunc(all, func(a, b item.Item) int { return strings.Compare(s.sortKey(a), s.sortKey(b)) })
	from := rapid.IntRange(0, min(2, len(all))).Draw(s.T, "from")
	to := rapid.IntRange(from, len(all)).Draw(s.T, "to")
	state := live.State{Items: all[from:to], Before: from > 0, After: to < len(all)}
	if s.isEmpty = from == to && len(all) > 0; from == to {
		return state
	}
	if state.Before {
		s.low = s.sortKey(all[from])
	}
	if state.After {
		s.high = s.sortKey(all[to-1])
	}
	return state
}

// covers reports whether the page would have an item.
func (s *simulation) covers(it item.Item) bool {
	sk := s.sortKey(it)
	return it != nil && !s.isEmpty && (s.low == "" || sk >= s.low) && (s.high == "" || sk <= s.high)
}

// receive receives the events that are there, and compares each with what the reader knows.
func (s *simulation) receive(f *live.Feed, subscribed int) {
	for {
		e, ok := waiting(f)
		if !ok {
			return
		}
		id, n := idOf(e.Change), s.numbers[e.Sequence]
		known, has := s.view[id]
		old, current := s.inRange(e.Old), s.inRange(e.New)
		isFirst, isBeyond := s.events[id] == 0, old != nil && !s.covers(old)
		switch {
		case has && !same(old, known):
			s.Fatalf("item %s: the event is %v -> %v, the reader has %v", id, e.Old, e.New, known)
		case e.Is != (current != nil):
			s.Fatalf("item %s: is %v", id, e.Is)
		case e.Was != has && !(isFirst && isBeyond):
			s.Fatalf("item %s: %s, and the reader has %v", id, kind(e), known)
		case isFirst && n <= s.read[id] && s.isCertain(id) && s.covers(current):
			s.Fatalf("item %s: %v -> %v is in the state", id, e.Old, e.New)
		case isFirst && known == nil && !s.covers(old) && !s.covers(current) && s.number(e.Change) <= subscribed:
			s.Fatalf("item %s: %v -> %v is no news", id, e.Old, e.New)
		}
		if s.events[id]++; e.Is {
			s.view[id] = e.New
		} else {
			delete(s.view, id)
		}
	}
}

// isCertain reports whether the version that was read can be found among the changes: it is in the state, or it is one
// that was deleted, after which nothing is left that a later change could be compared with if that was not delivered.
func (s *simulation) isCertain(id string) bool {
	read := s.inRange(s.version(id, s.read[id]))
	return read == nil && s.delivered[id] >= s.read[id] || s.covers(read)
}

// number returns the number of a change in the stream.
func (s *simulation) number(c *live.Change) int {
	n := must(strconv.Atoi(c.Sequence))
	return n - firstSequence
}

func same(a, b item.Item) bool {
	return slices.EqualFunc(a, b, func(a, b item.Attribute) bool { return a.Name == b.Name && a.Value.Equal(b.Value) })
}

// TestIndexIsBehind: a state that was read from an index does not have a change that had been delivered before
// Subscribe.
func TestIndexIsBehind(t *testing.T) {
	a, b := note("ann", "1", "a", "red"), note("ann", "1", "b", "red")
	h, s := newHub(t, live.Options{}), stream{}
	change := s.change(a, b)
	h.Deliver([]*live.Change{change})
	f := started(t, h, condition(t, "ofColour", "red"), a)
	if e := next(t, f); e.Change != change || !e.Was || !e.Is {
		t.Errorf("got %v -> %v", e.Old, e.New)
	}
	none(t, f)
}

// TestStreamIsBehind: a change that the state has comes a moment after the stream was read until then.
func TestStreamIsBehind(t *testing.T) {
	a, b := note("ann", "1", "a", "red"), note("ann", "1", "b", "red")
	h, s := newHub(t, live.Options{}), stream{}
	f := started(t, h, condition(t, "notes", "ann"), b)
	h.Current(time.Now().Add(time.Second))
	h.Deliver([]*live.Change{s.change(a, b)})
	none(t, f)
}
