package live_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
)

// kind is Was and Is as one letter each.
func kind(e live.Event) string {
	letters := [2]byte{'-', '-'}
	if e.Was {
		letters[0] = 'w'
	}
	if e.Is {
		letters[1] = 'i'
	}
	return string(letters[:])
}

// TestRanges: a change is an event for the ranges that have the item before or after it.
func TestRanges(t *testing.T) {
	a, b := note("ann", "1", "a", "red"), note("ann", "1", "b", "blue")
	deleted := append(item.Item{{Name: "deletedAt", Value: item.StringValue("now")}}, a...)
	expired := append(item.Item{{Name: "expiresAt", Value: item.IntValue(time.Now().Add(-time.Hour).Unix())}}, a...)
	for _, c := range []struct {
		name         string
		old, current item.Item
		field        string
		values       []any
		want         string
	}{
		{"created", nil, a, "note", []any{"ann", "1"}, "-i"},
		{"changed", a, b, "note", []any{"ann", "1"}, "wi"},
		{"deleted", a, nil, "note", []any{"ann", "1"}, "w-"},
		{"another", a, b, "note", []any{"ann", "2"}, ""},
		{"written after it has expired", nil, expired, "note", []any{"ann", "1"}, ""},
		{"expires", a, expired, "note", []any{"ann", "1"}, "w-"},
		{"soft-deleted", a, deleted, "note", []any{"ann", "1"}, "w-"},
		{"created in a collection", nil, a, "notes", []any{"ann"}, "-i"},
		{"changed in a collection", a, b, "notes", []any{"ann"}, "wi"},
		{"another collection", a, b, "notes", []any{"bob"}, ""},
		{"leaves an index partition", a, b, "ofColour", []any{"red"}, "w-"},
		{"enters an index partition", a, b, "ofColour", []any{"blue"}, "-i"},
		{"another index partition", a, b, "ofColour", []any{"green"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, s := newHub(t, live.Options{}), stream{}
			var state []item.Item
			if strings.HasPrefix(c.want, "w") {
				state = append(state, c.old)
			}
			f := started(t, h, condition(t, c.field, c.values...), state...)
			h.Deliver([]*live.Change{s.change(c.old, c.current)})
			if c.want != "" {
				if e := next(t, f); kind(e) != c.want {
					t.Errorf("got %s, want %s", kind(e), c.want)
				}
			}
			none(t, f)
		})
	}
}

// TestPositions resumes after each event, within the history.
func TestPositions(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	f := started(t, h, condition(t, "notes", "ann"))
	h.Current(time.Now().Add(time.Minute)) // the state has nothing that the stream does not have
	texts := []string{"a", "b", "c", "d"}
	positions := []string{f.Position()}
	var before item.Item
	for _, text := range texts {
		it := note("ann", "1", text, "red")
		h.Deliver([]*live.Change{s.change(before, it), s.change(nil, note("bob", text, "a", "red"))})
		before = it
		positions = append(positions, next(t, f).Position())
	}
	for i, position := range positions {
		again := subscribe(t, h, condition(t, "notes", "ann"), position)
		for _, text := range texts[i:] {
			if got := next(t, again).New.Text("text"); got != text {
				t.Errorf("after %d events: got %q, want %q", i, got, text)
			}
		}
		none(t, again)
	}
	if _, err := h.Subscribe(condition(t, "notes", "ann"), positions[1]+"x"); !errors.Is(err, live.ErrPosition) {
		t.Errorf("a changed position: %v", err)
	}
}

// TestTenants: equal keys of two tenants are two items.
func TestTenants(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	feeds := map[string]*live.Feed{}
	for _, tenant := range []string{"acme", "other", ""} {
		c := condition(t, "notes", "ann")
		c.Tenant = tenant
		feeds[tenant] = started(t, h, c)
	}
	c := s.change(nil, note("ann", "1", "a", "red"))
	c.Tenant = "acme"
	h.Deliver([]*live.Change{c})
	position := next(t, feeds["acme"]).Position()
	none(t, feeds["other"])
	none(t, feeds[""])
	if _, err := h.Subscribe(condition(t, "notes", "ann"), position); !errors.Is(err, live.ErrPosition) {
		t.Errorf("a position of another tenant: %v", err)
	}
}

// TestMovesWithinARange: an entry that moves between the partitions of one range has changed.
func TestMovesWithinARange(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	f := started(t, h, condition(t, "ofColour", "red"))
	before, after := note("ann", "1", "a", "red"), note("ann", "1", "a", "red")
	at := slices.IndexFunc(after, func(a item.Attribute) bool { return a.Name == "GSI1PK" })
	after[at].Value = item.StringValue("COLOUR#red#3")
	before[at].Value = item.StringValue("COLOUR#red#2")
	h.Deliver([]*live.Change{s.change(nil, before), s.change(before, after)})
	next(t, f)
	if e := next(t, f); kind(e) != "wi" || e.Partition != 3 {
		t.Errorf("got %s in partition %d", kind(e), e.Partition)
	}
	none(t, f)
}

// TestUnsettledPosition: a first state is read before the stream has its last change. Nobody who resumes after the
// state receives that change as an event: the state must be read again. Later changes are events.
func TestUnsettledPosition(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	a, b := note("ann", "1", "a", "red"), note("ann", "1", "b", "red")
	ahead := s.change(a, b)
	f := started(t, h, condition(t, "notes", "ann"), b)
	position := f.Position()
	waits := subscribe(t, h, condition(t, "notes", "ann"), position)
	h.Deliver([]*live.Change{ahead})
	none(t, f)
	comes := subscribe(t, h, condition(t, "notes", "ann"), position)
	for _, again := range []*live.Feed{waits, comes} {
		if _, err := again.Next(t.Context()); !errors.Is(err, live.ErrUnsettled) {
			t.Errorf("a change that the state has: %v", err)
		}
	}

	later := s.change(b, note("ann", "1", "c", "red"))
	later.At = time.Now().Add(time.Minute)
	h.Deliver([]*live.Change{later})
	if e := next(t, f); e.Change != later {
		t.Errorf("got %v, want the later change", e.New)
	}
	// The position after an event is as uncertain until the stream has been read until some time after the state.
	uncertain := subscribe(t, h, condition(t, "notes", "ann"), position)
	if _, err := uncertain.Next(t.Context()); !errors.Is(err, live.ErrUnsettled) {
		t.Errorf("both changes: %v", err)
	}
	position = f.Position()
	h.Current(time.Now().Add(time.Minute))
	settled := subscribe(t, h, condition(t, "notes", "ann"), position)
	last := s.change(later.New, note("ann", "1", "d", "red"))
	last.At = later.At
	h.Deliver([]*live.Change{last})
	if e := next(t, settled); e.Change != last {
		t.Errorf("got %v, want the last change", e.New)
	}
}

// TestPositionOfAnObject: after its first event, the position of an object is exact: the state has nothing that
// follows.
func TestPositionOfAnObject(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	a, b, c := note("ann", "1", "a", "red"), note("ann", "1", "b", "red"), note("ann", "1", "c", "red")
	f := started(t, h, condition(t, "note", "ann", "1"), a)
	h.Deliver([]*live.Change{s.change(a, b)})
	again := subscribe(t, h, condition(t, "note", "ann", "1"), next(t, f).Position())
	last := s.change(b, c)
	h.Deliver([]*live.Change{last})
	if e := next(t, again); e.Change != last {
		t.Errorf("got %v, want the last change", e.New)
	}
}
