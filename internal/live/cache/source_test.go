package cache_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// source is a table in memory that records its requests, and holds them while it is told to.
type source struct {
	mu    sync.Mutex
	log   []string
	items map[keys.Key]item.Item
	// open is closed while requests are not held.
	open chan struct{}
	// writable is closed when writes are carried out, if it is not nil.
	writable chan struct{}
	// err is the error of all requests, and left are keys that are unprocessed.
	err  error
	left []keys.Key
	// panics is set if the next request panics.
	panics bool
}

func newSource() *source {
	s := &source{items: map[keys.Key]item.Item{}, open: make(chan struct{})}
	close(s.open)
	for _, name := range []string{"a", "b", "c"} {
		s.put(name, "1")
	}
	return s
}

// key is that of the item with a name, all of which are in one partition.
func key(name string) keys.Key { return keys.Key{PK: "P", SK: keys.SK(name)} }

func keysOf(names ...string) []keys.Key {
	all := make([]keys.Key, len(names))
	for i, name := range names {
		all[i] = key(name)
	}
	return all
}

func stored(name, value string) item.Item {
	return item.Item{
		{Name: keys.AttributePK, Value: item.StringValue("P")},
		{Name: keys.AttributeSK, Value: item.StringValue(name)},
		{Name: "value", Value: item.StringValue(value)},
	}
}

func (s *source) put(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[key(name)] = stored(name, value)
}

// hold holds further requests until release is called.
func (s *source) hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := make(chan struct{})
	s.open = held
	return func() { close(held) }
}

// taken returns the requests since it was last called.
func (s *source) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// arrive records a request, and waits until it may be answered. Its items are read before that, as if the response was
// on its way.
func (s *source) arrive(ctx context.Context, text string, wanted ...keys.Key) (request.Result, error) {
	s.mu.Lock()
	s.log = append(s.log, text)
	res, err, open, panics := request.Result{ReadUnits: 0.5 * float64(len(wanted)), Retries: 1}, s.err, s.open, s.panics
	res.Items = make([]item.Item, 0, len(wanted)+1)
	for _, k := range wanted {
		if slices.Contains(s.left, k) {
			res.Unprocessed = append(res.Unprocessed, k)
		} else if it := s.items[k]; it != nil {
			res.Items = append(res.Items, it)
		}
	}
	s.panics = false
	s.mu.Unlock()
	select {
	case <-open:
	case <-ctx.Done():
		return request.Result{Retries: 1}, ctx.Err()
	}
	if panics {
		panic("broken")
	}
	if err != nil {
		return request.Result{Retries: 1}, err
	}
	return res, nil
}

func (s *source) GetItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	return s.arrive(ctx, fmt.Sprintf("get %s%s%s", request.TenantOf(ctx), r.Key.SK, strong(r.Consistent)), r.Key)
}

func (s *source) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	text := "batch " + request.TenantOf(ctx)
	for _, k := range r.Keys {
		text += string(k.SK)
	}
	return s.arrive(ctx, text+strong(r.Consistent), r.Keys...)
}

func (s *source) Query(ctx context.Context, q request.Query) (request.Result, error) {
	text := fmt.Sprintf("query %s%s%s%s", request.TenantOf(ctx), q.Index, q.PK, strong(q.Consistent))
	res, err := s.arrive(ctx, text, keysOf("a", "b")...)
	if err == nil {
		res.Last = keys.Position{SK: "b"}
	}
	return res, err
}

func (s *source) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	s.mu.Lock()
	open := s.writable
	s.mu.Unlock()
	if open != nil {
		<-open
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range w.Actions {
		if s.err == nil && a.Kind == write.ActionPut {
			s.items[a.Key] = a.Item
		}
	}
	return request.Result{WriteUnits: 1}, s.err
}

func (s *source) Now() time.Time { return time.Now() }

func strong(consistent bool) string {
	if consistent {
		return " strongly"
	}
	return ""
}
