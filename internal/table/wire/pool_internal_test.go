package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/request"
)

// TestCertificates: no request is sent to a server that cannot prove its name.
func TestCertificates(t *testing.T) {
	t.Parallel()
	s := serve(t, true, func(c *connection) {
		if c.receive() == nil {
			t.Error("received a request")
		}
	})
	late := time.Unix(1<<40, 0)
	for name, c := range map[string]struct {
		url    string
		change func(*tls.Config)
		word   string
	}{
		"unknown authority": {s.url, func(c *tls.Config) { c.RootCAs = x509.NewCertPool() }, "unknown authority"},
		"other name":        {strings.Replace(s.url, "127.0.0.1", "localhost", 1), func(*tls.Config) {}, "localhost"},
		"expired":           {s.url, func(c *tls.Config) { c.Time = func() time.Time { return late } }, "expired"},
	} {
		t.Run(name, func(t *testing.T) {
			config := s.tls.Clone()
			c.change(config)
			client := newClient(t, c.url, 2, func(o *Settings) { o.TLS = config })
			wantError(t, client, request.ErrUnavailable, 1, c.word)
		})
	}
}

// TestDeadEndpoint: a refused connection is an endpoint that is unavailable.
func TestDeadEndpoint(t *testing.T) {
	t.Parallel()
	// Nothing serves tcpmux, and the kernel gives its port to nobody who asks for a free one.
	wantError(t, newClient(t, "http://127.0.0.1:1", 3), request.ErrUnavailable, 2)
}

// TestConnectionLimit: however many requests there are, and however many fail, the limit holds and all connections
// are closed at last.
func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	const limit = 4
	s := serve(t, false, func(c *connection) {
		for i := 0; c.receive() == nil; i++ {
			switch (c.n + i) % 7 {
			case 0:
				hangUp(c.Conn)
				return
			case 1:
				return
			case 2:
				c.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
				return
			default:
				c.send(ok(anItem))
			}
		}
	})
	c := newClient(t, s.url, 100, func(o *Settings) { o.MaxConnections = limit })
	var open atomic.Int32
	dial := c.pool.dial
	c.pool.dial = func(ctx context.Context, to address, deadline time.Time) (*conn, error) {
		if n := open.Add(1); n > limit {
			t.Errorf("%d connections", n)
		}
		opened, err := dial(ctx, to, deadline)
		if err != nil {
			open.Add(-1)
			return nil, err
		}
		opened.tcp = &counted{Conn: opened.tcp, open: &open}
		return opened, nil
	}
	var group errgroup.Group
	for i := range 20 {
		group.Go(func() error {
			for n := range 100 {
				ctx, cancel := context.WithCancel(t.Context())
				if (i+n)%10 == 0 {
					go cancel()
				}
				_, err := c.GetItem(ctx, aRead)
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	c.Close()
	if n := open.Load(); n != 0 {
		t.Errorf("%d connections are left open", n)
	}
}

// counted is a connection that is counted until it is closed.
type counted struct {
	net.Conn
	open *atomic.Int32
}

func (c *counted) Close() error {
	c.open.Add(-1)
	return c.Conn.Close()
}

// TestIdleTimeout: connections are closed after their time without requests, each at its own.
func TestIdleTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &pool{idleTimeout: time.Minute, slots: make(chan struct{}, 3)}
		closed := make(chan int, 3)
		for i := range 3 {
			p.slots <- struct{}{}
			here, there := net.Pipe()
			go func() {
				_, _ = io.Copy(io.Discard, there)
				closed <- i
			}()
			p.put(&conn{Conn: here, tcp: here})
			time.Sleep(20 * time.Second)
		}
		begin := time.Now()
		for i := range 3 {
			if got := <-closed; got != i || time.Since(begin) != time.Duration(20*i)*time.Second {
				t.Errorf("connection %d is closed after %v", got, time.Since(begin))
			}
		}
		if len(p.idle) != 0 {
			t.Errorf("%d connections are left", len(p.idle))
		}
		p.close()
	})
}

// TestClose closes an idle connection, and one in use when it is put back.
func TestClose(t *testing.T) {
	t.Parallel()
	received, release, closed := make(chan struct{}, 2), make(chan struct{}, 2), make(chan struct{})
	s := serve(t, false, func(c *connection) {
		if c.receive() == nil {
			received <- struct{}{}
			<-release
			c.send(ok(anItem))
		}
		c.awaitClose()
		closed <- struct{}{}
	})
	idle, busy := newClient(t, s.url, 1), newClient(t, s.url, 1)
	release <- struct{}{}
	wantItem(t, idle, 0)
	<-received
	idle.Close()
	<-closed

	go func() {
		<-received
		busy.Close()
		release <- struct{}{}
	}()
	wantItem(t, busy, 0)
	<-closed
}
