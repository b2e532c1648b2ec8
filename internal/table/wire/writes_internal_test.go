package wire

import (
	"errors"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
)

var aWrite = Write{Kind: Delete, Item: item.Item{{Name: "PK", Value: item.StringValue("A")}}}

// TestWriteIsNotSentAgain: a read is sent on a new connection if an idle one was closed, but a write may have been
// carried out: it is an attempt without an answer.
func TestWriteIsNotSentAgain(t *testing.T) {
	t.Parallel()
	bothSchemes(t, func(t *testing.T, secure bool) {
		received := make(chan struct{}, 8)
		s := serve(t, secure, func(c *connection) {
			for n := 1; c.receive() == nil; n++ {
				if received <- struct{}{}; c.n == 1 && n == 2 {
					return
				}
				c.send(ok("{}"))
			}
		})
		c := newClient(t, s.url, 1, trusting(s))
		if _, err := c.Write(t.Context(), &aWrite); err != nil {
			t.Fatal(err)
		}
		result, err := c.Write(t.Context(), &aWrite)
		if !errors.Is(err, request.ErrUnavailable) || result.Unanswered != 1 || len(received) != 2 {
			t.Errorf("%+v, %v after %d requests", result, err, len(received))
		}
		if _, err := c.GetItem(t.Context(), aRead); err != nil {
			t.Error(err)
		}
	})
}

// TestWriteTellsTheTime: the Date of an answer to a write is that of the table.
func TestWriteTellsTheTime(t *testing.T) {
	t.Parallel()
	s := serve(t, false, func(c *connection) {
		c.answer("HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2099 00:00:00 GMT\r\nContent-Length: 2\r\n\r\n{}")
	})
	var hours float64
	c := newClient(t, s.url, 1, func(o *Settings) {
		o.Clock = func(ahead time.Duration) { hours = ahead.Hours() }
	})
	if _, err := c.Write(t.Context(), &aWrite); err != nil || hours < 24 {
		t.Errorf("the clock is %v hours ahead; %v", hours, err)
	}
}
