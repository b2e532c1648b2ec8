package gateway

import (
	"context"
	"encoding/json"
	"net/http"

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
		return testFeed{f}, nil
	}
	return c
}

type testFeed struct{ feed Feed }

func (f testFeed) Next(ctx context.Context) (response.Result, *response.Error) {
	data, position, code := f.feed.Next(ctx)
	if code != "" {
		return response.Result{}, response.Errorf(http.StatusServiceUnavailable, code, "The test wants it.")
	}
	r := response.Result{Data: json.RawMessage(data), Cost: response.Cost{ReadUnits: 1.5}}
	if position != "" {
		r.Extensions = map[string]any{subscribe.ExtensionLive: map[string]any{subscribe.LivePosition: position}}
	}
	return r, nil
}

func (f testFeed) Close(context.Context) { f.feed.Close() }

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
	next  func() (response.Result, *response.Error)
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
	return &Subscription{begun, func() (response.Result, *response.Error) { return begun.Next(ctx) }}, ""
}

// Next returns the body of the next answer, or of the error that ends the subscription.
func (s *Subscription) Next() (body string, isEnd bool) {
	answer, err := s.next()
	if err != nil {
		return bodyOf(response.Result{Errors: err.Errors, Cost: err.Cost}), true
	}
	return bodyOf(answer), false
}

// Close ends the subscription.
func (s *Subscription) Close() { s.begun.Close(context.Background()) }

func bodyOf(r response.Result) string {
	extensions := map[string]any{"cost": r.Cost}
	for name, value := range r.Extensions {
		extensions[name] = value
	}
	text, err := json.Marshal(map[string]any{"data": r.Data, "errors": r.Errors, "extensions": extensions})
	if err != nil {
		panic(err)
	}
	return string(text)
}
