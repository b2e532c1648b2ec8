package gateway_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/viewer"
)

// keyRing trusts all tokens whose key has not been withdrawn: those of one name.
type keyRing struct {
	mu        sync.Mutex
	withdrawn []string
	functions map[*func()]bool
}

func (k *keyRing) configure(c *gateway.Config) {
	k.functions = map[*func()]bool{}
	c.Callers.Authenticate = func(r *http.Request) (viewer.Viewer, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if slices.Contains(k.withdrawn, r.Header.Get("Authorization")) {
			return viewer.Viewer{}, rejectedToken{}
		}
		return expiring(r)
	}
	c.Callers.OnKeys = func(f func()) (stop func()) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.functions[&f] = true
		return func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			delete(k.functions, &f)
		}
	}
}

// withdraw withdraws the key of a token, as a fetch of the key set does.
func (k *keyRing) withdraw(token string) {
	k.mu.Lock()
	k.withdrawn = append(k.withdrawn, token)
	var all []func()
	for f := range k.functions {
		all = append(all, *f)
	}
	k.mu.Unlock()
	for _, f := range all {
		f()
	}
}

// TestWithdrawnKey: a fetch of the key set ends the connections and subscriptions whose key was withdrawn, and no
// others.
func TestWithdrawnKey(t *testing.T) {
	k := &keyRing{}
	inBubble(t, k.configure, func(t *testing.T, b bubble) {
		socket := b.ready(t, `{"Authorization":"Bearer ada"}`)
		socket.send(subscribing("1", subscription("one")))
		first := b.feeds.next(t)
		events := b.open(t, "one", "Authorization", "Bearer ada")
		second := b.feeds.next(t)
		parts := b.open(t, "one", "Authorization", "Bearer ada", "Accept", apolloAccept)
		fourth := b.feeds.next(t)
		waiting := b.connect(t, "Authorization", "Bearer ada") // it has no connection_init yet
		other := b.ready(t, `{"Authorization":"Bearer other"}`)
		other.send(subscribing("1", subscription("one")))
		third := b.feeds.next(t)

		time.Sleep(time.Second) // in the bubble
		k.withdraw("Bearer ada")
		socket.wantsClose(4403, "UNAUTHENTICATED: the key of the token was withdrawn")
		<-first.closed
		events.wants("event: next\n", `"UNAUTHENTICATED"`, "its key was withdrawn")
		events.wants("event: complete\n")
		events.wantsEnd()
		<-second.closed
		end, err := io.ReadAll(parts.reader)
		if text := string(end); err != nil || !strings.Contains(text, "its key was withdrawn") ||
			!strings.HasSuffix(text, "--graphql--\r\n") {
			t.Errorf("got %q, %v", end, err)
		}
		<-fourth.closed
		waiting.send(`{"type":"connection_init"}`)
		waiting.wantsClose(4403, "UNAUTHENTICATED")

		third.send(t, event{data: text("a")})
		other.wants(`"next"`)
		other.send(`{"id":"1","type":"complete"}`)
		<-third.closed
	})
	if len(k.functions) > 0 {
		t.Errorf("%d connections are kept after their end", len(k.functions))
	}
}
