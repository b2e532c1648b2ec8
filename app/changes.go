package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/httpserver"
)

// changes notifies pages of the playground of the schema that is served, by server-sent events.
//
// https://html.spec.whatwg.org/multipage/server-sent-events.html
type changes struct {
	// stopping is closed when the gateway stops, which waits for its responses.
	stopping <-chan struct{}

	mu    sync.Mutex
	state change
	// next is closed when the state changes.
	next chan struct{}
}

// change is the JSON of an event.
type change struct {
	// Schema identifies the schema that is served: pages load it again when it is another one.
	Schema string `json:"schema"`
	// Problem is why the files as they are cannot be served; "" if they are.
	Problem string `json:"problem,omitempty"`
	// Migrated is what has changed in the table of the local engine since the schema before.
	Migrated []string `json:"migrated,omitempty"`
}

func newChanges(ctx context.Context, schema string) *changes {
	return &changes{stopping: ctx.Done(), state: change{Schema: schema}, next: make(chan struct{})}
}

// set sends the state to all pages.
func (c *changes) set(state change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = state
	close(c.next)
	c.next = make(chan struct{})
}

func (c *changes) get() (change, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state, c.next
}

// ServeHTTP sends the state, and again whenever it changes, until the page is closed.
func (c *changes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpserver.Release(r.Context())
	control := http.NewResponseController(w)
	// The timeouts of the server are those of other responses.
	if control.SetReadDeadline(time.Time{}) != nil || control.SetWriteDeadline(time.Time{}) != nil {
		http.Error(w, "the connection cannot be kept", http.StatusNotImplemented)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		state, next := c.get()
		text, err := json.Marshal(state)
		if err != nil {
			panic(err) // strings are JSON
		}
		if _, err := fmt.Fprintf(w, "retry: 1000\ndata: %s\n\n", text); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-next:
		case <-r.Context().Done():
			return
		case <-c.stopping:
			return
		}
	}
}
