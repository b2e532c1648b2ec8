package wire

import (
	"context"
	"crypto/tls"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/request"
)

// TestIdleConnectionIsClosed: a connection that the server closes between two requests costs no retry.
func TestIdleConnectionIsClosed(t *testing.T) {
	t.Parallel()
	bothSchemes(t, func(t *testing.T, secure bool) {
		closed := make(chan struct{}, 1)
		s := serve(t, secure, func(c *connection) {
			if c.receive() == nil {
				c.send(ok(anItem))
			}
			c.Close()
			closed <- struct{}{}
		})
		c := newClient(t, s.url, 1, trusting(s))
		for range 3 {
			wantItem(t, c, 0)
			<-closed
		}
	})
}

// TestKeptConnectionBreaks: if a connection that was used before breaks before the first byte of a response, the
// request is sent on a new one at once. If it breaks later, or if it is a new one, that is a failed attempt.
func TestKeptConnectionBreaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		first   string // what the first connection sends before it breaks at its second request
		retries int
	}{{"before the response", "", 0}, {"after a byte", "H", 1}} {
		for _, reset := range []bool{false, true} {
			bothSchemes(t, func(t *testing.T, secure bool) {
				s := serve(t, secure, func(conn *connection) {
					if conn.n > 1 {
						conn.answer(ok(anItem))
						return
					}
					if conn.receive() == nil {
						conn.send(ok(anItem))
					}
					if conn.receive() == nil {
						conn.send(c.first)
						if reset && c.first == "" {
							hangUp(conn.Conn)
						}
					}
				})
				client := newClient(t, s.url, 3, trusting(s))
				wantItem(t, client, 0)
				wantItem(t, client, c.retries)
				if n := s.connections(); n != 2 {
					t.Errorf("%d connections", n)
				}
			})
		}
	}
	s := serve(t, false, func(c *connection) { _ = c.receive() })
	wantError(t, newClient(t, s.url, 3), request.ErrUnavailable, 2)
}

// hangUp lets the connection end with a reset.
func hangUp(c net.Conn) {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}

// TestUnsolicitedResponse: bytes that arrive between two requests are not taken for the second one's response.
func TestUnsolicitedResponse(t *testing.T) {
	t.Parallel()
	wrong := ok(strings.Replace(anItem, `"A"`, `"WRONG"`, 1))
	bothSchemes(t, func(t *testing.T, secure bool) {
		for _, late := range []bool{false, true} {
			read, sent := make(chan struct{}, 1), make(chan struct{}, 1)
			s := serve(t, secure, func(c *connection) {
				for c.receive() == nil {
					c.send(ok(anItem))
					if late {
						<-read
					}
					c.send(wrong)
					sent <- struct{}{}
				}
			})
			c := newClient(t, s.url, 1, trusting(s))
			for range 5 {
				wantItem(t, c, 0)
				read <- struct{}{}
				<-sent
				if !late {
					<-read
				}
			}
		}
	})
}

// TestAllKeptConnectionsBreak: a request that was sent on a broken connection is sent on a new one, not on the next
// that was used before.
func TestAllKeptConnectionsBreak(t *testing.T) {
	t.Parallel()
	const kept = 3
	received := make(chan struct{}, kept)
	all := make(chan struct{})
	var requests atomic.Int32
	s := serve(t, false, func(c *connection) {
		for n := 1; c.receive() == nil; n++ {
			requests.Add(1)
			switch {
			case c.n > kept:
			case n == 1:
				received <- struct{}{}
				<-all
			default:
				return
			}
			c.send(ok(anItem))
		}
	})
	c := newClient(t, s.url, 1)
	var group errgroup.Group
	for range kept {
		group.Go(func() error {
			_, err := c.GetItem(t.Context(), aRead)
			return err
		})
	}
	for range kept {
		<-received
	}
	close(all)
	fatal.If(t, group.Wait())
	wantItem(t, c, 0)
	if n := requests.Load(); n != kept+2 {
		t.Errorf("%d requests, want %d, one broken and one new", n, kept+2)
	}
}

// TestResetWithinResponse: once a byte of the response was read, a reset is a failed attempt.
func TestResetWithinResponse(t *testing.T) {
	t.Parallel()
	s := serve(t, false, func(c *connection) { c.answer(ok(anItem)) })
	c := newClient(t, s.url, 2)
	wantItem(t, c, 0)
	kept := c.pool.idle[0]
	rest := []string{"H"}
	kept.Conn = received{Conn: kept.Conn, Reader: readFunc(func(b []byte) (int, error) {
		if len(rest) == 0 {
			return 0, syscall.ECONNRESET
		}
		n := copy(b, rest[0])
		rest = rest[1:]
		return n, nil
	})}
	wantItem(t, c, 1)
}

// TestContextEndsWithTheResponse: a response is not lost if the context ends while it is read, but its connection is
// not used again, because its deadline may still change.
func TestContextEndsWithTheResponse(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	aborted := make(chan struct{})
	whole := strings.NewReader(ok(anItem))
	c := &conn{buffer: make([]byte, bufferSize), abort: func() { close(aborted) }}
	c.Conn = received{Reader: readFunc(func(b []byte) (int, error) {
		cancel()
		return whole.Read(b)
	})}
	e := newExchange(getItem, 1<<10)
	defer e.release()
	if _, err := c.exchange(ctx, e); err != nil || e.response.body != anItem || !e.response.last {
		t.Errorf("got %+v, %v", e.response, err)
	}
	<-aborted
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }
