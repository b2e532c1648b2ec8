package gateway_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/gateway/internal/testschema"
	"github.com/partita/partita/internal/gatewaytest"
)

// withSubscriptions is a schema with the field numbers(text: String) of subscriptions.
type withSubscriptions struct {
	executable
	schema *ast.Schema
}

func (s withSubscriptions) Schema() *ast.Schema { return s.schema }

func newWithSubscriptions(s executable) withSubscriptions {
	with := *s.Schema()
	with.Types = maps.Clone(with.Types)
	with.Subscription = &ast.Definition{
		Kind: ast.Object, Name: "Subscription",
		Fields: ast.FieldList{{
			Name: "text", Type: ast.NamedType("String", nil),
			Arguments: ast.ArgumentDefinitionList{{Name: "of", Type: ast.NamedType("String", nil)}},
		}},
	}
	with.Types["Subscription"] = with.Subscription
	return withSubscriptions{s, &with}
}

// feeds are the subscriptions of a test, each named by its variable "of".
type feeds struct {
	mu   sync.Mutex
	open map[string]*testFeed
	// begun has the name of each that begins.
	begun chan string
	// rejected is the code with which none begins.
	rejected string
}

// testFeed has the events of a subscription.
type testFeed struct {
	of     *feeds
	name   string
	events chan event
	// asked has a value whenever the next event is waited for.
	asked  chan struct{}
	closed chan struct{}
	after  string
}

type event struct{ data, position, code string }

func (f *testFeed) Next(ctx context.Context) (data, position, code string) {
	select {
	case f.asked <- struct{}{}:
	default:
	}
	select {
	case e := <-f.events:
		return e.data, e.position, e.code
	case <-ctx.Done():
		return "", "", "CANCELLED"
	}
}

func (f *testFeed) Close() {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	delete(f.of.open, f.name)
	close(f.closed)
}

func (f *feeds) subscribe(_ context.Context, variables, extensions map[string]any) (gateway.Feed, string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rejected != "" {
		return nil, f.rejected
	}
	name, _ := variables["of"].(string)
	feed := &testFeed{
		of: f, name: name, events: make(chan event), asked: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	if live, is := extensions["live"].(map[string]any); is {
		feed.after, _ = live["position"].(string)
	}
	f.open[name] = feed
	f.begun <- name
	return feed, ""
}

// next returns the subscription that begins next.
func (f *feeds) next(t *testing.T) *testFeed {
	t.Helper()
	select {
	case name := <-f.begun:
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.open[name]
	case <-t.Context().Done():
		t.Fatal("no subscription begins")
		return nil
	}
}

// send sends an event.
func (f *testFeed) send(t *testing.T, e event) {
	t.Helper()
	select {
	case f.events <- e:
	case <-f.closed:
		t.Errorf("the subscription %s has ended", f.name)
	}
}

// withFeeds returns the configuration of a gateway whose subscriptions are those of the test. The header Test-Viewer names
// the viewer.
func withFeeds(t *testing.T) (gateway.Config, *feeds, *log) {
	t.Helper()
	c, lines := config(t)
	c.Schema = newWithSubscriptions(schema(&testschema.Resolver{}))
	c.Authenticate = gatewaytest.Authenticate
	f := &feeds{open: map[string]*testFeed{}, begun: make(chan string, 10_000)}
	return c.WithFeeds(f.subscribe), f, lines
}

// subscription is the JSON of a request for the subscription of a name.
func subscription(name string) string {
	return fmt.Sprintf(`{"query":"subscription S($of: String) { text(of: $of) }","variables":{"of":%q}}`, name)
}

func text(value string) string { return fmt.Sprintf(`{"text":%q}`, value) }

func TestSubscriptionNeedsAStream(t *testing.T) {
	c, _, _ := withFeeds(t)
	a := postBody(t, serve(t, c), subscription("a"), "Accept", "application/graphql-response+json")
	if !a.isError(406, "BAD_REQUEST", "WebSocket") || !strings.Contains(a.body, "text/event-stream") ||
		!strings.Contains(a.body, "subscriptionSpec=1.0") {
		t.Errorf("got %d %s", a.status, a.body)
	}
}
