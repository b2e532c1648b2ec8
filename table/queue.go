package table

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// turns lets the process's transactions on an item that many want to change go
// one after the other. DynamoDB cancels all but one of those that meet, each
// attempt at its price, so that waiting is both cheaper and sooner done. An item
// is hot from the first conflict on it until nobody waits for it; other items
// cost nothing.
type turns struct {
	mu  sync.Mutex
	hot map[keys.Key]*turn
}

// turn is a place that one transaction holds; the others wait in the order in
// which they came.
type turn struct {
	wanted int // by how many, the holder among them
	free   chan struct{}
}

// hotAmong are those of the transaction's items that are hot.
func (t *turns) hotAmong(actions []write.Action) []keys.Key {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.hot) == 0 {
		return nil
	}
	var found []keys.Key
	for _, a := range actions {
		if t.hot[a.Key] != nil {
			found = append(found, a.Key)
		}
	}
	return found
}

// take waits for the turn on all of the items. Everybody takes them in the same
// order, so that no two wait for each other.
func (t *turns) take(ctx context.Context, items []keys.Key) (release func(), err error) {
	slices.SortFunc(items, func(a, b keys.Key) int {
		return cmp.Or(cmp.Compare(a.PK, b.PK), cmp.Compare(a.SK, b.SK))
	})
	held := 0
	release = func() {
		for _, key := range items[:held] {
			t.leave(key, true)
		}
	}
	for _, key := range items {
		select {
		case <-t.want(key).free:
			held++
		case <-ctx.Done():
			t.leave(key, false)
			release()
			return nil, ctx.Err()
		}
	}
	return release, nil
}

func (t *turns) want(key keys.Key) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.hot[key]
	if at == nil {
		if t.hot == nil {
			t.hot = map[keys.Key]*turn{}
		}
		at = &turn{free: make(chan struct{}, 1)}
		at.free <- struct{}{}
		t.hot[key] = at
	}
	at.wanted++
	return at
}

func (t *turns) leave(key keys.Key, held bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.hot[key]
	if held {
		at.free <- struct{}{}
	}
	if at.wanted--; at.wanted == 0 {
		delete(t.hot, key)
	}
}
