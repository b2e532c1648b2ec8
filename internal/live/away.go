package live

import (
	"slices"
	"sync"
)

// withItems calls a function with the hub's mutex held. If that returns changes whose items are away, it fetches these
// and calls the function again. If they cannot be fetched, it calls the function a last time, with mustDo set.
func (h *Hub) withItems(do func(mustDo bool) (away []*Change)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for mustDo := false; ; {
		away := do(mustDo)
		if len(away) == 0 || mustDo {
			return
		}
		// What is delivered there meanwhile comes with its items: the next call finds nothing more to fetch.
		places := h.await(away)
		mustDo = !h.fetch(away)
		h.awaited(places)
	}
}

// fetches has one fetch at a time for about each place: many feeds that begin there need the same items.
type fetches [64]sync.Mutex

// fetch fetches the items of changes. It reports whether they are here now. The hub's mutex is held, but meanwhile it
// is not.
func (h *Hub) fetch(away []*Change) bool {
	lock := &h.fetches[away[0].Away.Places[0]%Place(len(h.fetches))]
	h.mu.Unlock()
	lock.Lock()
	defer lock.Unlock()
	h.mu.Lock()
	away = slices.DeleteFunc(away, func(c *Change) bool { return c.Away == nil })
	if len(away) == 0 {
		return true
	}
	from := AwayOf(away)
	h.mu.Unlock()
	items, err := h.options.Reader.Fetch(from)
	h.mu.Lock()
	if err != nil {
		return false
	}
	for i, c := range away {
		c.Bring(items[i]) // another feed may have done so
	}
	return true
}

// await has all items needed that are at the places of changes, until awaited.
func (h *Hub) await(changes []*Change) []Place {
	var places []Place
	for _, c := range changes {
		places = append(places, c.Away.Places...)
	}
	for _, p := range places {
		h.awaiting[p]++
	}
	return places
}

func (h *Hub) awaited(places []Place) {
	for _, p := range places {
		if h.awaiting[p]--; h.awaiting[p] == 0 {
			delete(h.awaiting, p)
		}
	}
}
