package stream_test

import (
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
)

// replica is a reader and its sink, which checks what it gets.
type replica struct {
	*stream.Reader
	*world
	name  string
	log   *gatewaytest.Log
	table *switched
	way   *storetest.Forwarder
	stop  func()

	mu sync.Mutex
	// seen is the last change of each item, and since what had been written when the replica was current first: all that
	// follows it must come.
	seen, since map[string]int
	// left are changes whose items were left where they are, by what they must be.
	left   map[*live.Change]int
	losses int
}

// Deliver implements live.Sink. It needs every second item at once. The others are those that follow what it has, as
// the next ones show.
func (r *replica) Deliver(changes []*live.Change) (needed []*live.Change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range changes {
		if _, known := r.seen[string(c.Key.PK)]; c.Away != nil && (!known || c.Sequence[len(c.Sequence)-1]%2 == 0) {
			needed = append(needed, c)
		}
	}
	if len(needed) > 0 {
		return needed
	}
	for _, c := range changes {
		item := string(c.Key.PK)
		if c.Away != nil {
			r.seen[item]++
			r.left[c] = r.seen[item]
			continue
		}
		n, err := strconv.Atoi(c.New.Text("n"))
		last, known := r.seen[item]
		if since := r.since[item]; !known && n > since+1 && r.since != nil {
			last, known = since, true
		}
		if err != nil || known && n != last+1 {
			r.Errorf("%s gets change %d of %s in shard %s after %d; its log:\n%s", r.name, n, item, c.Shard, last, r.log)
		}
		r.seen[item] = n
	}
	return nil
}

// fetch checks what was left, unless the store has lost it or does not answer.
func (r *replica) fetch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c, want := range r.left {
		if items, err := r.Fetch([]*live.Away{c.Away}); err == nil {
			if got := items[0].New.Text("n"); got != strconv.Itoa(want) {
				r.Errorf("%s fetches change %s of %s in shard %s, want %d", r.name, got, c.Key.PK, c.Shard, want)
			}
		}
	}
	clear(r.left)
}

// Current implements live.Sink.
func (r *replica) Current(time.Time) {
	r.fetch()
	r.world.mu.Lock()
	defer r.world.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since == nil {
		r.since = maps.Clone(r.written)
	}
}

// Lost implements live.Sink.
func (r *replica) Lost(error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.losses++
}

// has reports whether the replica has been current, and has passed what was written.
func (r *replica) has(written map[string]int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for item, n := range written {
		if r.since == nil || r.seen[item] < n && r.since[item] < n {
			return false
		}
	}
	return true
}

func (r *replica) seenNow() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.seen)
}

// switched is a way to the table that can be turned off.
type switched struct {
	next http.Handler

	mu            sync.Mutex
	isOff, isDead bool
}

func (s *switched) turn(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isOff = !on
}

// die turns the way off for ever.
func (s *switched) die() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isDead = true
}

func (s *switched) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	isOff := s.isOff || s.isDead
	s.mu.Unlock()
	if isOff {
		http.Error(w, `{"__type":"AccessDeniedException","message":"made by the test"}`, http.StatusBadRequest)
		return
	}
	s.next.ServeHTTP(w, r)
}
