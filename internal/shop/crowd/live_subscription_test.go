package crowd

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/subscriber"
	"github.com/partita/partita/viewer"
)

// The live fields of the shop, and the changes of their events. A single object is like a connection of one.
const (
	liveOrder     = "order"
	liveOrders    = "orders"
	liveFollowers = "followers"
	liveStatus    = "ordersByStatus"

	current = "CURRENT"
	added   = "ADDED"
	changed = "CHANGED"
	removed = "REMOVED"
)

// scope is a live field with the value of its argument: an id or a status.
type scope struct{ field, argument string }

// selections are what subscriptions select of a node.
var selections = map[string]string{
	liveOrders: "cursor node { id version status }", liveFollowers: "cursor followedAt node { id }",
	liveStatus: "cursor node { id version status }",
}

// arguments are the names of the arguments with their types.
var arguments = map[string][2]string{
	liveOrder: {"id", "ID!"}, liveOrders: {"userId", "ID!"}, liveFollowers: {"userId", "ID!"},
	liveStatus: {"status", "OrderStatus!"},
}

// subscription is a subscription to a scope, over all its connections.
type subscription struct {
	scope
	first  int // of the page
	viewer viewer.Viewer

	mu       sync.Mutex
	chains   []*chain
	position string // of the last message; "" before the first state
	asked    time.Time
	// resumed, refreshed and restarted count how often it subscribed with a position, how often it then received the
	// state again, and how often it began again because it had to.
	resumed, refreshed, restarted int
}

func (s *subscription) String() string {
	return fmt.Sprintf("%s(%s) first %d", s.field, s.argument, s.first)
}

// request returns what begins the subscription, or continues it.
func (s *subscription) request() subscriber.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked = time.Now(); s.position != "" {
		s.resumed++
	}
	name, kind := arguments[s.field][0], arguments[s.field][1]
	selection := "{ id version status }"
	if s.field != liveOrder {
		edge := selections[s.field]
		selection = fmt.Sprintf(`{ change nodeId edge { %s } connection { edges { %[1]s } pageInfo { hasNextPage } } }`, edge)
	}
	page := ""
	if s.first > 0 {
		page = fmt.Sprintf(", first: %d", s.first)
	}
	return subscriber.Request{
		Query:     fmt.Sprintf("subscription($of: %s) { e: %s(%s: $of%s) %s }", kind, s.field, name, page, selection),
		Variables: map[string]any{"of": s.argument}, Position: s.position,
	}
}

// restart forgets the position, so that the subscription begins again.
func (s *subscription) restart(isForced bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.position = ""; isForced {
		s.restarted++
	}
}

// event is the value of a live field: of a connection, or an order.
type event struct {
	Change     string
	NodeID     string
	Edge       *edge
	Connection *struct {
		Edges    []edge
		PageInfo struct{ HasNextPage bool }
	}
	node
}

type edge struct {
	FollowedAt string
	Node       node
}

type node struct {
	ID, Status string
	Version    int
}

// value is the state of the object, as a history has it.
func (e edge) value() string {
	if e.FollowedAt != "" {
		return e.FollowedAt
	}
	return e.Node.value()
}

func (n node) value() string { return fmt.Sprint(n.Version, " ", n.Status) }

// receive adds a message to the chain. It reports whether the message is an event, and not a state.
func (s *subscription) receive(m subscriber.Message) (isEvent bool, err error) {
	var data struct{ E *event }
	if err := json.Unmarshal(m.Data, &data); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	isResumed := s.position != ""
	if s.position = m.Extensions.Live.Position; s.position == "" {
		return false, errors.New("there is no position")
	}
	if data.E == nil {
		return false, errors.New("there is no event")
	}
	// A state is read, and an event is not.
	isState := m.Extensions.Cost.Requests+m.Extensions.Cost.ReusedReads > 0
	if isState && isResumed {
		s.refreshed++
	}
	switch e := data.E; {
	case !isState && !isResumed:
		return false, errors.New("the first message is no state")
	case s.field == liveOrder && isState:
		s.begin(map[string]string{e.ID: e.value()}, true)
	case s.field == liveOrder:
		s.add(received{e.ID, changed, e.value()})
	case isState != (e.Change == current):
		return false, fmt.Errorf("%s, although %d requests were sent", e.Change, m.Extensions.Cost.Requests)
	case isState:
		first := map[string]string{}
		for _, edge := range e.Connection.Edges {
			first[edge.Node.ID] = edge.value()
		}
		s.begin(first, !e.Connection.PageInfo.HasNextPage)
	case e.Change == removed:
		s.add(received{id: e.NodeID, change: removed})
	case e.Edge == nil || e.Edge.Node.ID != e.NodeID:
		return false, fmt.Errorf("the node is %q and the edge %+v", e.NodeID, e.Edge)
	default:
		s.add(received{e.NodeID, e.Change, e.Edge.value()})
	}
	return !isState, nil
}

func (s *subscription) begin(first map[string]string, isWhole bool) {
	s.chains = append(s.chains, &chain{asked: s.asked, began: time.Now(), first: first, isWhole: isWhole})
}

func (s *subscription) add(r received) {
	last := s.chains[len(s.chains)-1]
	last.events = append(last.events, r)
}

// hasBegun reports whether there has been a first state.
func (s *subscription) hasBegun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.chains) > 0
}

// check compares what the subscription has received with all steps of its range.
func (s *subscription) check(steps map[string][]step) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.position == "" {
		return errors.New("no first state since it began again")
	}
	for i, c := range s.chains {
		for _, e := range c.events {
			if steps[e.id] == nil {
				return fmt.Errorf("chain %d has %v, which nobody wrote", i, e)
			}
		}
	}
	// What an index has may be behind, so that it can even go back if a subscription begins again.
	isStrong := s.field != liveStatus
	for id, all := range steps {
		seen := 0
		for i, c := range s.chains {
			var err error
			if seen, err = c.check(id, all, seen, isStrong, i == len(s.chains)-1); err != nil {
				return fmt.Errorf("chain %d of %d: %w", i+1, len(s.chains), err)
			}
			if !isStrong {
				seen = 0
			}
		}
	}
	return nil
}

// checkState compares the state that the subscriber knows with the whole range, as it is read by a query.
func (s *subscription) checkState(read map[string]string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.chains[len(s.chains)-1]
	known := last.known()
	var wrong []string
	for id, value := range known {
		if read[id] != value {
			wrong = append(wrong, fmt.Sprintf("%s is %q, in the table %q", id, value, read[id]))
		}
	}
	for id, value := range read {
		if _, is := known[id]; !is && last.isWhole {
			wrong = append(wrong, fmt.Sprintf("%s is unknown, in the table %q", id, value))
		}
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}
