package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/internal/testschema"
)

func get(handler http.Handler, target string) (status int, body string) {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, target, nil))
	return recorder.Code, strings.TrimSpace(recorder.Body.String())
}

func TestHealth(t *testing.T) {
	c, _ := config(t)
	c.Monitoring.Ready = func(context.Context) error { return errors.New("not ready") }
	if status, body := get(gateway.New(c), "/healthz"); status != http.StatusOK || body != `{"status":"ok"}` {
		t.Errorf("got %d %s", status, body)
	}
}

func TestReadiness(t *testing.T) {
	hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	tests := []struct {
		name   string
		ready  func(context.Context) error
		status int
		body   string
		logged string
	}{
		{"no check", nil, http.StatusOK, `{"status":"ready"}`, ""},
		{"ready", func(context.Context) error { return nil }, http.StatusOK, `{"status":"ready"}`, ""},
		{
			"internals", func(context.Context) error { return errors.New("table partita at 10.0.0.1") },
			http.StatusServiceUnavailable,
			`{"status":"not ready","reason":"The table cannot be read at present. The gateway's log says why."}`, "10.0.0.1",
		},
		{
			"coded", func(context.Context) error {
				return testschema.CodedError{Text: "The local engine has stopped.", ErrorCode: "UNAVAILABLE"}
			}, http.StatusServiceUnavailable,
			`{"status":"not ready","reason":"The local engine has stopped."}`, "has stopped",
		},
		{
			"hanging", hangs, http.StatusServiceUnavailable,
			`{"status":"not ready","reason":"The table did not answer in time."}`, "deadline",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, lines := config(t)
				c.Monitoring.Ready = test.ready
				if status, body := get(gateway.New(c), "/readyz"); status != test.status || body != test.body {
					t.Errorf("got %d %s, want %d %s", status, body, test.status, test.body)
				}
				if !strings.Contains(lines.String(), test.logged) {
					t.Errorf("the log does not have %q: %s", test.logged, lines)
				}
			})
		})
	}
}

func TestReadinessIsCheckedOncePerSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := config(t)
		checks := 0
		c.Monitoring.Ready = func(context.Context) error {
			checks++
			return map[int]error{2: errors.New("gone")}[checks]
		}
		handler := gateway.New(c)
		for i, want := range []struct {
			after          time.Duration
			checks, status int
		}{
			{0, 1, http.StatusOK},
			{999 * time.Millisecond, 1, http.StatusOK},
			{time.Millisecond, 2, http.StatusServiceUnavailable},
			{0, 2, http.StatusServiceUnavailable},
			{time.Second, 3, http.StatusOK},
		} {
			time.Sleep(want.after) // of the bubble's clock
			if status, _ := get(handler, "/readyz"); status != want.status || checks != want.checks {
				t.Errorf("request %d: got %d after %d checks, want %d after %d", i, status, checks, want.status, want.checks)
			}
		}
	})
}
