package wire

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// stage is a point in an attempt at which nothing more happens. Each function calls reached and then waits until the
// client gives up.
type stage struct {
	name   string
	secure bool
	// handle is the server's part.
	handle func(c *connection, reached func())
	// prepare makes the client stop before the server is involved.
	prepare func(t *testing.T, c *Client, reached func())
	// large is set for a request that does not fit into the buffers of a connection.
	large bool
}

func stages() []stage {
	half := ok(anItem)[:len(ok(anItem))-10]
	stop := func(response string) func(*connection, func()) {
		return func(c *connection, reached func()) {
			if c.receive() == nil {
				c.send(response)
				reached()
				c.awaitClose()
			}
		}
	}
	return []stage{
		{name: "resolving the name",
			prepare: func(_ *testing.T, c *Client, reached func()) {
				d := dialer{Dialer: net.Dialer{Resolver: &net.Resolver{
					PreferGo: true,
					Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
						reached()
						<-ctx.Done()
						return nil, ctx.Err()
					},
				}}}
				c.pool.dial = d.dial
			}},
		{name: "waiting for a connection", prepare: func(t *testing.T, c *Client, reached func()) {
			for range cap(c.pool.slots) {
				c.pool.slots <- struct{}{}
			}
			t.Cleanup(func() {
				for len(c.pool.slots) > 0 {
					<-c.pool.slots
				}
			})
			time.AfterFunc(0, reached)
		}},
		{name: "beginning TLS", secure: true, handle: func(c *connection, reached func()) {
			plain := c.Conn.(interface{ NetConn() net.Conn }).NetConn()
			reached()
			_, _ = plain.Read(make([]byte, 1<<20))
			_, _ = plain.Read(make([]byte, 1))
		}},
		{name: "writing", large: true, handle: func(c *connection, reached func()) {
			reached()
			<-c.stopped
		}},
		{name: "writing with TLS", large: true, secure: true, handle: func(c *connection, reached func()) {
			_, _ = c.in.Peek(1)
			reached()
			<-c.stopped
		}},
		{name: "waiting for the response", handle: stop("")},
		{name: "in a status line", handle: stop("HTTP/1.1 2")},
		{name: "in the headers", handle: stop("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n")},
		{name: "in a body", handle: stop(half)},
		{name: "in a body with TLS", secure: true, handle: stop(half)},
		{name: "in a chunk", handle: stop("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{")},
		{name: "before the end of a connection", handle: stop("HTTP/1.1 200 OK\r\n\r\n{}")},
	}
}

// begin starts the stage and returns the client, a channel that delivers each time the stage is reached, and the
// read.
func (s stage) begin(t *testing.T, timeout time.Duration) (reached chan struct{}, read func(context.Context) error) {
	reached = make(chan struct{}, 100)
	signal := func() { reached <- struct{}{} }
	handle := s.handle
	if handle == nil {
		handle = func(c *connection, _ func()) { c.awaitClose() }
	}
	server := serve(t, s.secure, func(c *connection) { handle(c, signal) })
	url := server.url
	if s.name == "resolving the name" {
		url = "http://name.example.com"
	}
	c := newClient(t, url, 2, trusting(server), func(o *Settings) { o.Timeout = timeout })
	if s.prepare != nil {
		s.prepare(t, c, signal)
	}
	r := request.BatchGetItem{Keys: []keys.Key{aRead.Key}}
	if s.large {
		r.Keys[0].SK = keys.SK(strings.Repeat("x", 8<<20))
	}
	return reached, func(ctx context.Context) error {
		got, err := c.BatchGetItem(ctx, r)
		if ctx.Err() == nil && got.Retries != 1 {
			t.Errorf("%d retries", got.Retries)
		}
		if n := len(c.pool.idle); n > 0 {
			t.Errorf("%d connections are kept", n)
		}
		return err
	}
}

// TestTimeout: an attempt that exceeds Timeout ends at each stage, and is retried.
func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, s := range stages() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			_, read := s.begin(t, 50*time.Millisecond)
			// Before there is a connection, the endpoint is unavailable.
			err := read(t.Context())
			if !errors.Is(err, request.ErrTimeout) && !errors.Is(err, request.ErrUnavailable) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestContextEnds: a read ends with its context at each stage.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	for _, s := range stages() {
		for _, want := range []error{context.Canceled, context.DeadlineExceeded} {
			t.Run(s.name+", "+want.Error(), func(t *testing.T) {
				t.Parallel()
				reached, read := s.begin(t, generous)
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				var deadline context.Context = ctx
				late := errors.Is(want, context.DeadlineExceeded)
				if late {
					var stop func()
					deadline, stop = context.WithTimeout(ctx, 50*time.Millisecond)
					defer stop()
				} else {
					go func() {
						<-reached
						cancel(nil)
					}()
				}
				err := read(deadline)
				if !errors.Is(err, want) || errors.Is(err, request.ErrTimeout) != late {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}
