package wire

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
)

// readBody reads the body.
func (c *conn) readBody(r *response, limit int64) error {
	if r.encoded {
		return fmt.Errorf("%w: it is compressed, which was not requested", errMalformed)
	}
	body := bodyReader{conn: c, limit: limit}
	var err error
	switch {
	case r.status == 204 || r.status == 304: // No Content, Not Modified
	case r.chunked:
		err = body.chunks()
	case r.length >= 0:
		err = body.bytes(r.length)
	default:
		r.last = true
		err = body.untilEnd()
	}
	if err != nil {
		return unexpectedEnd(err, true)
	}
	r.body = body.text.String()
	if r.hasChecksum && r.checksum != body.checksum {
		return errChecksum
	}
	return nil
}

// bodyReader copies a body from the buffer of the connection.
type bodyReader struct {
	*conn
	limit    int64 // how many bytes more
	text     strings.Builder
	checksum uint32
}

// growth is how much memory is reserved for a body before its bytes arrive.
const growth = 1 << 20

// bytes reads so many.
func (b *bodyReader) bytes(n int64) error {
	if n > b.limit {
		return ErrTooLarge
	}
	b.limit -= n
	b.text.Grow(int(min(n, growth)))
	for n > 0 {
		if len(b.unread) == 0 {
			if err := b.fill(); err != nil {
				return err
			}
		}
		n -= int64(b.take(n))
	}
	return nil
}

// take copies at most so many bytes of the unread part.
func (b *bodyReader) take(n int64) int {
	part := b.unread[:min(n, int64(len(b.unread)))]
	b.unread = b.unread[len(part):]
	b.checksum = crc32.Update(b.checksum, crc32.IEEETable, part)
	b.text.Write(part)
	return len(part)
}

func (b *bodyReader) untilEnd() error {
	for {
		n := b.take(int64(len(b.unread)))
		if b.limit -= int64(n); b.limit < 0 {
			return ErrTooLarge
		}
		if err := b.fill(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// chunks reads chunks and the trailer after them.
func (b *bodyReader) chunks() error {
	for {
		line, err := b.line()
		if err != nil {
			return err
		}
		digits, _, _ := bytes.Cut(line, []byte(";"))
		size, err := strconv.ParseUint(string(bytes.TrimRight(digits, " \t")), 16, 62)
		if err != nil {
			return errMalformed
		}
		if size == 0 {
			return b.trailer()
		}
		if err := b.bytes(int64(size)); err != nil {
			return err
		}
		if line, err = b.line(); err != nil {
			return err
		}
		if len(line) > 0 {
			return errMalformed
		}
	}
}

// trailer reads headers that follow the chunks, up to an empty line. Their size counts as that of the body.
func (b *bodyReader) trailer() error {
	for {
		line, err := b.line()
		if err != nil || len(line) == 0 {
			return err
		}
		if _, _, err := splitHeader(line); err != nil {
			return err
		}
		if b.limit -= int64(len(line)); b.limit < 0 {
			return ErrTooLarge
		}
	}
}

// line reads a line and returns it without its end. It is valid until the next read.
func (b *bodyReader) line() ([]byte, error) {
	for {
		if i := bytes.Index(b.unread, []byte("\r\n")); i >= 0 {
			line := b.unread[:i]
			b.unread = b.unread[i+2:]
			if bytes.ContainsFunc(line, isControl) {
				return nil, errMalformed
			}
			return line, nil
		}
		if err := b.fill(); err != nil {
			return nil, err
		}
	}
}
