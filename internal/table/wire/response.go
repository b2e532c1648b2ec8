package wire

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Errors of a response. They concern the connection: the request is sent again on another one.
var (
	errMalformed = errors.New("wire: malformed HTTP response")
	errChecksum  = errors.New("wire: the response has another checksum than its header")
)

// ErrTooLarge is a body beyond the limit. It would be as large again. Amazon ends a page of records at 1 MB; the local
// engine does not.
var ErrTooLarge = errors.New("wire: the response is larger than DynamoDB's limits allow")

// maxInformational is how many responses with a status below 200 may precede the one to a request. It is that of
// net/http.
const maxInformational = 5

// response is an HTTP response.
type response struct {
	status int
	body   string

	// requestID and errorType are headers of an error, and date that of any response.
	requestID, errorType, date string
	// aged is set if a cache returned the response. Its date is not the server's time.
	aged bool

	// length is the Content-Length, -1 without.
	length  int64
	chunked bool
	// last is set if the connection cannot be used again.
	last        bool
	checksum    uint32
	hasChecksum bool
	encoded     bool
}

// failed reports whether the response is an error.
func (r *response) failed() bool { return r.status < 200 || r.status > 299 }

// readHead reads the status line and the headers, up to the empty line. The result is valid until the next read.
func (c *conn) readHead() ([]byte, error) {
	for {
		if i := bytes.Index(c.unread, []byte("\r\n\r\n")); i >= 0 {
			head := c.unread[:i+2]
			c.unread = c.unread[i+4:]
			return head, nil
		}
		if err := c.fill(); err != nil {
			return nil, unexpectedEnd(err, len(c.unread) > 0)
		}
	}
}

// unexpectedEnd returns io.ErrUnexpectedEOF for the end of a connection within a response.
func unexpectedEnd(err error, within bool) error {
	if within && errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// parseHead parses a status line and headers, each with its end of line.
func (r *response) parseHead(head []byte) error {
	line, rest, _ := bytes.Cut(head, []byte("\r\n"))
	*r = response{length: -1}
	version, status, _ := bytes.Cut(line, []byte(" "))
	switch string(version) {
	case "HTTP/1.1":
	case "HTTP/1.0":
		r.last = true
	default:
		return errMalformed
	}
	if len(status) < 3 || len(status) > 3 && status[3] != ' ' || bytes.ContainsFunc(status, isControl) {
		return errMalformed
	}
	code, err := strconv.ParseUint(string(status[:3]), 10, 16)
	if err != nil || code < 100 {
		return errMalformed
	}
	r.status = int(code)
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		name, value, err := splitHeader(line)
		if err != nil {
			return err
		}
		if err := r.header(name, value); err != nil {
			return err
		}
	}
	if r.chunked && r.length >= 0 {
		return errMalformed // the two could disagree on the body's end
	}
	return nil
}

// splitHeader returns the name and the value of a header.
func splitHeader(line []byte) (name, value []byte, err error) {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || !isToken(name) || bytes.ContainsFunc(value, isControl) {
		return nil, nil, errMalformed
	}
	return name, bytes.Trim(value, " \t"), nil
}

// isToken reports whether a text can be the name of a header.
//
// https://www.rfc-editor.org/rfc/rfc9110#name-tokens
func isToken(name []byte) bool {
	for _, c := range name {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return len(name) > 0
}

// isControl reports whether a header, or another line, cannot have the character.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// header keeps a header's value if it is needed.
func (r *response) header(name, value []byte) error {
	is := func(other string) bool { return len(name) == len(other) && strings.EqualFold(string(name), other) }
	switch len(name) {
	case len("Age"):
		r.aged = r.aged || is("Age")
	case len("Date"):
		if is("Date") {
			r.date = string(value)
		}
	case len("Connection"):
		if is("Connection") {
			for option := range bytes.SplitSeq(value, []byte(",")) {
				r.last = r.last || strings.EqualFold(string(bytes.TrimSpace(option)), "close")
			}
		}
	case len("X-Amz-Crc32"):
		if is("X-Amz-Crc32") {
			sum, err := strconv.ParseUint(string(value), 10, 32)
			if err != nil {
				return errMalformed
			}
			r.checksum, r.hasChecksum = uint32(sum), true
		}
	case len("Content-Length"):
		if is("Content-Length") {
			length, err := strconv.ParseUint(string(value), 10, 63)
			if err != nil || r.length >= 0 && r.length != int64(length) {
				return errMalformed
			}
			r.length = int64(length)
		}
	case len("Content-Encoding"): // as long as x-amzn-RequestId and x-amzn-ErrorType
		switch {
		case is("Content-Encoding"):
			r.encoded = !strings.EqualFold(string(value), "identity")
		case r.failed() && is("X-Amzn-RequestId"):
			r.requestID = string(value)
		case r.failed() && is("X-Amzn-ErrorType"):
			r.errorType = string(value)
		}
	case len("Transfer-Encoding"):
		if is("Transfer-Encoding") {
			if r.chunked || !strings.EqualFold(string(value), "chunked") {
				return errMalformed
			}
			r.chunked = true
		}
	}
	return nil
}
