package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"syscall"
	"time"

	"github.com/partita/partita/internal/platform"
)

// address is where a connection leads to.
type address struct {
	secure     bool // TLS
	name, port string
}

// dialAddress returns the address as package net expects it.
func (a address) dialAddress() string {
	port := a.port
	switch {
	case port != "":
	case a.secure:
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(a.name, port)
}

// bufferSize is the size of a connection's buffer, and the limit of a response's headers. Most responses fit.
const bufferSize = 16 << 10

// errTooLong is the error of a response that does not fit. The request is sent again on another connection.
var errTooLong = errors.New("wire: the headers of the response, or one of its lines, are too long")

// conn is a connection. The goroutine that has it from the pool reads and writes it; there are no others.
type conn struct {
	net.Conn // TLS or TCP
	tcp      net.Conn
	address  address
	raw      syscall.RawConn // of the TCP connection
	// check is the function that isSilent calls, and silent is its result.
	check  func(fd uintptr) (done bool)
	silent bool
	// abort ends reading and writing at once.
	abort func()
	// idleSince is when the connection was put into the pool. It is zero for a new one.
	idleSince time.Time

	buffer []byte
	// unread is the part of the buffer that has not been read yet.
	unread []byte
}

// dialer opens connections.
type dialer struct {
	net.Dialer
	tls *tls.Config
}

// dial opens a connection until the deadline, which the connection then has.
func (d *dialer) dial(ctx context.Context, to address, deadline time.Time) (*conn, error) {
	dialing, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	tcp, err := d.DialContext(dialing, "tcp", to.dialAddress())
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: tcp, tcp: tcp, address: to, buffer: make([]byte, bufferSize)}
	if system, ok := tcp.(syscall.Conn); ok {
		c.raw, err = system.SyscallConn()
	}
	if err == nil && to.secure {
		err = c.handshake(ctx, d, earlier(deadline, time.Now().Add(d.Timeout)))
	}
	if err == nil {
		err = c.SetDeadline(deadline)
	}
	if err != nil {
		_ = tcp.Close()
		return nil, err
	}
	c.abort = func() { _ = c.SetDeadline(past) }
	c.check = func(fd uintptr) bool {
		c.silent = platform.IsSilent(fd, c.buffer[:1])
		return true
	}
	return c, nil
}

// Close closes the connection without the alert that ends TLS. To send that can take five seconds if the other side
// does not read, and nothing is lost: the end of each response is known.
func (c *conn) Close() error { return c.tcp.Close() }

// past is a deadline that is over.
var past = time.Unix(1, 0)

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// handshake begins TLS.
func (c *conn) handshake(ctx context.Context, d *dialer, deadline time.Time) error {
	config := d.tls.Clone()
	if config.ServerName == "" {
		config.ServerName = c.address.name
	}
	config.NextProtos = []string{"http/1.1"}
	secure := tls.Client(c.tcp, config)
	if err := c.tcp.SetDeadline(deadline); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.tcp.SetDeadline(past) })
	defer stop()
	if err := secure.Handshake(); err != nil {
		return err
	}
	c.Conn = secure
	return nil
}

// fill reads more into the buffer. The unread part must have been copied if it fills the buffer.
func (c *conn) fill() error {
	if len(c.unread) == 0 {
		c.unread = c.buffer[:0]
	}
	if cap(c.unread) == len(c.unread) {
		n := copy(c.buffer, c.unread)
		c.unread = c.buffer[:n]
		if n == len(c.buffer) {
			return errTooLong
		}
	}
	n, err := c.Read(c.unread[len(c.unread):cap(c.unread)])
	c.unread = c.unread[:len(c.unread)+n]
	if n > 0 {
		return nil // the error comes again
	}
	return err
}

// reuse prepares an idle connection for an exchange until the deadline. It reports whether that is possible:
// nothing was received in between, not even the end. Otherwise the next response would not be the one to the next
// request.
func (c *conn) reuse(deadline time.Time) bool {
	if secure, ok := c.Conn.(*tls.Conn); ok && !isDrained(secure) {
		return false
	}
	c.silent = false
	return c.SetDeadline(deadline) == nil && c.raw.Read(c.check) == nil && c.silent
}

// isDrained reports whether crypto/tls has nothing in its buffers. With a deadline that is over, it reads nothing
// from the connection.
func isDrained(c *tls.Conn) bool {
	if c.SetReadDeadline(past) != nil {
		return false
	}
	_, err := c.Read(make([]byte, 1))
	timeout, ok := err.(net.Error) //nolint:errorlint // crypto/tls returns the connection's error as it is
	return ok && timeout.Timeout()
}
