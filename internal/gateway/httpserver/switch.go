package httpserver

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
)

// errStillAnswering is the error of a handler that has requests left when the time for them is over.
var errStillAnswering = errors.New("httpserver: the handler before is still answering requests")

// Switch is a handler in front of another one that can be replaced while requests are answered.
type Switch struct {
	current atomic.Pointer[drain]
	mu      sync.Mutex
	// former are those that have been replaced and have answers left.
	former []*drain
}

// NewSwitch returns a Switch in front of a handler.
func NewSwitch(h http.Handler) *Switch {
	s := &Switch{}
	s.current.Store(newDrain(h))
	return s
}

// ServeHTTP lets the handler answer that is in use when the request arrives.
func (s *Switch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d := s.current.Load()
	counted := d.enter()
	for !counted && d != s.current.Load() { // It was replaced in between.
		d = s.current.Load()
		counted = d.enter()
	}
	reached := &reached{drain: d, counted: counted}
	defer reached.leave()
	ctx := context.WithValue(context.WithValue(r.Context(), drainKey{}, d), reachedKey{}, reached)
	d.handler.ServeHTTP(w, r.WithContext(ctx))
}

type reachedKey struct{}

// reached is a request that a handler of a Switch answers.
type reached struct {
	drain   *drain
	counted bool
	once    sync.Once
}

func (r *reached) leave() { r.once.Do(func() { r.drain.leave(r.counted) }) }

// Release lets a Switch replace the handler of the request with this context without waiting for the response: for one
// that may last, and uses nothing that the Switch replaces. The server waits for it when it stops.
func Release(ctx context.Context) {
	if r, is := ctx.Value(reachedKey{}).(*reached); is {
		r.leave()
	}
}

// Set is Replace that does not wait.
func (s *Switch) Set(h http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	former := s.current.Swap(newDrain(h))
	former.begin()
	s.former = append(slices.DeleteFunc(s.former, (*drain).isIdle), former)
}

func (d *drain) isIdle() bool {
	select {
	case <-d.idle:
		return true
	default:
		return false
	}
}

// Replace lets another handler answer all further requests, ends the responses of the former one that would not end by
// themselves, see OnStop, and returns when all
// requests are answered that reached a former one. The error is for a context that ends before.
func (s *Switch) Replace(ctx context.Context, h http.Handler) error {
	s.Set(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.former) > 0 {
		select {
		case <-s.former[0].idle:
			s.former = s.former[1:]
		case <-ctx.Done():
			return errors.Join(errStillAnswering, ctx.Err())
		}
	}
	return nil
}

// Stop ends responses that would not end by themselves, when the server stops.
func (s *Switch) Stop() { s.current.Load().begin() }
