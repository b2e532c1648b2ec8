package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
)

// betweenKills is how many events all subscribers together receive before the next kill.
var betweenKills = int64(2 * crashWriters)

// followPause leaves the CPUs to what follows: the engine takes the longer for a write the more records its stream has.
const followPause = 400 * time.Millisecond

// quiet is how long nothing may be received while something is missing: far longer than anything takes.
const quiet = 2 * time.Minute

// TestLive: whichever process is killed while many callers write, and whichever connections are cut, each subscriber
// receives each change of its range once and in order, and knows the state of the table at the end.
func TestLive(t *testing.T) {
	t.Parallel()
	settings := []string{"DATA_DIR=" + t.TempDir()}
	processtest.Run(t, "table create", settings...) // or it would be filled with the demo data
	follow(t, kills, func() {}, settings...)
}

// TestLiveAmongFaults is TestLive for a table that also rejects requests, and whose answers are lost.
func TestLiveAmongFaults(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, tableSchema())
	e.Proxy.Inject(tabletest.Faults{Throttled: 0.02, Failed: 0.01, Reset: 0.02, Lost: 0.02, Conflict: 0.02})
	// The engine carries out one request at a time: more of them in flight only delay those for the stream by seconds.
	settings := []string{"DYNAMODB_ENDPOINT=" + e.Proxy.URL(), "DYNAMODB_CONNECTIONS=8"}
	follow(t, []kill{killServer}, func() { e.Proxy.Inject(tabletest.Faults{}) }, settings...)
}

// follow lets many callers write and many more subscribe, while processes are killed. calm ends the faults of
// the table before it is checked.
func follow(t *testing.T, kills []kill, calm func(), settings ...string) {
	t.Helper()
	random := crashRandom()
	settings = append(settings, "READ_UNITS_BUCKET=0", "CURSOR_SECRET=the same for all gateways, 32 bytes or more")
	start := func() *processtest.Process { return processtest.Start(t, settings...) }
	s, p := crowdtest.NewService(), start()
	s.Up(p.URL)
	crowd, err := newCrowd(t.Context(), s, crashWriters)
	fatal.If(t, err)
	crowd.history, crowd.pause = newHistory(), followPause
	crowd.begin(t)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	audience := newAudience(crowd, []*crowdtest.Service{s})
	for _, l := range audience.all {
		group.Go(func() error { return l.run(ctx) })
	}
	if err := audience.await(ctx, (*subscription).hasBegun); err != nil {
		t.Error("nothing was killed yet:", err, group.Wait())
		return
	}
	writers, writing := errgroup.WithContext(ctx)
	for _, w := range crowd.writers {
		writers.Go(func() error { return w.run(writing) })
	}
	p = killRepeatedly(writing, t, random, crashKills, audience.before(writing, kills), p, s, start)
	crowd.stop()
	if err := writers.Wait(); err != nil {
		t.Fatal(err, group.Wait())
	}
	calm()
	audience.check(ctx, t, crowd.history, p.URL)
	// What comes after the last event of a subscription comes before its end.
	audience.closing.Store(true)
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
	s.Down()
	cancel()
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	for _, s := range audience.subscriptions() {
		if err := s.check(crowd.history.steps()[s.scope]); err != nil {
			t.Errorf("after the gateway's end, %v: %v", s, err)
		}
	}
	wantClean(t, settings...)
	crowd.check(t, processtest.Export(t, settings...))
	t.Log(crowd.summary())
	t.Log(audience.summary())
}

// begin lets each writer create a user and place its first order.
func (c *crowd) begin(t *testing.T) {
	t.Helper()
	group, ctx := errgroup.WithContext(t.Context())
	for _, w := range c.writers {
		group.Go(func() error {
			if err := w.begin(ctx); err != nil {
				return err
			}
			return w.placeOrder(ctx, w.firstKey(), 1)
		})
	}
	fatal.If(t, group.Wait())
}

func (w *writer) firstKey() string { return w.Name + "-key1" }

func (w *writer) firstOrder() string { return w.orders[w.firstKey()].id }

// before returns kills that happen after some more events.
func (a *audience) before(ctx context.Context, kills []kill) []kill {
	later := make([]kill, len(kills))
	for i, k := range kills {
		later[i] = func(t *testing.T, p *processtest.Process, s *crowdtest.Service) {
			t.Helper()
			enough := a.events.Load() + betweenKills
			if err := a.awaitProgress(ctx, func() bool { return a.events.Load() >= enough }); err != nil {
				t.Errorf("before a kill, with %d events: %v", a.events.Load(), err)
			}
			k(t, p, s)
		}
	}
	return later
}

// await waits until a condition is true of all subscriptions at once. It is an error if it is not, and nothing is
// received.
func (a *audience) await(ctx context.Context, is func(*subscription) bool) error {
	all := a.subscriptions()
	isNot := func(s *subscription) bool { return !is(s) }
	for i := slices.IndexFunc(all, isNot); i >= 0; i = slices.IndexFunc(all, isNot) {
		if err := a.awaitProgress(ctx, func() bool { return is(all[i]) }); err != nil {
			return fmt.Errorf("%v: %w", all[i], err)
		}
	}
	return nil
}

// awaitProgress waits until a condition is true. It is an error if it is not, and nothing is received.
func (a *audience) awaitProgress(ctx context.Context, is func() bool) error {
	for !is() {
		select {
		case <-a.progress:
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(quiet):
			return fmt.Errorf("nothing has been received for %v", quiet)
		}
	}
	return nil
}

// check waits until all subscriptions have received all steps, and compares what they know with what a query reads.
func (a *audience) check(ctx context.Context, t *testing.T, h *history, url string) {
	t.Helper()
	a.isWhole.Store(true)
	steps := h.steps()
	err := a.await(ctx, func(s *subscription) bool { return s.check(steps[s.scope]) == nil })
	if err != nil {
		t.Error(err)
	}
	read := map[scope]map[string]string{}
	failed := 0
	for _, s := range a.subscriptions() {
		err := s.check(steps[s.scope])
		if err == nil {
			if read[s.scope] == nil {
				read[s.scope] = readScope(ctx, t, a.client, url, s)
			}
			err = s.checkState(read[s.scope])
		}
		if err != nil {
			if failed++; failed <= 10 {
				t.Errorf("%v: %v", s, err)
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d subscriptions have not received what was written", failed)
	}
}

// readScope returns what queries read of a whole scope, by the ids of the objects.
func readScope(ctx context.Context, t *testing.T, client *http.Client, url string, s *subscription) map[string]string {
	t.Helper()
	read := map[string]string{}
	for after, more := "", true; more; {
		page := readPart(ctx, t, client, url, s, after)
		for _, edge := range page.Edges {
			read[edge.Node.ID] = edge.value()
		}
		after, more = page.PageInfo.EndCursor, page.PageInfo.HasNextPage
	}
	return read
}

// queries are the fields that read what a live field has; each is a connection, or an order.
var queries = map[string]string{
	liveOrder:     `query($of: ID!) { e: order(id: $of) { id version status } }`,
	liveOrders:    `query($of: ID!, $after: String) { e: user(id: $of) { c: orders(first: 100, after: $after) %s } }`,
	liveFollowers: `query($of: ID!, $after: String) { e: user(id: $of) { c: followers(first: 100, after: $after) %s } }`,
	liveStatus: `query($of: OrderStatus!, $after: String) {
		c: ordersByStatus(status: $of, first: 100, after: $after) %s }`,
}

type connection struct {
	Edges    []edge
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
}

func readPart(
	ctx context.Context, t *testing.T, client *http.Client, url string, s *subscription, after string,
) (page connection) {
	t.Helper()
	query := queries[s.field]
	if s.field != liveOrder {
		query = fmt.Sprintf(query, "{ edges { "+selections[s.field]+" } pageInfo { hasNextPage endCursor } }")
	}
	variables := map[string]any{"of": s.argument}
	if after != "" {
		variables["after"] = after
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	fatal.If(t, err)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", bytes.NewReader(body))
	fatal.If(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Partita-Consistency", "strong")
	fatal.If(t, processtest.SignIn(request, s.viewer))
	response, err := client.Do(request)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Data struct {
			E struct {
				node
				C connection
			}
			C connection
		}
		Errors []struct{ Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || len(answer.Errors) > 0 {
		t.Fatalf("%v: %v %v", s, err, answer.Errors)
	}
	switch s.field {
	case liveOrder:
		page.Edges = []edge{{Node: answer.Data.E.node}}
	case liveStatus:
		page = answer.Data.C
	default:
		page = answer.Data.E.C
	}
	return page
}
