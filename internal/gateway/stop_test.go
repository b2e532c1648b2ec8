package gateway_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/internal/testschema"
)

// A stopping gateway is one whose Serve a test has begun to stop while the operation { wait } is in flight.
type stopping struct {
	url      string
	resolver *testschema.Resolver
	answered chan waited // the end of the operation
	stopped  chan error  // the end of Serve
}

type waited struct {
	answer answer
	err    error
}

func stopInFlight(t *testing.T, grace time.Duration) stopping {
	t.Helper()
	resolver := &testschema.Resolver{Waiting: make(chan struct{}), Release: make(chan struct{})}
	c, _ := config(t)
	c.Schema = schema(resolver)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	s := stopping{
		url:      "http://" + listener.Addr().String(),
		resolver: resolver,
		answered: make(chan waited, 1),
		stopped:  make(chan error, 1),
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		s.stopped <- httpserver.Serve(ctx, listener, gateway.New(c), httpserver.Settings{Grace: grace})
	}()
	go func() {
		a, err := try(t.Context(), s.url, http.MethodPost, "/graphql", `{"query":"{wait}"}`,
			"Content-Type", "application/json")
		s.answered <- waited{a, err}
	}()
	<-resolver.Waiting
	if a := do(t, s.url, http.MethodGet, "/readyz", ""); a.status != http.StatusOK {
		t.Fatalf("before the stop /readyz has the status %d", a.status)
	}
	stop()
	return s
}

func TestStopFinishesWhatIsInFlight(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := stopInFlight(t, time.Minute)
	defer http.DefaultClient.CloseIdleConnections()
	// The stop begins at some moment after its context has ended; until then the gateway is ready.
	ready := do(t, s.url, http.MethodGet, "/readyz", "")
	for ready.status == http.StatusOK {
		ready = do(t, s.url, http.MethodGet, "/readyz", "")
	}
	if ready.status != http.StatusServiceUnavailable || !strings.Contains(ready.body, "The gateway is stopping.") {
		t.Errorf("/readyz has the status %d %s", ready.status, ready.body)
	}
	if a := post(t, s.url, `{ __typename }`, nil); a.header.Get("Retry-After") == "" ||
		!a.isError(http.StatusServiceUnavailable, "UNAVAILABLE", "stopping") {
		t.Errorf("a new operation got %d %s", a.status, a.body)
	}
	select {
	case err := <-s.stopped:
		t.Fatalf("Serve returned before the operation did: %v", err)
	default:
	}
	close(s.resolver.Release)
	w := <-s.answered
	if w.err != nil || w.answer.status != http.StatusOK || string(w.answer.result.Data) != `{"wait":"done"}` {
		t.Errorf("the operation in flight got %d %s, %v", w.answer.status, w.answer.body, w.err)
	}
	if err := <-s.stopped; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err == nil {
		conn.Close()
		t.Error("the listener is still open")
	}
}

func TestStopCutsOffAfterGrace(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := stopInFlight(t, time.Millisecond)
	defer http.DefaultClient.CloseIdleConnections()
	if err := <-s.stopped; err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("Serve returned %v", err)
	}
	if w := <-s.answered; w.err == nil {
		t.Errorf("the operation that was cut off got %d %s", w.answer.status, w.answer.body)
	}
}
