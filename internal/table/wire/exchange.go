package wire

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/partita/partita/internal/platform"
)

// exchange is a request and its response.
type exchange struct {
	operation operation
	limit     int64 // of the response's body
	body      []byte
	// text is the request with its headers, and scratch is the signer's.
	text, scratch []byte

	// began is when the attempt began, by the clock that signs: skewed is what was added.
	began    time.Time
	skewed   time.Duration
	deadline time.Time
	response response
	answer   answer
}

// maxKept is how large the buffers of an exchange may be if it is used again.
const maxKept = 64 << 10

func newExchange(op operation, limit int64) *exchange {
	e := exchangePool.Get().(*exchange)
	e.operation, e.limit = op, limit
	return e
}

// release lets other requests use the buffers.
func (e *exchange) release() {
	if cap(e.text)+cap(e.body)+cap(e.scratch) > maxKept {
		return
	}
	*e = exchange{body: e.body[:0], text: e.text[:0], scratch: e.scratch[:0]}
	exchangePool.Put(e)
}

// begin sets the times of an attempt.
func (e *exchange) begin(timeout, skew time.Duration) {
	e.began, e.skewed = time.Now(), skew
	e.deadline = e.began.Add(timeout)
}

// encode writes the request with its headers.
func (e *exchange) encode(s *signer, r *route, creds aws.Credentials) error {
	e.text = append(e.text[:0], "POST "...)
	e.text = append(e.text, r.path...)
	e.text = append(e.text, " HTTP/1.1\r\nHost: "...)
	e.text = append(e.text, r.host...)
	e.text = append(e.text, "\r\nUser-Agent: "...)
	e.text = append(e.text, r.userAgent...)
	e.text = append(e.text, "\r\nAccept-Encoding: identity\r\n"...)
	m := message{route: r, credentials: creds, at: e.began.Add(e.skewed), body: e.body}
	var err error
	if e.text, e.scratch, err = s.appendHeaders(e.text, e.scratch, &m); err != nil {
		return err
	}
	e.text = append(e.text, "\r\n"...)
	e.text = append(e.text, e.body...)
	return nil
}

// exchange writes the request and reads the response until the connection's deadline, or until the context ends. It
// reports whether it has read anything of a response.
func (c *conn) exchange(ctx context.Context, e *exchange) (begun bool, err error) {
	stop := context.AfterFunc(ctx, c.abort)
	if _, err = c.Write(e.text); err == nil {
		begun, err = c.readResponse(&e.response, e.limit)
	}
	if !stop() {
		e.response.last = true // abort may still be setting the deadline
	}
	return begun, err
}

// isClosed reports whether the error is that of a connection that the other side has closed.
func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || platform.IsReset(err)
}

// exchangePool has exchanges, for their buffers.
var exchangePool = sync.Pool{New: func() any { return new(exchange) }}

// readResponse reads a response whose body has at most so many bytes. It reports in begun whether it has read
// anything.
//
// https://www.rfc-editor.org/rfc/rfc9112
func (c *conn) readResponse(r *response, limit int64) (begun bool, err error) {
	for range maxInformational + 1 {
		head, err := c.readHead()
		if err != nil {
			return begun || len(c.unread) > 0, err
		}
		begun = true
		if err := r.parseHead(head); err != nil {
			return true, err
		}
		if r.status >= 200 {
			return true, c.readBody(r, limit)
		}
		if r.status == 101 { // Switching Protocols
			break
		}
	}
	return true, errMalformed
}
