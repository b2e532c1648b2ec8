package crowd

import (
	"fmt"
	"sync"
	"time"
)

// history has every state that writers have committed, in its order. A nil history has none.
type history struct {
	mu sync.Mutex
	// orders are by the id of the order, follows by those of the follower and the followee.
	orders  map[string]*orderHistory
	follows map[[2]string][]state
}

type orderHistory struct {
	user   string
	states []state
}

// state is one state of an object. The attempt that committed it was sent and answered at some time between both.
type state struct {
	value          string
	exists         bool
	sent, answered time.Time
}

func newHistory() *history {
	return &history{orders: map[string]*orderHistory{}, follows: map[[2]string][]state{}}
}

func (h *history) order(user string, o *purchase, sent time.Time) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.orders[o.id] == nil {
		h.orders[o.id] = &orderHistory{user: user}
	}
	all := h.orders[o.id]
	all.states = append(all.states, state{fmt.Sprint(o.version, " ", o.status), true, sent, time.Now()})
}

func (h *history) follow(follower, followee string, edge *struct{ FollowedAt string }, sent time.Time) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := state{sent: sent, answered: time.Now()}
	if edge != nil {
		s.value, s.exists = edge.FollowedAt, true
	}
	between := [2]string{follower, followee}
	h.follows[between] = append(h.follows[between], s)
}

// step is a change of a live range, as its subscribers receive it: how, and the state of the object then, "" if it has
// left.
type step struct {
	change, value  string
	sent, answered time.Time
}

// steps returns all changes of all ranges, in the order of each object's, by its id.
func (h *history) steps() map[scope]map[string][]step {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[scope]map[string][]step{}
	add := func(in scope, id, change string, s state) {
		if all[in] == nil {
			all[in] = map[string][]step{}
		}
		all[in][id] = append(all[in][id], step{change, s.value, s.sent, s.answered})
	}
	for id, o := range h.orders {
		for i, s := range o.states {
			entered := added
			if i > 0 {
				entered = changed
			}
			add(scope{liveOrder, id}, id, changed, s)
			add(scope{liveOrders, o.user}, id, entered, s)
			add(scope{liveStatus, statusOf(s)}, id, added, s)
			if i > 0 {
				left := s
				left.value = ""
				add(scope{liveStatus, statusOf(o.states[i-1])}, id, removed, left)
			}
		}
	}
	for between, states := range h.follows {
		for _, s := range states {
			entered := added
			if !s.exists {
				entered = removed
			}
			add(scope{liveFollowers, between[1]}, between[0], entered, s)
		}
	}
	return all
}

func statusOf(s state) (status string) {
	var version int
	_, _ = fmt.Sscan(s.value, &version, &status)
	return status
}

// chain is what a subscription has received since a first state.
type chain struct {
	// asked is before the first state was requested, began after it was received.
	asked, began time.Time
	// first are the objects of the first state; isWhole reports that the range had no others.
	first   map[string]string
	isWhole bool
	events  []received
}

type received struct{ id, change, value string }

// check compares the events of one object with its steps. The first state has seen some of them, at least so many; the
// events must be those that follow, none missing and none twice, and the last chain must reach the end. Of an object
// beyond the page, the state shows nothing: a change that was on its way when the state was read is an event, too. If
// the stream was behind, the events may follow an earlier step with the same value: the object has changed and changed
// back before the state was read. It returns how many steps the chain has seen.
func (c *chain) check(id string, steps []step, least int, isStrong, isLast bool) (int, error) {
	var events []received
	for _, e := range c.events {
		if e.id == id {
			events = append(events, e)
		}
	}
	value, isThere := c.first[id]
	most, isShown := len(steps), isThere || c.isWhole
	if !isShown {
		least = 0
	}
	for i, s := range steps {
		if isStrong && isShown && s.answered.Before(c.asked) {
			least = max(least, i+1)
		}
		if s.sent.After(c.began) {
			most = min(most, i)
		}
	}
	isState := func(at int) bool {
		switch {
		case isThere:
			return at > 0 && steps[at-1].value == value
		case isShown:
			return at == 0 || steps[at-1].change == removed
		default:
			return true
		}
	}
	isRead := false
	for at := least; at <= most; at++ {
		isRead = isRead || isState(at)
	}
	for at := most; isRead && at >= 0; at-- {
		end := at + len(events)
		isEnd := end == len(steps) || end < len(steps) && !isLast
		if isState(at) && isEnd && areSteps(events, steps[at:end]) {
			return end, nil
		}
	}
	return 0, fmt.Errorf("of %s, a first state with %q (whole: %v) and %v do not continue steps %d to %d of %v",
		id, value, c.isWhole, events, least, most, texts(steps))
}

func areSteps(events []received, steps []step) bool {
	for i, e := range events {
		if e.change != steps[i].change || e.value != steps[i].value {
			return false
		}
	}
	return true
}

func texts(steps []step) []string {
	all := make([]string, len(steps))
	for i, s := range steps {
		all[i] = s.change + " " + s.value
	}
	return all
}

// known returns the state of the objects that the subscriber knows of; "" if it knows that an object is not in the
// range.
func (c *chain) known() map[string]string {
	known := map[string]string{}
	for id, value := range c.first {
		known[id] = value
	}
	for _, e := range c.events {
		known[e.id] = e.value
	}
	return known
}
