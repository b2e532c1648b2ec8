package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/viewer"
)

// A Feed is a subscription of a test.
type Feed interface {
	// Next returns the next answer's data and position; an error with its code if there is one.
	Next(ctx context.Context) (data, position, code string)
	Close()
}

// WithFeeds replaces how subscriptions begin. A code is that of an error.
func (c Config) WithFeeds(
	begin func(ctx context.Context, variables, extensions map[string]any) (Feed, string),
) Config {
	c.Subscriptions.Begin = func(ctx context.Context, req operation.Request) (subscribe.Feed, *response.Error) {
		f, code := begin(ctx, req.Variables, req.Extensions)
		if code != "" {
			return nil, response.Errorf(http.StatusServiceUnavailable, code, "The test wants it.")
		}
		next := func() (answer testAnswer) {
			answer.data, answer.position, answer.code = f.Next(ctx)
			return answer
		}
		return &testFeed{next: next, close: f.Close}, nil
	}
	return c
}

type testFeed struct {
	next  func() testAnswer // waits
	close func()

	mu      sync.Mutex
	answers []testAnswer
}

type testAnswer struct{ data, position, code string }

// Notify waits for answers in a goroutine, which ends with the feed: its last answer has a code.
func (f *testFeed) Notify(ready, _ func()) {
	go func() {
		for last := (testAnswer{}); last.code == ""; ready() {
			last = f.next()
			f.mu.Lock()
			f.answers = append(f.answers, last)
			f.mu.Unlock()
		}
	}()
}

func (f *testFeed) Next(context.Context) (response.Result, bool, *response.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.answers) == 0 {
		return response.Result{}, false, nil
	}
	next := f.answers[0]
	f.answers = f.answers[1:]
	if next.code != "" {
		return response.Result{}, false, response.Errorf(http.StatusServiceUnavailable, next.code, "The test wants it.")
	}
	return response.Result{
		Data: json.RawMessage(next.data), Position: next.position, Cost: response.Cost{ReadUnits: 1.5},
	}, true, nil
}

func (f *testFeed) Close(context.Context) { f.close() }

// Subscriber begins subscriptions without a transport.
type Subscriber struct{ endpoint *endpoint }

// NewSubscriber returns the Subscriber of a gateway.
func NewSubscriber(c Config) Subscriber {
	c = c.withDefaults()
	return Subscriber{newEndpoint(c, browser.NewGuard(c.Browser))}
}

// Subscription is a subscription without a transport.
type Subscription struct {
	begun *subscribe.Subscription
	next  func() (answer response.Result, isAny bool, err *response.Error)
	ready <-chan struct{}
	ended <-chan struct{}
}

// Subscribe begins a subscription of a viewer. It returns the body of the response instead if it cannot begin.
func (s Subscriber) Subscribe(
	ctx context.Context, v viewer.Viewer, query string, variables map[string]any, position string,
) (*Subscription, string) {
	e := s.endpoint
	seat := &operation.Seat{Shares: e.Shares}
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "/graphql", nil)
	seat.Sit(operation.CallerOf(v, r, nil))
	log := &logging.Request{ID: "test", Logger: e.config.Monitoring.Logger}
	ctx = viewer.NewContext(logging.WithRequest(seat.Within(ctx), log), v)
	params := document.Parameters{Query: query, Variables: variables}
	if position != "" {
		params.Extensions = map[string]any{"live": map[string]any{"position": position}}
	}
	req, err := e.Load(r.WithContext(ctx), params, &operation.Line{})
	if err != nil {
		return nil, bodyOf(response.Result{Errors: err.Errors})
	}
	begun, err := e.streams.Begin(ctx, req)
	if err != nil {
		return nil, bodyOf(response.Result{Errors: err.Errors})
	}
	ready := make(chan struct{}, 1)
	begun.Notify(func() {
		select {
		case ready <- struct{}{}:
		default:
		}
	}, func() {})
	next := func() (response.Result, bool, *response.Error) { return begun.Next(ctx) }
	return &Subscription{begun, next, ready, ctx.Done()}, ""
}

// Next waits for the next answer and returns its body, or that of the error that ends the subscription, as the end of
// its context does.
func (s *Subscription) Next() (body string, isEnd bool) {
	for {
		body, isAny, isEnd := s.Poll()
		if isAny || isEnd {
			return body, isEnd
		}
		select {
		case <-s.ready:
		case <-s.ended:
			return bodyOf(response.Result{}), true
		}
	}
}

// Poll is Next if there is an answer.
func (s *Subscription) Poll() (body string, isAny, isEnd bool) {
	answer, isAny, err := s.next()
	if err != nil {
		return bodyOf(response.Result{Errors: err.Errors, Cost: err.Cost}), false, true
	}
	return bodyOf(answer), isAny, false
}

// Close ends the subscription.
func (s *Subscription) Close() { s.begun.Close(context.Background()) }

func bodyOf(r response.Result) string {
	extensions := map[string]any{"cost": r.Cost}
	for name, value := range r.Extensions {
		extensions[name] = value
	}
	if r.Position != "" {
		extensions[response.ExtensionLive] = map[string]any{response.LivePosition: r.Position}
	}
	text, err := json.Marshal(map[string]any{"data": r.Data, "errors": r.Errors, "extensions": extensions})
	if err != nil {
		panic(err)
	}
	return string(text)
}
