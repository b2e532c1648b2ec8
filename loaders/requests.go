package loaders

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/plan"
)

// plannedRequest is one DynamoDB request of a wave: a Query if ranged is set, otherwise a GetItem for one Get or a
// BatchGetItem for several.
type plannedRequest struct {
	gets []*state
	// ranged is served by a Query. One Get may have joined it; its item sorts directly beside the range.
	ranged *state
	// query is the Query to send: that of the Range, extended to the joined Get's item.
	query *request.Query
	// far is set if the joined item comes after all items of the range, so that a full page does not contain it.
	far bool
}

// requestsOf returns the requests that serve the Reads of a wave, in the order of the Reads, and the deferred Gets that
// are left for a later wave. A Get joins the Query of a Range in the same partition if the design shows that its item
// is the first one in the Query's direction, or the last one and the collection has a maximum size. Both are then
// usually read for the units of one. The other Gets are served by BatchGetItems of up to 100 keys, with the deferred
// ones if there are any.
func requestsOf(d *keys.Design, reads, deferred []*state) (requests []plannedRequest, later []*state) {
	requests = make([]plannedRequest, 0, len(reads))
	var batch []*state
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
		batch, later = append(batch, later...), nil
	}
	for _, s := range deferred {
		s.deferred = false
	}
	for _, s := range later {
		s.deferred = true
	}
	for len(batch) > 0 {
		n := min(len(batch), request.MaxBatchKeys)
		requests = append(requests, plannedRequest{gets: batch[:n:n]})
		batch = batch[n:]
	}
	return requests, later
}

func queryFor(s *state) plannedRequest {
	query := s.ranged.Query
	return plannedRequest{ranged: s, query: &query}
}

// unjoined returns the Gets that no Query can serve.
func unjoined(d *keys.Design, ranges []plannedRequest, gets []*state) []*state {
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

// join adds the Get to the first of the Queries that can serve it, and reports whether there is one.
func join(d *keys.Design, ranges []plannedRequest, get *state) bool {
	for i := range ranges {
		req := &ranges[i]
		r := req.ranged.ranged
		if r.Index != "" || r.PK != get.key.PK || len(req.gets) > 0 {
			continue
		}
		side := d.Adjacent(get.key, r.Prefix)
		if side == keys.Apart || !reaches(r, side) {
			continue
		}
		req.gets = []*state{get}
		req.query.Limit++
		if req.query.From == "" {
			req.query.From, req.query.To = r.Prefix, keys.EndOf(r.Prefix)
		}
		if side == keys.Above {
			req.query.To = get.key.SK
		} else {
			req.query.From = get.key.SK
		}
		req.far = !comesFirst(r, side)
		return true
	}
	return false
}

// reaches reports whether the Range's Query also reads the item on that side of the range: the range is open there, and
// the item comes first, or it comes last and plan.JoinsFar. If the page was full, the item is read with the next wave.
func reaches(r *plan.Read, side keys.Side) bool {
	open := r.From == "" ||
		side == keys.Above && r.To == keys.EndOf(r.Prefix) ||
		side == keys.Below && r.From == r.Prefix
	if !open {
		return false
	}
	if comesFirst(r, side) {
		return r.Start.IsZero()
	}
	return plan.JoinsFar(r.Limit, r.AtMost)
}

// comesFirst reports whether the item on that side comes before the range in the Query's direction.
func comesFirst(r *plan.Read, side keys.Side) bool { return (side == keys.Above) == r.Descending }
