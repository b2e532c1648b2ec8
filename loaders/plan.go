package loaders

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// Request is one DynamoDB request of a wave: a Query if Range is set, otherwise a GetItem for one Get
// or a BatchGetItem for several.
type Request struct {
	Gets []Read
	// Range is served by a Query. One Get may have joined it; its item sorts directly beside the range.
	Range *Read
	// Query is the Query to send: that of Range, extended to the joined Get's item.
	Query request.Query
}

// Plan returns the requests that serve the Reads of a wave, in the order of the Reads. Equal Reads are
// served once. A Get joins the Query of a Range in the same partition if the design shows that its item
// is the first one in the Query's direction, or the last one and the page contains the whole collection.
// Both are then usually read for the units of one. The other Gets are served by BatchGetItems of up to
// 100 keys.
func Plan(d *keys.Design, reads []Read) []Request {
	var gets []Read
	var plan []Request
	seen := make(map[Read]struct{}, len(reads))
	ranges := make(map[keys.PK][]int)
	for _, r := range reads {
		if _, repeated := seen[r]; repeated {
			continue
		}
		seen[r] = struct{}{}
		if r.Kind == Get {
			gets = append(gets, r)
			continue
		}
		if r.Index == "" {
			ranges[r.PK] = append(ranges[r.PK], len(plan))
		}
		plan = append(plan, queryFor(r))
	}
	var batch []Read
	for _, g := range gets {
		if !joinRange(d, plan, ranges[g.Key.PK], g) {
			batch = append(batch, g)
		}
	}
	for len(batch) > 0 {
		n := min(len(batch), request.MaxBatchKeys)
		plan = append(plan, Request{Gets: batch[:n:n]})
		batch = batch[n:]
	}
	return plan
}

func queryFor(r Read) Request { return Request{Range: &r, Query: r.Query} }

// joinRange adds the Get to the first of the requests that can serve it, and reports whether there is
// one.
func joinRange(d *keys.Design, plan []Request, candidates []int, get Read) bool {
	for _, i := range candidates {
		req := &plan[i]
		if len(req.Gets) > 0 {
			continue
		}
		side := d.Adjacent(get.Key, req.Range.Prefix)
		if side == keys.Apart || !reaches(req.Range, side) {
			continue
		}
		req.Gets = []Read{get}
		req.Query.Limit++
		if req.Query.From == "" {
			req.Query.From, req.Query.To = req.Range.Prefix, keys.EndOf(req.Range.Prefix)
		}
		if side == keys.Above {
			req.Query.To = get.Key.SK
		} else {
			req.Query.From = get.Key.SK
		}
		return true
	}
	return false
}

// reaches reports whether the Range's Query also reads the item on that side of the range: the range
// is open there, and the item comes first, or it comes last and the limit is enough for the whole
// collection.
func reaches(r *Read, side keys.Side) bool {
	open := r.From == "" ||
		side == keys.Above && r.To == keys.EndOf(r.Prefix) ||
		side == keys.Below && r.From == r.Prefix
	if !open {
		return false
	}
	first := (side == keys.Above) == r.Descending
	if first {
		return r.Start.IsZero()
	}
	return r.AtMost > 0 && r.Limit >= r.AtMost
}
