package httpserver_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/httpserver"
)

// TestOnStop: a response that lasts until the stop does not delay it, and what was cancelled is not called.
func TestOnStop(t *testing.T) {
	defer goleak.VerifyNone(t)
	defer http.DefaultClient.CloseIdleConnections()
	called := make(chan string, 3)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpserver.OnStop(r.Context(), func() { called <- "cancelled" })()
		stopping := make(chan struct{})
		httpserver.OnStop(r.Context(), func() { close(stopping) })
		_ = http.NewResponseController(w).Flush() // an error is that of a test that has ended
		<-stopping
		again := make(chan struct{})
		httpserver.OnStop(r.Context(), func() { close(again) })
		<-again
		_, _ = io.WriteString(w, "bye")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- httpserver.Serve(ctx, listener, handler, httpserver.Settings{Grace: time.Minute})
	}()
	response, err := http.Get("http://" + listener.Addr().String())
	fatal.If(t, err)
	defer response.Body.Close()
	stop()
	if text, err := io.ReadAll(response.Body); err != nil || string(text) != "bye" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	close(called)
	for what := range called {
		t.Errorf("what was %s is called", what)
	}
	httpserver.OnStop(t.Context(), func() { t.Error("called without a server") })()
}
