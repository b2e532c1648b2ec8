package wire

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

// received is a connection on which something was received.
type received struct {
	net.Conn
	io.Reader
}

func (r received) Read(b []byte) (int, error) { return r.Reader.Read(b) }

func (r received) Write(b []byte) (int, error) { return len(b), nil }

// FuzzResponse compares the responses that are accepted with what net/http reads, body and end, whatever parts of
// them arrive together.
func FuzzResponse(f *testing.F) {
	for _, text := range []string{
		ok(anItem), ok(anItem) + ok("{}"), "HTTP/1.1 200 OK\r\n\r\n{}", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}x",
		inChunks + "1;x=y\r\n{\r\n1 \r\n}\r\n0\r\nA: b\r\n\r\nx", inChunks + "0\r\n\r\n", inChunks + "g\r\n",
		"HTTP/1.1 103 Hints\r\nA: b\r\n\r\nHTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nxxxxx",
		"HTTP/1.1 304 x\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 1\r\n\r\nx",
		"HTTP/1.1 400 Bad Request\r\nContent-Length: 002\r\nDate: x\r\nx-amzn-requestid: y\r\n\r\n{}",
		"HTTP/1.1 200 OK\r\nA\x00: b\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\n{}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var first *response
		for _, reader := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text))} {
			c := &conn{Conn: received{Reader: reader}, buffer: make([]byte, bufferSize)}
			var r response
			_, err := c.readResponse(&r, 1<<20)
			if err != nil {
				r = response{}
			} else if left, _ := io.ReadAll(reader); !r.last {
				compareResponse(t, text, &r, len(c.unread)+len(left))
			}
			if first == nil {
				first = &r
			} else if r != *first {
				t.Fatalf("%q: got %+v, but byte by byte %+v", text, *first, r)
			}
		}
	})
}

// compareResponse checks a response that leaves a connection open, with so many bytes left.
func compareResponse(t *testing.T, text []byte, got *response, left int) {
	t.Helper()
	in := bufio.NewReader(bytes.NewReader(text))
	for {
		want, err := http.ReadResponse(in, &http.Request{Method: http.MethodPost})
		if err != nil {
			t.Fatalf("%q: got %+v, but net/http returns %v", text, got, err)
		}
		body, err := io.ReadAll(want.Body)
		want.Body.Close()
		if err != nil {
			t.Fatalf("%q: got %+v, but net/http returns %v", text, got, err)
		}
		if want.StatusCode < 200 {
			continue
		}
		rest, _ := io.ReadAll(in)
		if want.StatusCode != got.status || string(body) != got.body || want.Close || len(rest) != left {
			t.Fatalf("%q: got %+v and %d bytes left, but net/http %d, %q and %q", text, got, left, want.StatusCode, body, rest)
		}
		if sum := want.Header.Get("X-Amz-Crc32"); got.hasChecksum != (strings.TrimSpace(sum) != "") {
			t.Fatalf("%q: got %+v, but the checksum %q", text, got, sum)
		}
		return
	}
}
