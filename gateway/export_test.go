package gateway

import (
	"context"
	"encoding/json"
	"net/http"
)

// WithoutTable is for tests that replace some methods of the default Engine.
var WithoutTable = withoutTable

// A Feed is a subscription of a test.
type Feed interface {
	// Next returns the next answer's data and position; an error with its code if there is one.
	Next(ctx context.Context) (data, position, code string)
	Close()
}

// WithFeeds replaces how subscriptions begin. A code is that of an error.
func (c Config) WithFeeds(subscribe func(ctx context.Context, variables, extensions map[string]any) (Feed, string)) Config {
	c.subscribe = func(_ *endpoint, ctx context.Context, req request) (feed, *requestError) {
		f, code := subscribe(ctx, req.variables, req.extensions)
		if code != "" {
			return nil, requestErrorf(http.StatusServiceUnavailable, code, "The test wants it.")
		}
		return testFeed{f}, nil
	}
	return c
}

type testFeed struct{ Feed }

func (f testFeed) next(ctx context.Context) (result, *requestError) {
	data, position, code := f.Next(ctx)
	if code != "" {
		return result{}, requestErrorf(http.StatusServiceUnavailable, code, "The test wants it.")
	}
	r := result{data: json.RawMessage(data)}
	if position != "" {
		r.extensions = map[string]any{extensionLive: map[string]any{livePosition: position}}
	}
	return r, nil
}

func (f testFeed) close() { f.Close() }
