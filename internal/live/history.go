package live

import (
	"time"
)

// history has the changes of the last moments, each with a number, and finds those of a place.
type history struct {
	limit int // bytes
	bytes int
	// changes are those with the numbers from first to last, each at its number modulo the length, a power of two.
	changes     []remembered
	first, last uint64
	// links lead from the last change of a place to the one before it. They have numbers as well. heads are the last
	// links, by place modulo the length.
	links               []link
	firstLink, lastLink uint64
	heads               []uint64
	// forgotten is the latest time of a change that was removed.
	forgotten time.Time
}

// remembered is a change in the history.
type remembered struct {
	change  *Change
	arrived time.Time
	bytes   int
	// wasAway is set if bytes are without its items.
	wasAway bool
	// after is the moment after the change.
	after moment
	// lastLink is the number of its last link.
	lastLink uint64
}

// link is a place of the change with a number. before is the number of the link that was the head before it.
type link struct {
	place          Place
	number, before uint64
}

func newHistory(limit int) history {
	const size = 64
	return history{
		limit: limit, first: 1, firstLink: 1,
		changes: make([]remembered, size), links: make([]link, size), heads: make([]uint64, size),
	}
}

// at returns the change with a number from first to last.
func (h *history) at(number uint64) *remembered { return &h.changes[number&uint64(len(h.changes)-1)] }

func (h *history) link(number uint64) *link { return &h.links[number&uint64(len(h.links)-1)] }

func (h *history) head(p Place) *uint64 { return &h.heads[uint64(p)&uint64(len(h.heads)-1)] }

// add adds a change that is at some places. It removes others if there are too many bytes.
func (h *history) add(c *Change, places []Place, now time.Time, after moment) {
	size := sizeOf(c)
	for h.bytes += size; h.bytes > h.limit && h.first <= h.last; {
		h.removeFirst()
	}
	if int(h.last-h.first+1) == len(h.changes) {
		h.changes = grown(h.changes, h.first, h.last)
	}
	h.last++
	for _, p := range places {
		h.addLink(p)
	}
	*h.at(h.last) = remembered{
		change: c, arrived: now, bytes: size, wasAway: c.Away != nil, after: after, lastLink: h.lastLink,
	}
}

func (h *history) addLink(p Place) {
	if int(h.lastLink-h.firstLink+1) == len(h.links) {
		h.links = grown(h.links, h.firstLink, h.lastLink)
		h.heads = make([]uint64, len(h.links))
		for n := h.firstLink; n <= h.lastLink; n++ {
			l := h.link(n)
			l.before, *h.head(l.place) = *h.head(l.place), n
		}
	}
	h.lastLink++
	head := h.head(p)
	*h.link(h.lastLink), *head = link{place: p, number: h.last, before: *head}, h.lastLink
}

// grown returns a ring of twice the length with the elements from first to last.
func grown[T any](ring []T, first, last uint64) []T {
	larger := make([]T, 2*len(ring))
	for n := first; n <= last; n++ {
		larger[n&uint64(len(larger)-1)] = ring[n&uint64(len(ring)-1)]
	}
	return larger
}

func (h *history) removeFirst() {
	r := h.at(h.first)
	h.bytes -= r.bytes
	h.firstLink = r.lastLink + 1
	if r.change.At.After(h.forgotten) {
		h.forgotten = r.change.At
	}
	*r = remembered{}
	h.first++
}

// removeBefore removes the changes that arrived before a time.
func (h *history) removeBefore(at time.Time) {
	for h.first <= h.last && h.at(h.first).arrived.Before(at) {
		h.removeFirst()
	}
}

// appendNumbers appends the numbers of the changes of a place after one, the last one first. Others may be among them.
func (h *history) appendNumbers(numbers []uint64, p Place, after uint64) []uint64 {
	for n := *h.head(p); n >= h.firstLink && n > 0; {
		l := h.link(n)
		if l.number <= after {
			break
		}
		if l.place == p {
			numbers = append(numbers, l.number)
		}
		n = l.before
	}
	return numbers
}

// weigh returns the change with a number, whose items may have been brought.
func (h *history) weigh(number uint64) *remembered {
	r := h.at(number)
	if r.wasAway && r.change.Away == nil {
		r.wasAway = false
		h.bytes -= r.bytes
		r.bytes = sizeOf(r.change)
		h.bytes += r.bytes
	}
	return r
}

// sizeOf returns about how many bytes of memory a change has.
func sizeOf(c *Change) int {
	const attribute, change = 56, 256
	return change + c.Old.Size() + c.New.Size() + attribute*(len(c.Old)+len(c.New))
}
