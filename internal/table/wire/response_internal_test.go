package wire

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/partita/partita/request"
)

// inChunks is the head of a response with chunks.
const inChunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

// TestResponses: responses that HTTP/1.1 allows, and whether the connection is kept after them.
func TestResponses(t *testing.T) {
	t.Parallel()
	length := fmt.Sprintf("Content-Length: %d\r\n", len(anItem))
	large := strings.Repeat("x", bufferSize/2)
	sum := crc32.ChecksumIEEE([]byte(anItem))
	chunked := fmt.Sprintf("5\r\n%s\r\n%X ;name=value\r\n%s\r\n0\r\n", anItem[:5], len(anItem)-5, anItem[5:])
	for name, c := range map[string]struct {
		response string
		kept     bool
	}{
		"length":          {"HTTP/1.1 200 OK\r\n" + length + "\r\n" + anItem, true},
		"no reason":       {"HTTP/1.1 200\r\n" + length + "\r\n" + anItem, true},
		"other case":      {"HTTP/1.1 200 OK\r\n" + strings.ToLower(length) + "\r\n" + anItem, true},
		"length twice":    {"HTTP/1.1 200 OK\r\n" + length + length + "\r\n" + anItem, true},
		"checksum":        {fmt.Sprintf("HTTP/1.1 200 OK\r\nx-amz-crc32: %d\r\n%s\r\n%s", sum, length, anItem), true},
		"chunked":         {inChunks + chunked + "\r\n", true},
		"trailer":         {inChunks + chunked + "Name: value\r\n\r\n", true},
		"informational":   {"HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n" + length + "\r\n" + anItem, true},
		"identity":        {"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\n" + length + "\r\n" + anItem, true},
		"close":           {"HTTP/1.1 200 OK\r\nConnection: x, Close\r\n" + length + "\r\n" + anItem, false},
		"HTTP/1.0":        {"HTTP/1.0 200 OK\r\n" + length + "\r\n" + anItem, false},
		"until the end":   {"HTTP/1.1 200 OK\r\n\r\n" + anItem, false},
		"another follows": {ok(anItem) + ok(`{}`), false},
		"a byte follows":  {ok(anItem) + "x", false},
		"an empty one":    {ok(anItem) + "HTTP/1.1 204 No Content\r\n\r\n", false},
		"large header":    {"HTTP/1.1 200 OK\r\nX: " + large + "\r\n" + length + "\r\n" + anItem, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bothSchemes(t, func(t *testing.T, secure bool) {
				s := serve(t, secure, func(conn *connection) {
					for conn.receive() == nil {
						conn.send(c.response)
						if !c.kept {
							return
						}
					}
				})
				client := newClient(t, s.url, 1, trusting(s))
				for range 3 {
					wantItem(t, client, 0)
				}
				want := 3
				if c.kept {
					want = 1
				}
				if n := s.connections(); n != want {
					t.Errorf("%d connections, want %d", n, want)
				}
			})
		})
	}
}

// TestMalformedResponses: after a response that is none, the connection is closed and the request sent again.
func TestMalformedResponses(t *testing.T) {
	t.Parallel()
	endless := strings.Repeat("x", bufferSize)
	for name, response := range map[string]string{
		"garbage":             "SSH-2.0-OpenSSH\r\n\r\n",
		"another version":     "HTTP/2.0 200 OK\r\n\r\n",
		"no status":           "HTTP/1.1\r\n\r\n",
		"short status":        "HTTP/1.1 20\r\n\r\n",
		"long status":         "HTTP/1.1 2000\r\n\r\n",
		"status 0":            "HTTP/1.1 000 \r\n\r\n",
		"no colon":            "HTTP/1.1 200 OK\r\nName\r\n\r\n",
		"no name":             "HTTP/1.1 200 OK\r\n: value\r\n\r\n",
		"folded":              "HTTP/1.1 200 OK\r\nName: a\r\n b: c\r\n\r\n",
		"space in a name":     "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}",
		"line feed":           "HTTP/1.1 200 OK\r\nName: a\nContent-Length: 2\r\n\r\n{}",
		"negative length":     "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
		"signed length":       "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}",
		"two lengths":         "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
		"length and chunked":  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"other encoding":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		"chunked twice":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"compressed":          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
		"chunk size":          inChunks + "x\r\n",
		"negative chunk size": inChunks + "-1\r\n",
		"huge chunk size":     inChunks + strings.Repeat("f", 17) + "\r\n",
		"longer chunk":        inChunks + "1\r\n{}\r\n0\r\n\r\n",
		"endless line":        inChunks + endless,
		"endless header":      "HTTP/1.1 200 OK\r\nName: " + endless,
		"switching protocols": "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"informational":       strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 100),
		"other checksum":      "HTTP/1.1 200 OK\r\nX-Amz-Crc32: 1\r\nContent-Length: 2\r\n\r\n{}",
		"no checksum":         "HTTP/1.1 200 OK\r\nX-Amz-Crc32: x\r\nContent-Length: 2\r\n\r\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, false, func(c *connection) {
				if c.receive() != nil {
					return
				}
				if c.n > 1 {
					c.send(ok(anItem))
					c.answer(ok(anItem))
					return
				}
				c.send(response)
				c.awaitClose()
			})
			c := newClient(t, s.url, 2)
			wantItem(t, c, 1)
			wantItem(t, c, 0)
		})
	}
}

// TestResponseEndsTooEarly: wherever a connection ends, the response before is not taken for a whole one.
func TestResponseEndsTooEarly(t *testing.T) {
	t.Parallel()
	chunked := inChunks + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(anItem), anItem)
	for _, whole := range []string{ok(anItem), chunked} {
		bothSchemes(t, func(t *testing.T, secure bool) {
			s := serve(t, secure, func(c *connection) {
				if c.receive() == nil {
					c.send(whole[:min(c.n-1, len(whole))])
				}
			})
			c := newClient(t, s.url, len(whole)+1, trusting(s))
			wantItem(t, c, len(whole))
		})
	}
}

// TestLimits: a response beyond what DynamoDB can send is an error, and not requested again.
func TestLimits(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat(" ", 1<<20)
	for name, head := range map[string]string{
		"length":        "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
		"chunk":         inChunks + "3fffffffffffffff\r\n",
		"chunks":        inChunks,
		"until the end": "HTTP/1.1 200 OK\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, false, func(c *connection) {
				if c.receive() != nil {
					return
				}
				c.send(head)
				for {
					part := filler
					if name == "chunks" {
						part = fmt.Sprintf("%x\r\n%s\r\n", len(filler), filler)
					}
					if _, err := c.Write([]byte(part)); err != nil {
						return
					}
				}
			})
			c := newClient(t, s.url, 3)
			_, err := c.GetItem(t.Context(), aRead)
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("got %v", err)
			}
			if n := s.connections(); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// TestEmptyAndDamagedBodies: no body is no item, as with the SDK; a body that is not JSON is an error.
func TestEmptyAndDamagedBodies(t *testing.T) {
	t.Parallel()
	s := serve(t, false, func(c *connection) {
		for _, response := range []string{
			"HTTP/1.1 204 No Content\r\n\r\n", ok(""), ok("{"), "HTTP/1.1 503 Busy\r\nContent-Length: 6\r\n\r\n<html>",
		} {
			if c.receive() != nil {
				return
			}
			c.send(response)
		}
		c.awaitClose()
	})
	half := serve(t, false, func(c *connection) {
		if c.receive() == nil {
			c.send(ok(anItem)[:50])
		}
	})
	wantError(t, newClient(t, half.url, 1), request.ErrUnavailable, 0, "unexpected EOF")
	c := newClient(t, s.url, 1)
	for range 2 {
		if got, err := c.GetItem(t.Context(), aRead); err != nil || got.Items != nil {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	wantError(t, c, nil, 0, "ends too early")
	wantError(t, c, request.ErrUnavailable, 0, "503")
}
