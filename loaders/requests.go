package loaders

import (
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// plannedRequest is one DynamoDB request of a wave: a Query if ranged is set, otherwise a GetItem for one Get or a
// BatchGetItem for several.
type plannedRequest struct {
	gets []*state
	// ranged is served by a Query. One Get may have joined it: its item is in the range, or sorts directly beside it.
	ranged *state
	// query is the Query to send: that of the Range, extended to the joined Get's item.
	query *request.Query
	// inside is set if the joined item is in the range.
	inside bool
	// wave is the number of the wave, from 1.
	wave int32
}

// requestsOf returns the requests that serve the Reads of a wave, in the order of the Reads, and the deferred Gets that
// are left for a later wave. A Get joins the Query of a Range in the same partition if its item is in the Range, or
// directly beside it, and the Query certainly or probably reaches it: see plan.Read.Inside and plan.Read.Beside. Both
// are then usually read for the units of one. The other Gets are served by BatchGetItems, with the deferred ones if
// there are any: see batchSize.
func requestsOf(d *design.Design, reads, deferred []*state) (requests []plannedRequest, later []*state) {
	gets := 0
	for _, s := range reads {
		if s.ranged == nil {
			gets++
		}
	}
	requests = make([]plannedRequest, 0, len(reads)-gets+1)
	batch := make([]*state, 0, gets)
	for _, s := range reads {
		if s.ranged == nil {
			batch = append(batch, s)
		} else {
			requests = append(requests, queryFor(s))
		}
	}
	ranges := requests
	batch = unjoined(d, ranges, batch)
	if later = unjoined(d, ranges, deferred); len(batch) > 0 {
		for _, s := range later {
			s.deferred = false
		}
		batch, later = append(batch, later...), nil
	}
	for len(batch) > 0 {
		n := batchSize(d, batch)
		requests = append(requests, plannedRequest{gets: batch[:n:n]})
		batch = batch[n:]
	}
	return requests, later
}

// batchSize returns how many of the Gets share a BatchGetItem: up to 100, of the same consistency, and no more than
// DynamoDB returns at once if their items are as large as they may be. What it left would be a round trip of its own.
func batchSize(d *design.Design, batch []*state) int {
	n := min(len(batch), request.MaxBatchKeys)
	isLarge, bytes := n*d.LargestItem() > request.MaxBatchBytes, 0
	for i, g := range batch[:n] {
		if isLarge {
			bytes += d.MaxBytesAt(g.key)
		}
		if g.consistent != batch[0].consistent || bytes > request.MaxBatchBytes {
			return i
		}
	}
	return n
}

// served returns what the request is sent for.
func (r *plannedRequest) served() served {
	return served{wave: r.wave, ranged: r.ranged, gets: r.gets}
}

func queryFor(s *state) plannedRequest {
	query := s.ranged.Query
	return plannedRequest{ranged: s, query: &query}
}

// unjoined returns the Gets that no Query can serve.
func unjoined(d *design.Design, ranges []plannedRequest, gets []*state) []*state {
	if len(ranges) == 0 {
		return gets
	}
	var left []*state
	for _, g := range gets {
		if g.alone || !join(d, ranges, g) {
			left = append(left, g)
		}
	}
	return left
}

// join adds the Get to the first of the Queries that certainly reads its item, otherwise to the first one that probably
// does, and reports whether there is one.
func join(d *design.Design, ranges []plannedRequest, get *state) bool {
	var best *plannedRequest
	var side design.Side
	for i, chance := 0, plan.Poor; i < len(ranges) && chance < plan.Certain; i++ {
		req := &ranges[i]
		r := req.ranged.ranged
		if r.Index != "" || r.PK != get.key.PK || r.Consistent != get.consistent || len(req.gets) > 0 {
			continue
		}
		if inside := r.Inside(get.key, d.PlaceOf(get.key)); inside > chance {
			best, side, chance = req, design.Apart, inside
		}
		beside := d.Adjacent(get.key, r.Prefix)
		if c := r.Beside(beside); c > chance {
			best, side, chance = req, beside, c
		}
	}
	if best != nil {
		best.join(get, side)
	}
	return best != nil
}

// join adds a Get whose item is beside the Range on that side, or in it if the side is Apart.
func (r *plannedRequest) join(get *state, side design.Side) {
	q := r.query
	r.gets = []*state{get}
	if r.inside = side == design.Apart; r.inside {
		return
	}
	q.Limit++
	q.From, q.To = r.ranged.ranged.Bounds()
	if side == design.Above {
		q.To = get.key.SK
	} else {
		q.From = get.key.SK
	}
}

// fail sets the error of all Reads of a request.
func (r *plannedRequest) fail(err error) {
	if r.ranged != nil {
		r.ranged.items, r.ranged.err = nil, err
	}
	failAll(r.gets, err)
}

func failAll(gets []*state, err error) {
	for _, s := range gets {
		s.items, s.err = nil, err
	}
}
