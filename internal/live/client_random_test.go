package live_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
)

// TestClients has clients that read first states while each gateway is behind the stream in its own way, receive
// events, and resume after old and new positions at any gateway, from memory or by replays. Whatever comes in between,
// each event follows from what its client knows, and at the end that is what the table has.
func TestClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// A test in a bubble has no deadline.
		rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) { newWorld(t).run() })
	})
}

// client has a subscription to the notes of ann, and what it knows of them.
type client struct {
	*world
	name string
	feed *live.Feed
	view map[string]item.Item
	// kept are positions, each with what the client knew then.
	kept []snapshot
	// states is how many first states were read.
	states int
}

type snapshot struct {
	position string
	view     map[string]item.Item
}

// begin subscribes, and reads the first state.
func (c *client) begin() {
	c.close()
	h := one(c.T, "begins at", c.gateways).hub
	f := must(h.Subscribe(conditionOf(c.T), ""))
	c.states++
	c.feed, c.view = f, map[string]item.Item{}
	for _, id := range rapid.Permutation([]string{"1", "2", "3"}).Draw(c.T, "order") {
		for range rapid.IntRange(0, 2).Draw(c.T, "while reading") {
			c.step(true)
		}
		if it := c.items[id]; it != nil {
			c.view[id] = it
		}
	}
	items := slices.SortedFunc(maps.Values(c.view), func(a, b item.Item) int {
		return compare(a.Text("id"), b.Text("id"))
	})
	f.Begin(live.State{Items: items})
	c.kept = nil
	c.keep(f.Position())
}

func (c *client) keep(position string) {
	c.kept = append(c.kept, snapshot{position, maps.Clone(c.view)})
}

func (c *client) close() {
	if c.feed != nil {
		c.feed.Close()
	}
}

// resume subscribes after a position at a gateway.
func (c *client) resume(s snapshot) {
	c.close()
	h := one(c.T, "resumes at", c.gateways).hub
	f := must(h.Subscribe(conditionOf(c.T), s.position))
	c.feed, c.view, c.kept = f, maps.Clone(s.view), []snapshot{s}
}

// receive receives some events, as far as there are any.
func (c *client) receive(most int) {
	for most > 0 {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		e, err := c.feed.Next(ctx)
		synctest.Wait()
		switch {
		case err == nil:
			c.take(e)
			most--
		case errors.Is(err, context.Canceled):
			if rapid.Bool().Draw(c.T, "of the feed") {
				c.keep(c.feed.Position())
			}
			return
		case errors.Is(err, live.ErrReplay):
			c.feed.Replay(float64(rapid.IntRange(1, 4).Draw(c.T, "requests")))
			synctest.Wait()
		case errors.Is(err, live.ErrUnsettled), errors.Is(err, live.ErrLost):
			c.isGone = false // or a state of an index might be lost again
			c.begin()
		case errors.Is(err, live.ErrSlow), errors.Is(err, live.ErrClosed):
			c.resume(c.kept[len(c.kept)-1])
		default:
			c.Fatal(err)
		}
	}
}

// take compares an event with what the client knows.
func (c *client) take(e live.Event) {
	id := idOf(e.Change)
	known, has := c.view[id]
	if e.Was != has || has && !same(e.Old, known) {
		c.Fatalf("client %s: the event %s is %v -> %v, and it has %v", c.name, e.Sequence, e.Old, e.New, known)
	}
	if e.Is {
		c.view[id] = e.New
	} else {
		delete(c.view, id)
	}
	c.keep(e.Position())
}

// catchUp receives everything. The client knows what the table has then.
func (c *client) catchUp() {
	for states := -1; states < c.states; {
		states = c.states
		c.settle()
		c.receive(math.MaxInt)
	}
	if !maps.EqualFunc(c.view, c.present(), same) {
		c.Fatalf("client %s has %v, and the table %v", c.name, c.view, c.present())
	}
}
