package gateway_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/internal/testschema"
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
	mu sync.Mutex
	// begun has each that begins.
	begun chan *testFeed
	// rejected is the code with which none begins.
	rejected string
}

// testFeed has the events of a subscription.
type testFeed struct {
	name   string
	events chan event
	closed chan struct{}
	after  string
}

type event struct{ data, position, code string }

func (f *testFeed) Next(ctx context.Context) (data, position, code string) {
	select {
	case e := <-f.events:
		return e.data, e.position, e.code
	case <-ctx.Done():
		return "", "", "CANCELLED"
	}
}

func (f *testFeed) Close() { close(f.closed) }

func (f *feeds) subscribe(_ context.Context, variables, extensions map[string]any) (gateway.Feed, string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rejected != "" {
		return nil, f.rejected
	}
	name, _ := variables["of"].(string)
	feed := &testFeed{
		name: name, events: make(chan event), closed: make(chan struct{}),
	}
	if live, is := extensions["live"].(map[string]any); is {
		feed.after, _ = live["position"].(string)
	}
	f.begun <- feed
	return feed, ""
}

// next returns the subscription that begins next.
func (f *feeds) next(t *testing.T) *testFeed {
	t.Helper()
	select {
	case feed := <-f.begun:
		return feed
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

// withFeeds returns the configuration of a gateway whose subscriptions are those of the test. Its viewers are those of
// gatewaytest.Authorization.
func withFeeds(t *testing.T) (gateway.Config, *feeds, *log) {
	t.Helper()
	c, lines := config(t)
	c.Schema = newWithSubscriptions(schema(&testschema.Resolver{}))
	c.Callers.Authenticate = gatewaytest.Authenticate
	f := &feeds{begun: make(chan *testFeed, 100)}
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
