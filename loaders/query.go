package loaders

import (
	"context"
	"slices"
	"strings"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// query continues where DynamoDB stopped at 1 MB, until it has the items of the Range and of a joined Get, or the range
// is exhausted. Items that are read as missing do not count, so that pages are full and hasNextPage is right.
func (x *executor) query(ctx context.Context, req *plannedRequest) {
	ranged, r := req.ranged, req.ranged.ranged
	q := *req.query
	q.Consistent = q.Consistent || x.consistent
	sent := Sent{Action: ActionQuery, Index: q.Index, Consistent: q.Consistent && x.canBeConsistent(q.Index)}
	sortKey := keys.AttributeSK
	if q.Index != "" {
		sortKey = keys.IndexSK(q.Index)
	}
	var joined *state
	if len(req.gets) > 0 {
		joined = req.gets[0]
	}
	var page, single []item.Item
	more, served, missing := true, 0, 0
	for wanted := q.Limit; more && wanted > served; {
		// Where there are tombstones there may be as many more. A larger limit saves requests.
		q.Limit = wanted - served + missing
		res, err := x.do(ctx, sent, req.served(), func(ctx context.Context) (request.Result, error) {
			return x.source.Query(ctx, q)
		})
		if err != nil {
			req.fail(x.readError(err))
			return
		}
		isWhole := joined == nil && r.Skip == "" && r.Children == "" && r.Excluding == (design.Exclusion{})
		if isWhole && len(page) == 0 && !slices.ContainsFunc(res.Items, x.expiry.IsMissing) {
			page, served = res.Items, len(res.Items)
		} else {
			for i, it := range res.Items {
				sk := keys.SK(it.Text(sortKey))
				isJoined := joined != nil && sk == joined.key.SK
				if isJoined {
					single = res.Items[i : i+1 : i+1]
				}
				switch {
				case isJoined && !req.inside:
					served++
				case joined != nil && !strings.HasPrefix(string(sk), string(r.Prefix)):
					x.sendApart(ctx, req)
					return
				case r.IsBetween(sk):
				case x.expiry.IsMissing(it), r.Excluding.Excludes(it):
					missing++
				case r.Skip == "" || sk != r.Skip:
					page = append(page, it)
					served++
				}
			}
		}
		q.Start, more = res.Last, !res.Last.IsZero()
		if more && r.IsBetween(res.Last.SK) {
			skipBetween(&q, r)
		}
	}
	ranged.items = page[:min(len(page), r.Limit)]
	if joined == nil {
		return
	}
	joined.items = single
	// If the page was full, the Query may have ended before this item, which is then read later.
	joined.again = single == nil && more && q.IsAhead(joined.key.SK)
}

// skipBetween continues a Query of a tree behind the items that are not part of it, however many there are.
func skipBetween(q *request.Query, r *plan.Read) {
	q.Start = keys.Position{}
	if q.Descending {
		q.From, q.To = r.Prefix, r.Prefix
	} else {
		q.From = max(q.From, r.Children)
	}
}

// canBeConsistent reports whether a Query of an index, or of the table itself for "", can be strongly consistent.
func (x *executor) canBeConsistent(index string) bool {
	return index == "" || x.layout.Index(index).Local
}

// sendApart sends a Range and its joined Get as separate requests: the table has items between them that are not in the
// design, and there may be any number of them.
func (x *executor) sendApart(ctx context.Context, req *plannedRequest) {
	apart, single := queryFor(req.ranged), plannedRequest{gets: req.gets, wave: req.wave}
	apart.wave = req.wave
	x.query(ctx, &apart)
	x.getItem(ctx, &single)
}
