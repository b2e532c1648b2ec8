package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/viewer"
)

// TestSoak: a gateway with many callers, over a table that fails now and then, leaks neither memory nor goroutines.
func TestSoak(t *testing.T) {
	t.Parallel()
	e := tabletest.StartSeeded(t, demoData)
	e.Proxy.Inject(tabletest.Faults{Unprocessed: 0.05, Throttled: 0.05, Failed: 0.01, Reset: 0.01})
	p := processtest.Start(t, "DYNAMODB_ENDPOINT="+e.Proxy.URL(), "METRICS_ADDR=127.0.0.1:0")
	idle := sampleOf(t, p)
	t.Logf("idle: %v", idle)
	shoppers := demoUsers()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	answered := make(chan struct{}, soakConnections)
	users := make([]*soaker, soakConnections)
	for i := range users {
		users[i] = newSoaker(p.URL, soak.Seed+uint64(i), shoppers[i%len(shoppers)])
		group.Go(func() error { return users[i].run(ctx, answered) })
	}
	var samples []sample
	for len(samples) < soakSamples && ctx.Err() == nil {
		for range soak.Times(soakAnswers) / soakSamples {
			select {
			case <-answered:
			case <-ctx.Done():
			}
		}
		// The record of requests and faults is this process's, and grows.
		e.Proxy.Reset()
		samples = append(samples, sampleOf(t, p))
	}
	cancel()
	fatal.If(t, group.Wait())
	for _, u := range users {
		u.client.CloseIdleConnections()
	}
	answers := map[string]int{}
	for _, u := range users {
		for outcome, n := range u.answers {
			answers[outcome] += n
		}
	}
	t.Logf("answers: %v", answers)
	for i, s := range samples {
		t.Logf("%3d %%: %v", (i+1)*100/soakSamples, s)
	}
	if answers["200"] == 0 {
		t.Error("nothing was answered")
	}
	// Caches, pools and the heap reach their size in the first half. soakSwing is far less than what a leak for each
	// answer would add in the second.
	warm, late := slices.MaxFunc(samples[:soakSamples/2], byMemory), slices.MaxFunc(samples[soakSamples/2:], byMemory)
	if late.memory > warm.memory+soakSwing {
		t.Errorf("memory grew from %v to %v under the same load", warm, late)
	}
	after := sampleOf(t, p)
	for giveUp := time.Now().Add(soakDrain); after.goroutines > idle.goroutines+soakSlack && time.Now().Before(giveUp); {
		<-time.After(soakPause)
		after = sampleOf(t, p)
	}
	t.Logf("after: %v", after)
	if after.goroutines > idle.goroutines+soakSlack {
		t.Errorf("%.0f goroutines, %.0f before", after.goroutines, idle.goroutines)
	}
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
}

const (
	soakConnections = 64
	soakSamples     = 20
	soakAnswers     = 2000
	// soakSwing is in bytes.
	soakSwing = 64e6
	// soakDrain is how long goroutines may take to end, far more than they do; soakPause is the time between two looks.
	soakDrain = 2 * time.Minute
	soakPause = 100 * time.Millisecond
)

// soakSlack is for goroutines that connections to DynamoDB and to this test keep,
// two each, while they are idle: those of the connection pool, which is bounded.
const soakSlack = 2*256 + 16

// sample is the resource usage of the process.
type sample struct {
	memory, heap float64 // bytes
	goroutines   float64
}

func byMemory(a, b sample) int { return int(a.memory - b.memory) }

func (s sample) String() string {
	return fmt.Sprintf("%.0f MB resident, %.0f MB heap, %.0f goroutines", s.memory/1e6, s.heap/1e6, s.goroutines)
}

var metricLine = regexp.MustCompile(`(?m)^(\w+) ([-+.e\d]+)$`)

func sampleOf(t *testing.T, p *processtest.Process) sample {
	t.Helper()
	_, body := processtest.Get(t, "http://"+p.MetricsAddress+"/metrics")
	values := map[string]float64{}
	for _, m := range metricLine.FindAllStringSubmatch(body, -1) {
		values[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	s := sample{values["process_resident_memory_bytes"], values["go_memstats_heap_alloc_bytes"], values["go_goroutines"]}
	if s.memory == 0 || s.heap == 0 || s.goroutines == 0 {
		t.Fatalf("the metrics lack something: %+v", s)
	}
	return s
}

// soaker is a client that sends one operation after the other.
type soaker struct {
	url, user string
	random    *rand.Rand
	client    *http.Client
	// answers counts statuses, and codes of errors.
	answers map[string]int
}

// demoUsers are the ids of the demo data's users, Ada's first, as they are stored.
func demoUsers() []string {
	var ids []string
	for it := range demo.Items() {
		if it.Type() == "User" {
			ids = append(ids, it.Text("id"))
		}
	}
	return ids
}

func newSoaker(url string, seed uint64, user string) *soaker {
	return &soaker{
		url: url + "/graphql", user: user,
		random:  rand.New(rand.NewPCG(seed, 0)),
		client:  &http.Client{Transport: &http.Transport{}},
		answers: map[string]int{},
	}
}

// run sends operations until the context ends, and reports each answer.
func (s *soaker) run(ctx context.Context, answered chan<- struct{}) error {
	for {
		if err := s.send(ctx); errors.Is(err, context.Canceled) {
			return nil
		} else if err != nil {
			return err
		}
		select {
		case answered <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *soaker) send(ctx context.Context) error {
	body, err := json.Marshal(map[string]any{"query": s.query(), "variables": map[string]any{"id": demo.Ada().Encode()}})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if s.random.IntN(10) > 0 {
		if err := processtest.SignIn(request, viewer.Viewer{ID: s.user, Roles: []string{"ADMIN"}}); err != nil {
			return err
		}
	}
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	s.answers[strconv.Itoa(response.StatusCode)]++
	for _, e := range answer.Errors {
		if s.answers[e.Extensions.Code]++; e.Extensions.Code == "INTERNAL_SERVER_ERROR" {
			return fmt.Errorf("the gateway failed at %s", body)
		}
	}
	return nil
}

// query returns a random operation; some are not valid.
func (s *soaker) query() string {
	n := 1 + s.random.IntN(20)
	switch s.random.IntN(11) {
	case 0:
		return fmt.Sprintf(`query Profile($id: ID!) { user(id: $id) { name followerCount
			followers(first: %d) { totalCount nodes { id name } } } }`, n)
	case 1:
		return fmt.Sprintf(`query Orders($id: ID!) { user(id: $id) {
			orders(first: %d) { nodes { status items(first: 5) { nodes { sku } } } } } }`, n)
	case 2:
		return fmt.Sprintf(`query Circle($id: ID!) { user(id: $id) {
			following(first: %d) { nodes { name following(first: 3) { nodes { name } } } } } }`, n)
	case 3:
		return fmt.Sprintf(`query Work($id: ID!) { ordersByStatus(status: PENDING, first: %d) {
			nodes { id customer { name } } } node(id: $id) { id } }`, n)
	case 4:
		return fmt.Sprintf(`query Back($id: ID!) { user(id: $id) {
			followers(last: %d) { pageInfo { startCursor } edges { followedAt } } } }`, n)
	case 5: // another document each time, for the caches
		return fmt.Sprintf(`query Once%d($id: ID!) { user(id: $id) { name } }`, s.random.Uint64())
	case 6:
		return strings.Repeat("{ user ", n)
	case 7:
		return `mutation Follow($id: ID!) { followUser(input: { followeeId: $id }) { follow { id } userErrors { code } } }`
	case 8:
		return `mutation Unfollow($id: ID!) { unfollowUser(input: { followeeId: $id }) { userErrors { code } } }`
	case 9:
		return fmt.Sprintf(`mutation Order { placeOrder(input: { idempotencyKey: "%x", currency: "EUR", lines: [
			{ sku: "TEA-001", name: "Tea", quantity: %d, price: 500 }] }) { order { id items(first: 1) { nodes { id } } }
			userErrors { code } } }`, s.random.Uint64(), n)
	default:
		return fmt.Sprintf(`query Wrong($id: ID!) { user(id: $id) { name%d } }`, n)
	}
}
