package gateway_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/httpserver"
)

// pipes is a listener whose connections are in memory, so that their deadlines follow the clock of a synctest bubble.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.accepted <- pipe{server}
	return client
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	close(p.closed)
	return nil
}

// Addr implements net.Listener.
func (*pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// pipe has the address of a caller.
type pipe struct{ net.Conn }

func (pipe) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

// TestSlowCallers: a caller that sends headers or a body too slowly loses the connection, and no other caller waits
// for it.
func TestSlowCallers(t *testing.T) {
	for name, test := range map[string]struct {
		begin, answer string
		after         time.Duration
	}{
		"headers": {"POST /graphql HTTP/1.1\r\nHost: a\r\nX-Slow: ", "", 300 * time.Millisecond},
		"body": {
			"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"query\":",
			"HTTP/1.1 408 Request Timeout\r\n", 600 * time.Millisecond,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := config(t)
				c.MaxOperations = 1
				listener := newPipes()
				ctx, stop := context.WithCancel(t.Context())
				settings := httpserver.Settings{
					HeaderTimeout: 300 * time.Millisecond, ReadTimeout: 600 * time.Millisecond, Grace: time.Minute,
				}
				served := make(chan error)
				go func() { served <- httpserver.Serve(ctx, listener, gateway.New(c), settings) }()

				begun := time.Now()
				var conns []net.Conn
				for range 50 {
					conn := listener.dial()
					defer conn.Close()
					if _, err := io.WriteString(conn, test.begin); err != nil {
						t.Fatal(err)
					}
					conns = append(conns, conn)
				}
				synctest.Wait() // until all of them wait for the rest
				status, body, err := exchange(listener.dial(), rawQuery(`{ echo(text: "still here") }`))
				if err != nil || status != http.StatusOK || time.Since(begun) > 0 {
					t.Errorf("a normal query got %d %s, %v after %v", status, body, err, time.Since(begun))
				}
				for _, conn := range conns {
					answer, err := io.ReadAll(conn) // ends when the gateway closes the connection
					if err != nil || !strings.HasPrefix(string(answer), test.answer) || test.answer == "" && len(answer) > 0 {
						t.Errorf("got %q, %v", answer, err)
					}
				}
				if took := time.Since(begun); took != test.after {
					t.Errorf("the connections were closed after %v, want %v", took, test.after)
				}
				stop()
				if err := <-served; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
