package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Times and sizes of the HTTP server. A response must be written within writeTimeout of its request's headers, so that it bounds
// Config.OperationTimeout, too.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 32 << 10
)

// Serve answers requests from a listener until ctx ends, then stops gracefully: /readyz turns 503, new operations are refused with 503,
// those in flight finish, and the listener is closed. It returns nil when all of them finished within grace; otherwise it
// cancels their contexts, closes their connections and returns an error.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, grace time.Duration) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	d := &drain{handler: handler, started: make(chan struct{}), idle: make(chan struct{})}
	server := &http.Server{
		Handler:           d,
		BaseContext:       func(net.Listener) context.Context { return context.WithValue(base, drainKey{}, d) },
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	select {
	case err := <-served:
		return fmt.Errorf("gateway: serve: %w", err)
	case <-ctx.Done():
	}
	err := d.stop(base, server, grace)
	cancel()
	if closed := <-served; !errors.Is(closed, http.ErrServerClosed) {
		err = errors.Join(err, fmt.Errorf("gateway: serve: %w", closed))
	}
	return err
}

type drainKey struct{}

// isDraining tells whether the server of a request has begun to stop.
func isDraining(ctx context.Context) bool {
	d, served := ctx.Value(drainKey{}).(*drain)
	return served && d.draining()
}

// drain counts the operations in flight. The server itself could wait for them only after it has closed its listener; but
// a load balancer that asks /readyz meanwhile shall get an answer.
type drain struct {
	handler http.Handler
	started chan struct{} // closed when the stop begins

	mu     sync.Mutex
	flying int
	idle   chan struct{} // closed when the stop has begun and nothing is in flight
}

func (d *drain) draining() bool {
	select {
	case <-d.started:
		return true
	default:
		return false
	}
}

func (d *drain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer d.leave(d.enter())
	d.handler.ServeHTTP(w, r)
}

// enter tells whether a request counts as in flight: it came before the stop began.
func (d *drain) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining() {
		return false
	}
	d.flying++
	return true
}

func (d *drain) leave(counted bool) {
	if !counted {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.flying--
	if d.flying == 0 && d.draining() {
		close(d.idle)
	}
}

func (d *drain) stop(ctx context.Context, server *http.Server, grace time.Duration) error {
	d.mu.Lock()
	close(d.started)
	if d.flying == 0 {
		close(d.idle)
	}
	d.mu.Unlock()
	server.SetKeepAlivesEnabled(false)

	deadline, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	select {
	case <-d.idle:
	case <-deadline.Done():
	}
	if err := server.Shutdown(deadline); err != nil {
		return errors.Join(
			fmt.Errorf("gateway: operations were still running after %v and have been cut off", grace),
			server.Close())
	}
	return nil
}
