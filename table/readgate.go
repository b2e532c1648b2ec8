package table

import (
	"context"
	"slices"
	"time"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/table/attempt"
	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// readGate lets the attempts at one read pass when its partition keys can take them.
type readGate struct {
	lanes *pace.Lanes
	// parts are at least what the read consumes: items of any size count as small ones. least is their sum.
	parts []pace.Part
	least float64
}

// newReadGate returns the gate of a request that has the keys of the table.
func (t *Table) newReadGate(r any) *readGate {
	g := &readGate{lanes: t.readLanes}
	switch r := r.(type) {
	case request.GetItem:
		g.add("", r.Key.PK, r.Consistent)
	case request.Query:
		g.add(r.Index, r.PK, r.Consistent)
	case request.BatchGetItem:
		for _, key := range r.Keys {
			g.add("", key.PK, r.Consistent)
		}
	}
	return g
}

func (g *readGate) add(index string, pk keys.PK, isConsistent bool) {
	units := capacity.Get(0, isConsistent)
	g.least += units
	key := pace.Key{Index: index, Partition: string(pk)}
	if i := slices.IndexFunc(g.parts, func(p pace.Part) bool { return p.Key == key }); i >= 0 {
		g.parts[i].Units += units
		return
	}
	g.parts = append(g.parts, pace.Part{Key: key, Units: units})
}

// Pass implements attempt.Gate.
func (g *readGate) Pass(ctx context.Context) (waited time.Duration, err error) {
	return g.lanes.Pass(ctx, g.parts)
}

// Throttled implements attempt.Gate: if DynamoDB names other limits than that of a key, the key is not slowed down.
func (g *readGate) Throttled(t request.Throttle) {
	for _, p := range g.parts {
		if isOfKey(t, p.Index) {
			g.lanes.Throttled(p.Key)
		}
	}
}

// paceRead returns the context of a read with its gate. While no key is throttled, there is none.
func (t *Table) paceRead(ctx context.Context, r any) (context.Context, *readGate) {
	if t.readLanes.IsEmpty() {
		return ctx, nil
	}
	g := t.newReadGate(r)
	return attempt.WithGate(ctx, g), g
}

// pacedRead is called with the result of a read. Keys that a batch has left unprocessed have been throttled.
func (t *Table) pacedRead(g *readGate, r any, result *request.Result, err error) {
	if g == nil {
		if len(result.Throttled) == 0 {
			return
		}
		g = t.newReadGate(r)
		for _, one := range result.Throttled {
			if !one.IsUnprocessed {
				g.Throttled(one)
			}
		}
	}
	if len(result.Unprocessed) > 0 && !result.IsFull() {
		for _, p := range t.newReadGate(request.BatchGetItem{Keys: result.Unprocessed}).parts {
			t.readLanes.Throttled(p.Key)
		}
		return
	}
	if err == nil {
		g.lanes.Accepted(g.parts, result.ReadUnits/g.least)
	}
}
