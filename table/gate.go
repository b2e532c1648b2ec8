package table

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/request"
)

// gate lets the attempts at one write pass when their partition keys can take them.
type gate struct {
	table *Table
	all   []wire.Write
	// isTransaction is set if they consume twice as much in the table: also one write can be a transaction.
	isTransaction bool
	// known are the parts of each write, once they are needed.
	known [][]pace.Part
}

func (t *Table) newGate(all []wire.Write, isTransaction bool) *gate {
	return &gate{table: t, all: all, isTransaction: isTransaction}
}

// Pass implements attempt.Gate.
func (g *gate) Pass(ctx context.Context) (waited time.Duration, err error) {
	if g.table.writeLanes.IsEmpty() {
		return 0, nil
	}
	return g.table.writeLanes.Pass(ctx, merged(g.parts()))
}

// Throttled implements attempt.Gate: if DynamoDB names other limits than that of a key, the key is not slowed down.
func (g *gate) Throttled(t request.Throttle) {
	for _, p := range merged(g.parts()) {
		if isOfKey(t, p.Index) {
			g.table.writeLanes.Throttled(p.Key)
		}
	}
}

// isOfKey reports whether a throttle may be because of a partition key of an index, or with "" of the table.
func isOfKey(t request.Throttle, index string) bool {
	return len(t.Reasons) == 0 || slices.ContainsFunc(t.Reasons, func(r request.ThrottleReason) bool {
		return strings.HasSuffix(r.Reason, keyRange) && nameOf(r.Resource) == index
	})
}

// keyRange is the end of reasons because of a partition key.
const keyRange = "KeyRangeThroughputExceeded"

// nameOf returns the name of the index in the ARN of a resource, "" in that of a table.
func nameOf(arn string) string {
	_, name, _ := strings.Cut(arn, "/index/")
	return name
}

// answered is called with the error of the last attempt. The reasons of a cancelled transaction do not name the limit.
func (g *gate) answered(err error) {
	if g.table.writeLanes.IsEmpty() && canceledBy(err) == nil || errors.Is(err, request.ErrThrottled) {
		return
	}
	isThrottled := false
	for i, r := range canceledBy(err) {
		if i < len(g.all) && (r.Code == reasonThroughput || r.Code == reasonThrottling) {
			isThrottled = true
			for _, p := range g.parts()[i] {
				g.table.writeLanes.Throttled(p.Key)
			}
		}
	}
	if !isThrottled {
		g.table.writeLanes.Accepted(merged(g.parts()), 1)
	}
}

// parts returns what each write consumes of which keys, at least.
func (g *gate) parts() [][]pace.Part {
	if g.known == nil {
		g.known = make([][]pace.Part, len(g.all))
		for i := range g.all {
			g.known[i] = g.table.appendParts(nil, &g.all[i], g.isTransaction)
		}
	}
	return g.known
}

// merged returns the parts of all writes, each key once.
func merged(all [][]pace.Part) []pace.Part {
	var parts []pace.Part
	for _, own := range all {
		for _, p := range own {
			i := slices.IndexFunc(parts, func(other pace.Part) bool { return other.Key == p.Key })
			if i < 0 {
				parts = append(parts, p)
			} else {
				parts[i].Units += p.Units
			}
		}
	}
	return parts
}
