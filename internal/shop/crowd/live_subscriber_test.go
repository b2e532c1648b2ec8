package crowd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/gateway/subscriber"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/viewer"
)

const (
	// cutEvery is of how many events one cuts its connection.
	cutEvery = 200
	// forgetEvery is of how many cut subscriptions one forgets its position.
	forgetEvery = 4
	// retryPause is the time between attempts to subscribe while the gateway is not available.
	retryPause = time.Second
)

// audience are all subscribers of a test.
type audience struct {
	// services are the gateways. A connection is to one of them, the next one perhaps to another.
	services []*crowdtest.Service
	client   *http.Client
	all      []*listener
	// progress has a value if something has been received since it was last empty.
	progress chan struct{}
	// closing reports that connections that end are not opened again.
	closing atomic.Bool
	// isWhole reports that no connection is cut any more.
	isWhole      atomic.Bool
	cuts, events atomic.Int64
	// breaks are the codes that ended subscriptions.
	mu     sync.Mutex
	breaks map[string]int
}

// listener is a client with one connection after the other, and the same subscriptions on each.
type listener struct {
	*audience
	viewer        viewer.Viewer
	isEvents      bool // server-sent events, with one subscription
	random        *rand.Rand
	subscriptions []*subscription

	serial int
	by     map[string]*subscription // by the id of the connection's messages
}

// newAudience returns five subscribers for each writer: for each its orders, its first order, and the followers of two
// popular users over one WebSocket; one in five shares a WebSocket of the staff or uses server-sent events.
func newAudience(c *crowd, services []*crowdtest.Service) *audience {
	a := &audience{
		services: services, progress: make(chan struct{}, 1), breaks: map[string]int{},
		client: &http.Client{Transport: &http.Transport{}},
	}
	admins := 0
	staff := func(wanted ...*subscription) {
		admins++
		v := viewer.Viewer{ID: fmt.Sprint("admin", admins), Roles: []string{"ADMIN"}}
		a.listen(v, false, wanted...)
	}
	for i, w := range c.writers {
		as := viewer.Viewer{ID: w.own.raw()}
		popular := func(n int) string { return c.popular[(i+n)%len(c.popular)].id }
		a.listen(as, false,
			subscribe(liveOrders, w.own.id, 100), subscribe(liveOrder, w.firstOrder(), 0),
			subscribe(liveFollowers, popular(0), 100), subscribe(liveFollowers, popular(3), 2))
		switch {
		case i%20 == 0:
			var wanted []*subscription
			for _, status := range []string{"PENDING", "PAID", "SHIPPED", "DELIVERED", "CANCELLED"} {
				wanted = append(wanted, subscribe(liveStatus, status, 2+98*(i/20%2)))
			}
			staff(wanted...)
		case i%10 == 1:
			staff(subscribe(liveOrder, w.firstOrder(), 0), subscribe(liveOrders, w.own.id, 1),
				subscribe(liveOrder, c.writers[i-1].firstOrder(), 0))
		case i%2 == 0:
			a.listen(as, true, subscribe(liveFollowers, popular(5), 100))
		}
	}
	return a
}

func subscribe(field, argument string, first int) *subscription {
	return &subscription{scope: scope{field, argument}, first: first}
}

func (a *audience) listen(as viewer.Viewer, isEvents bool, wanted ...*subscription) {
	for _, s := range wanted {
		s.viewer = as
	}
	random := rand.New(rand.NewPCG(soak.Seed, uint64(len(a.all))+1e6))
	a.all = append(a.all, &listener{audience: a, viewer: as, isEvents: isEvents, random: random, subscriptions: wanted})
}

// subscriptions returns those of all listeners.
func (a *audience) subscriptions() (all []*subscription) {
	for _, l := range a.all {
		all = append(all, l.subscriptions...)
	}
	return all
}

func (a *audience) summary() string {
	resumed, refreshed, restarted, events, chains := 0, 0, 0, 0, 0
	for _, s := range a.subscriptions() {
		resumed += s.resumed
		refreshed += s.refreshed
		restarted += s.restarted
		chains += len(s.chains)
		for _, c := range s.chains {
			events += len(c.events)
		}
	}
	return fmt.Sprintf("%d subscriptions on %d connections received %d first states and %d events; %d connections were "+
		"cut; subscriptions resumed %d times, %d of them with the state, and began again %d times because they had to; "+
		"errors ended them %v",
		len(a.subscriptions()), len(a.all), chains, events, a.cuts.Load(), resumed, refreshed, restarted, a.breaks)
}

// run keeps a connection until the context ends or the audience is closing.
func (l *listener) run(ctx context.Context) error {
	for ctx.Err() == nil && !l.closing.Load() {
		url, err := l.services[l.random.IntN(len(l.services))].Address(ctx)
		if err == nil {
			err = l.connect(ctx, url+"/graphql")
		}
		if wrong := (*wrongError)(nil); errors.As(err, &wrong) {
			return wrong
		}
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
		}
	}
	return nil
}

// wrongError is something that may not happen, whatever is killed.
type wrongError struct{ error }

func (l *listener) connect(ctx context.Context, url string) (err error) {
	authorization, err := authorizationOf(l.viewer)
	if err != nil {
		return &wrongError{err}
	}
	var conn subscriber.Connection
	if l.isEvents {
		conn = subscriber.Events(l.client, url, authorization)
	} else if conn, err = subscriber.Dial(ctx, url, authorization); err != nil {
		return err
	}
	defer conn.Cut()
	l.by = map[string]*subscription{}
	for _, s := range l.subscriptions {
		if err := l.subscribe(ctx, conn, s); err != nil {
			return err
		}
	}
	for {
		m, err := conn.Receive(ctx)
		if err != nil {
			return err
		}
		if err := l.handle(ctx, conn, m); err != nil {
			return err
		}
	}
}

func (l *listener) subscribe(ctx context.Context, conn subscriber.Connection, s *subscription) error {
	l.serial++
	id := fmt.Sprint(l.serial)
	l.by[id] = s
	return conn.Subscribe(ctx, id, s.request())
}

func (l *listener) handle(ctx context.Context, conn subscriber.Connection, m subscriber.Message) error {
	s := l.by[m.ID]
	if s == nil {
		return &wrongError{fmt.Errorf("a message for %q, which is no subscription", m.ID)}
	}
	switch code := m.Code(); code {
	case "":
		if m.Ended { // the gateway stops
			return errors.New("complete")
		}
		isEvent, err := s.receive(m)
		if err != nil {
			return &wrongError{fmt.Errorf("%v received %s: %w", s, m.Data, err)}
		}
		if isEvent {
			l.events.Add(1)
		}
		select {
		case l.progress <- struct{}{}:
		default:
		}
		return l.maybeCut(conn)
	case "CHANGES_LOST", "POSITION_EXPIRED", "SLOW_CONSUMER", "UNAVAILABLE":
		if m.Ended || l.isEvents {
			return l.again(ctx, conn, s, code)
		}
	}
	return &wrongError{fmt.Errorf("%v received %v", s, m.Errors)}
}

// again subscribes again after an error.
func (l *listener) again(ctx context.Context, conn subscriber.Connection, s *subscription, code string) error {
	l.mu.Lock()
	l.breaks[code]++
	l.mu.Unlock()
	if code == "CHANGES_LOST" || code == "POSITION_EXPIRED" {
		s.restart(true)
	}
	select {
	case <-time.After(retryPause):
	case <-ctx.Done():
		return ctx.Err()
	}
	if l.isEvents {
		return errors.New(code)
	}
	return l.subscribe(ctx, conn, s)
}

// maybeCut cuts the connection now and then. Some of its subscriptions then begin again with a first state.
func (l *listener) maybeCut(conn subscriber.Connection) error {
	if l.random.IntN(cutEvery) > 0 || l.isWhole.Load() {
		return nil
	}
	l.cuts.Add(1)
	conn.Cut()
	for _, s := range l.subscriptions {
		if l.random.IntN(forgetEvery) == 0 {
			s.restart(false)
		}
	}
	return errors.New("cut")
}

// authorizationOf returns the header's value for a viewer.
func authorizationOf(v viewer.Viewer) (string, error) {
	r := &http.Request{Header: http.Header{}}
	err := processtest.SignIn(r, v)
	return r.Header.Get("Authorization"), err
}
