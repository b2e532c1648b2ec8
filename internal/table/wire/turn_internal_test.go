package wire

import (
	"context"
	"errors"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/share"
)

// TestParsingTakesATurn: a response is parsed only while the operation's caller has a place on the CPUs for it.
func TestParsingTakesATurn(t *testing.T) {
	turn := &share.Turn{CPUs: share.NewPool(share.Limits{Size: 1, PerCaller: 1, Beside: 1, Waiting: 1})}
	ctx, cancel := context.WithCancel(share.NewContext(t.Context(), turn))
	c := &Client{connections: &connections{}}
	e := newExchange(getItem, 1<<10)
	defer e.release()
	e.response.body = anItem
	for range 2 { // the place of the first one is released
		if err := c.parse(ctx, e); err != nil || len(e.answer.items) != 1 {
			t.Fatalf("got %v, %v", e.answer.items, err)
		}
	}
	fatal.If(t, turn.Begin(ctx))
	cancel()
	if err := c.parse(ctx, e); !errors.Is(err, context.Canceled) {
		t.Errorf("without a place, got %v", err)
	}
}
