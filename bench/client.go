package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// client sends one operation to one process again and again, on connections that are kept. Each connection has one
// goroutine, which writes and reads itself: the client runs on the same cores as the process.
type client struct {
	process     *process
	request     []byte
	unique      int // where request has the number that is different each time; -1 if it has none
	sent        atomic.Int64
	connections []*connection
	// data is the answer, as the process writes it.
	data json.RawMessage
}

type connection struct {
	net.Conn
	reader  *bufio.Reader
	body    bytes.Buffer
	request []byte
}

// newClient returns the nth client of the run.
func newClient(p *process, o operation, nth int) (*client, error) {
	request, err := p.text(o)
	c := &client{process: p, request: request, unique: bytes.Index(request, []byte(unique))}
	c.sent.Store(int64(nth) * 1e12)
	return c, err
}

// connect opens connections until there are n. Servers close a connection whose first request does not arrive soon.
func (c *client) connect(ctx context.Context, n int) error {
	for len(c.connections) < n {
		conn, err := dial(ctx, c.process.addr)
		if err != nil {
			return err
		}
		c.connections = append(c.connections, conn)
	}
	return nil
}

func dial(ctx context.Context, addr string) (*connection, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: conn, reader: bufio.NewReader(conn)}, nil
}

func (c *client) close() error {
	var errs []error
	for _, conn := range c.connections {
		errs = append(errs, conn.Close())
	}
	return errors.Join(errs...)
}

// ask sends the operation once and returns the answer, which becomes the one that all further answers must equal.
func (c *client) ask(ctx context.Context) (json.RawMessage, error) {
	if err := c.connect(ctx, 1); err != nil {
		return nil, err
	}
	body, err := c.send(c.connections[0])
	if err != nil {
		return nil, c.process.failed(err)
	}
	data, err := c.process.data(body)
	if err != nil {
		return nil, c.process.failed(err)
	}
	c.data = slices.Clone(data)
	return c.data, nil
}

// send sends the request, with a number of its own.
func (c *client) send(conn *connection) ([]byte, error) {
	if c.unique < 0 {
		return conn.send(c.request)
	}
	conn.request = append(conn.request[:0], c.request...)
	digits := conn.request[c.unique : c.unique+len(unique)]
	for n, i := c.sent.Add(1), len(digits)-1; n > 0; n, i = n/10, i-1 {
		digits[i] = '0' + byte(n%10)
	}
	return conn.send(conn.request)
}

// send returns the body of the response, which is valid until the next call.
func (conn *connection) send(request []byte) ([]byte, error) {
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(conn.reader, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	conn.body.Reset()
	if _, err := io.Copy(&conn.body, response.Body); err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %s", response.StatusCode, conn.body.Bytes())
	}
	return conn.body.Bytes(), nil
}

// run keeps some connections busy for a time, and returns how long each operation took. Each connection sends one
// operation or more.
func (c *client) run(ctx context.Context, concurrency int, d time.Duration) ([]time.Duration, error) {
	if err := c.connect(ctx, concurrency); err != nil {
		return nil, err
	}
	took := make([][]time.Duration, concurrency)
	var group errgroup.Group
	end := time.Now().Add(d)
	for i, conn := range c.connections[:concurrency] {
		group.Go(func() error {
			for {
				start := time.Now()
				body, err := c.send(conn)
				if err != nil {
					return err
				}
				took[i] = append(took[i], time.Since(start))
				if !bytes.Contains(body, c.data) {
					return fmt.Errorf("an answer differs from the first one: %s, want %s", body, c.data)
				}
				if !time.Now().Before(end) {
					return nil
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, c.process.failed(err)
	}
	return slices.Concat(took...), nil
}
