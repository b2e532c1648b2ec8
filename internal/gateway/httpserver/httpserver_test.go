package httpserver_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/httpserver"
)

// stopping is a server that has begun to stop while a request to /wait is in flight.
type stopping struct {
	url      string
	release  chan struct{}
	answered chan error // the outcome of the request
	stopped  chan error // what Serve returned
}

// stopInFlight starts a server and stops it. Any path but /wait answers at once, with 503 if the server is stopping.
func stopInFlight(t *testing.T, grace time.Duration) stopping {
	t.Helper()
	waiting := make(chan struct{})
	s := stopping{release: make(chan struct{}), answered: make(chan error, 1), stopped: make(chan error, 1)}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/wait":
			close(waiting)
			select {
			case <-s.release:
			case <-r.Context().Done():
			}
		case httpserver.IsStopping(r.Context()):
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	s.url = "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	go func() { s.stopped <- httpserver.Serve(ctx, listener, handler, httpserver.Settings{Grace: grace}) }()
	go func() {
		_, err := get(s.url + "/wait")
		s.answered <- err
	}()
	<-waiting
	if status, err := get(s.url); status != http.StatusOK || err != nil {
		t.Fatalf("before the stop: %d, %v", status, err)
	}
	stop()
	return s
}

func get(url string) (status int, err error) {
	response, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

func TestStopWaitsForRequestsInFlight(t *testing.T) {
	defer goleak.VerifyNone(t)
	defer http.DefaultClient.CloseIdleConnections()
	s := stopInFlight(t, time.Hour)
	// The stop begins some time after the end of its context.
	status, err := get(s.url)
	for status == http.StatusOK {
		status, err = get(s.url)
	}
	if status != http.StatusServiceUnavailable {
		t.Errorf("during the stop: %d, %v", status, err)
	}
	select {
	case err := <-s.stopped:
		t.Fatalf("Serve returned before the request was answered: %v", err)
	default:
	}
	close(s.release)
	if err := <-s.answered; err != nil {
		t.Errorf("the request in flight: %v", err)
	}
	if err := <-s.stopped; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err == nil {
		t.Error("the listener is open after the stop")
	}
}

func TestStopEndsRequestsAfterGrace(t *testing.T) {
	defer goleak.VerifyNone(t)
	defer http.DefaultClient.CloseIdleConnections()
	s := stopInFlight(t, time.Millisecond)
	if err := <-s.stopped; err == nil || !strings.Contains(err.Error(), "still running after 1ms") {
		t.Errorf("Serve returned %v", err)
	}
	if err := <-s.answered; err == nil {
		t.Error("the request was answered")
	}
}

func TestServeReturnsErrors(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	fatal.If(t, listener.Close())
	if err := httpserver.Serve(t.Context(), listener, http.NotFoundHandler(), httpserver.Settings{}); err == nil {
		t.Error("no error")
	}
}

// TestUnreadResponse: the kernel has only a part of a response that the client does not read; the handler waits with
// the rest.
func TestUnreadResponse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	written := make(chan int, 1)
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		if err := conn.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
			t.Error(err)
		}
		n, _ := conn.Write(make([]byte, 8<<20)) // an error after the deadline
		written <- n
	})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- httpserver.Serve(ctx, listener, handler, httpserver.Settings{}) }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	fatal.If(t, err)
	defer conn.Close()
	fatal.If(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if n := <-written; n > 512<<10 {
		t.Errorf("%d bytes were written to a client that reads nothing", n)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
