// Package httpserver runs an HTTP server that stops gracefully.
package httpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Settings are the times and sizes of the HTTP server. A field that is zero has its default, except for Grace. No
// operator knows better ones: they are what honest clients need on a bad network, and too little for an attacker.
type Settings struct {
	// HeaderTimeout is how long the headers of a request may take to arrive: 5 s.
	HeaderTimeout time.Duration
	// ReadTimeout is how long a request with its body may take to arrive: 15 s, 70 KB each second for the largest body.
	ReadTimeout time.Duration
	// WriteTimeout is how long the response to a request may take, from the end of its headers: 60 s. It must be longer
	// than an operation.
	WriteTimeout time.Duration
	// IdleTimeout is how long a connection is kept without a request: 2 min, longer than most load balancers do.
	IdleTimeout time.Duration
	// MaxHeaderBytes is the largest size of the URL and headers of a request: 32 KiB, as for a query in a GET.
	MaxHeaderBytes int
	// Grace is how long requests in flight may take after the server is stopped.
	Grace time.Duration
}

// Serve answers requests from a listener, and from more if there are any, until ctx ends. Then it stops gracefully:
// [IsStopping] is true for new requests, those in flight finish, and the listeners are closed. It returns nil if all of
// them finished within settings.Grace; otherwise it cancels their contexts, closes their connections and returns an
// error.
func Serve(
	ctx context.Context, listener net.Listener, handler http.Handler, settings Settings, more ...net.Listener,
) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	d := newDrain(handler)
	server := &http.Server{
		Handler: d,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.WithValue(base, serverKey{}, d), drainKey{}, d)
		},
		ReadHeaderTimeout: cmp.Or(settings.HeaderTimeout, 5*time.Second),
		ReadTimeout:       cmp.Or(settings.ReadTimeout, 15*time.Second),
		WriteTimeout:      cmp.Or(settings.WriteTimeout, time.Minute),
		IdleTimeout:       cmp.Or(settings.IdleTimeout, 2*time.Minute),
		MaxHeaderBytes:    cmp.Or(settings.MaxHeaderBytes, 32<<10),
		ConnContext:       limitSendBuffer,
	}
	listeners := append([]net.Listener{listener}, more...)
	served := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { served <- server.Serve(l) }()
	}

	select {
	case err := <-served:
		return errors.Join(fmt.Errorf("httpserver: serve: %w", err), server.Close())
	case <-ctx.Done():
	}
	err := d.stop(base, server, settings.Grace)
	cancel()
	for range listeners {
		if closed := <-served; !errors.Is(closed, http.ErrServerClosed) {
			err = errors.Join(err, fmt.Errorf("httpserver: serve: %w", closed))
		}
	}
	return err
}

// sendBuffer is how many bytes of a response that the client has not read the kernel may have for a connection. By
// default that grows to 4 MB, which no limit of the process includes. It is enough for 25 MB each second if a
// round trip takes 5 ms, or for 1.3 MB if it takes 100 ms.
//
// https://www.kernel.org/doc/html/latest/networking/ip-sysctl.html#tcp-variables (tcp_wmem)
const sendBuffer = 128 << 10

func limitSendBuffer(ctx context.Context, c net.Conn) context.Context {
	if tcp, is := c.(*net.TCPConn); is {
		_ = tcp.SetWriteBuffer(sendBuffer) // a connection that is already closed has no buffer
	}
	return ctx
}

type (
	// serverKey is the key of the drain of the server.
	serverKey struct{}
	// drainKey is the key of the drain of the handler: of the server, or of a Switch.
	drainKey struct{}
)

// IsStopping reports whether the server of the request with this context has begun to stop. It is false while a Switch
// replaces a handler: what has reached the former one is answered by it.
func IsStopping(ctx context.Context) bool {
	d, served := ctx.Value(serverKey{}).(*drain)
	return served && d.draining()
}

// WithServer returns a context in which IsStopping and OnStop are about the server of another context.
func WithServer(ctx, of context.Context) context.Context {
	for _, key := range []any{serverKey{}, drainKey{}} {
		if d := of.Value(key); d != nil {
			ctx = context.WithValue(ctx, key, d)
		}
	}
	return ctx
}

// OnStop calls a function in a goroutine of its own when the server of the request with this context begins to stop, or
// a Switch replaces its handler, or at once if that has begun. A response that would not end by itself ends then. The
// result cancels that.
func OnStop(ctx context.Context, f func()) (cancel func()) {
	d, served := ctx.Value(drainKey{}).(*drain)
	if !served {
		return func() {}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining() {
		go f()
		return func() {}
	}
	d.onStop[&f] = struct{}{}
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.onStop, &f)
	}
}

// drain counts the requests in flight. net/http's server waits for them only after it has closed its listener, but
// until they have ended a load balancer needs responses from /readyz.
type drain struct {
	handler http.Handler
	started chan struct{} // closed when the stop begins

	mu       sync.Mutex
	inFlight int
	idle     chan struct{} // closed when the stop has begun and no request is in flight
	onStop   map[*func()]struct{}
}

func newDrain(h http.Handler) *drain {
	return &drain{
		handler: h, started: make(chan struct{}), idle: make(chan struct{}), onStop: map[*func()]struct{}{},
	}
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

// enter counts a request, unless the stop has begun. It reports whether the request is counted.
func (d *drain) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining() {
		return false
	}
	d.inFlight++
	return true
}

func (d *drain) leave(counted bool) {
	if !counted {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inFlight--
	if d.inFlight == 0 && d.draining() {
		close(d.idle)
	}
}

// begin begins the stop, once.
func (d *drain) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining() {
		return
	}
	close(d.started)
	for f := range d.onStop {
		go (*f)()
	}
	d.onStop = nil
	if d.inFlight == 0 {
		close(d.idle)
	}
}

func (d *drain) stop(ctx context.Context, server *http.Server, grace time.Duration) error {
	d.begin()
	server.SetKeepAlivesEnabled(false)

	deadline, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	select {
	case <-d.idle:
	case <-deadline.Done():
	}
	if err := server.Shutdown(deadline); err != nil {
		return errors.Join(
			fmt.Errorf("httpserver: operations were still running after %v and have been cut off", grace),
			server.Close())
	}
	return nil
}
