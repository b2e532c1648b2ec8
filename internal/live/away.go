package live

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
		// What is delivered meanwhile comes with its items, so that the next call has nothing more to fetch.
		places := h.await(away)
		h.mu.Unlock()
		items, err := h.options.Reader.Fetch(away)
		h.mu.Lock()
		defer h.awaited(places)
		if mustDo = err != nil; mustDo {
			continue
		}
		for i, c := range away {
			c.bring(items[i]) // another feed may have done so
		}
	}
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
