package httpserver_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/partita/partita/internal/gateway/httpserver"
)

// TestSwitch: a request is answered by the handler that it has reached, a stream of that ends, and Replace waits for
// both.
func TestSwitch(t *testing.T) {
	begun, release, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	first := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			stopped := make(chan struct{})
			defer httpserver.OnStop(r.Context(), func() { close(stopped) })()
			close(begun)
			<-stopped
			close(ended)
			return
		}
		begun <- struct{}{}
		<-release
		if !httpserver.IsStopping(r.Context()) { // The replacement is no reason to refuse it.
			w.WriteHeader(http.StatusAccepted)
		}
	})
	s := httpserver.NewSwitch(first)
	status := make(chan int, 1)
	go func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		status <- w.Code
	}()
	<-begun
	go s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/stream", nil))
	<-begun
	replaced := make(chan error, 1)
	go func() {
		replaced <- s.Replace(t.Context(), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/stream" {
				stopped := make(chan struct{})
				defer httpserver.OnStop(r.Context(), func() { close(stopped) })()
				<-stopped
			}
		}))
	}()
	<-ended
	select {
	case err := <-replaced:
		t.Fatal("replaced before all is answered:", err)
	default:
	}
	next := func(path string) int {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code
	}
	if got := next("/"); got != http.StatusOK {
		t.Errorf("the next handler: %d", got)
	}
	close(release)
	if got := <-status; got != http.StatusAccepted {
		t.Errorf("the former handler: %d", got)
	}
	if err := <-replaced; err != nil {
		t.Error(err)
	}
	s.Stop()
	if got := next("/stream"); got != http.StatusOK {
		t.Errorf("a stream while the server stops: %d", got)
	}
}

// TestSwitchWaits: Replace gives an error if a request does not end in time.
func TestSwitchWaits(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	s := httpserver.NewSwitch(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(begun)
		<-release
	}))
	go s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Replace(ctx, http.NotFoundHandler()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRelease: Replace does not wait for a response that needs nothing of what it replaces.
func TestRelease(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	s := httpserver.NewSwitch(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		httpserver.Release(r.Context())
		close(begun)
		<-release
	}))
	go s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	<-begun
	if err := s.Replace(t.Context(), http.NotFoundHandler()); err != nil {
		t.Error(err)
	}
}
