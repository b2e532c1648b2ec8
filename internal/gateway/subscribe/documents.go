package subscribe

import (
	"sync"

	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
)

// documents are those that subscriptions keep. Each counts as bytes of its caller, once for all subscriptions with it.
// Its methods may be called concurrently.
type documents struct {
	shares *operation.Shares
	mu     sync.Mutex
	kept   map[documentKey]*keptDocument
}

type documentKey struct {
	caller   share.Caller
	document *document.Document
}

// keptDocument is a document of a caller.
type keptDocument struct {
	seat          operation.Seat
	subscriptions int
}

// keep counts a document until release is called. Those of a manifest, which have no source, are kept anyway.
func (d *documents) keep(caller share.Caller, of *document.Document) (release func(), _ *response.Error) {
	if of.Source == "" {
		return func() {}, nil
	}
	key := documentKey{caller, of}
	d.mu.Lock()
	defer d.mu.Unlock()
	kept := d.kept[key]
	if kept == nil {
		kept = &keptDocument{seat: operation.Seat{Shares: d.shares}}
		kept.seat.Sit(caller)
		if err := kept.seat.Take(int(of.Size())); err != nil {
			return nil, err
		}
		d.kept[key] = kept
	}
	kept.subscriptions++
	return func() { d.release(key) }, nil
}

func (d *documents) release(key documentKey) {
	d.mu.Lock()
	defer d.mu.Unlock()
	kept := d.kept[key]
	if kept.subscriptions--; kept.subscriptions == 0 {
		kept.seat.Leave()
		delete(d.kept, key)
	}
}
