package tabletest

import (
	"net/http"
	"slices"
	"sync"
)

// Hold delays requests after they are counted and before the engine receives them.
type Hold struct {
	proxy    *Proxy
	match    func(Request) bool
	arrived  chan Request
	left     chan Request
	released chan struct{}
	once     sync.Once
}

// Hold delays each request for which match returns true, from now until Release.
func (p *Proxy) Hold(match func(Request) bool) *Hold {
	h := &Hold{
		proxy: p, match: match,
		arrived: make(chan Request, 1024), left: make(chan Request, 1024), released: make(chan struct{}),
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holds = append(p.holds, h)
	return h
}

// Arrived delivers each request once it waits.
func (h *Hold) Arrived() <-chan Request { return h.arrived }

// Left delivers each request whose client no longer waits.
func (h *Hold) Left() <-chan Request { return h.left }

// Release forwards the requests, and ends the Hold.
func (h *Hold) Release() {
	h.once.Do(func() {
		h.proxy.mu.Lock()
		defer h.proxy.mu.Unlock()
		h.proxy.holds = slices.DeleteFunc(h.proxy.holds, func(other *Hold) bool { return other == h })
		close(h.released)
	})
}

// await waits as long as a Hold matches the request and its client waits too.
func (p *Proxy) await(r *http.Request, operation string, text []byte) {
	p.mu.Lock()
	holds := slices.Clone(p.holds)
	p.mu.Unlock()
	if len(holds) == 0 {
		return
	}
	request := p.request(operation, text)
	i := slices.IndexFunc(holds, func(h *Hold) bool { return h.match(request) })
	if i < 0 {
		return
	}
	h := holds[i]
	h.arrived <- request
	select {
	case <-h.released:
	case <-r.Context().Done():
		h.left <- request
	}
}
