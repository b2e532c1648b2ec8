package table

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
)

// gate lets the attempts at one write pass when their partition keys can take them.
type gate struct {
	table *Table
	all   []wire.Write
	// known are the parts of each write, once they are needed.
	known [][]pace.Part
}

func (t *Table) newGate(all []wire.Write) *gate { return &gate{table: t, all: all} }

// Pass implements attempt.Gate.
func (g *gate) Pass(ctx context.Context) (waited time.Duration, err error) {
	if g.table.lanes.IsEmpty() {
		return 0, nil
	}
	return g.table.lanes.Pass(ctx, merged(g.parts()))
}

// Throttled implements attempt.Gate: if DynamoDB names other limits than that of a key, the key is not slowed down.
func (g *gate) Throttled(t request.Throttle) {
	for _, p := range merged(g.parts()) {
		if len(t.Reasons) == 0 || slices.ContainsFunc(t.Reasons, func(r request.ThrottleReason) bool {
			return strings.HasSuffix(r.Reason, keyRange) && nameOf(r.Resource) == p.Index
		}) {
			g.table.lanes.Throttled(p.Key)
		}
	}
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
	if g.table.lanes.IsEmpty() && canceledBy(err) == nil || errors.Is(err, request.ErrThrottled) {
		return
	}
	isThrottled := false
	for i, r := range canceledBy(err) {
		if i < len(g.all) && (r.Code == reasonThroughput || r.Code == reasonThrottling) {
			isThrottled = true
			for _, p := range g.parts()[i] {
				g.table.lanes.Throttled(p.Key)
			}
		}
	}
	if !isThrottled {
		g.table.lanes.Accepted(merged(g.parts()))
	}
}

// parts returns what each write consumes of which keys, at least.
func (g *gate) parts() [][]pace.Part {
	if g.known == nil {
		g.known = make([][]pace.Part, len(g.all))
		for i := range g.all {
			g.known[i] = g.table.partsOf(&g.all[i], len(g.all) > 1)
		}
	}
	return g.known
}

// assignment is what an update expression sets an attribute to.
var assignment = regexp.MustCompile(`#n(\d+) = :v(\d+)`)

// partsOf returns the parts of a write: the partition key of its item, and those of the indexes as far as it sets them.
func (t *Table) partsOf(w *wire.Write, isTransaction bool) []pace.Part {
	it := w.Item[:len(w.Item):len(w.Item)]
	for _, m := range assignment.FindAllStringSubmatch(w.Update, -1) {
		name, _ := strconv.Atoi(m[1])
		value, _ := strconv.Atoi(m[2])
		it = append(it, item.Attribute{Name: w.Names[name], Value: w.Values[value]})
	}
	units := float64(capacity.Write(it.Size()))
	var parts []pace.Part
	for name, ix := range t.indexes {
		switch pk := string(ix.PartitionKey(it)); {
		case pk == "" || ix.Local:
		case name == "" && isTransaction:
			parts = append(parts, pace.Part{Key: pace.Key{Partition: pk}, Units: 2 * units})
		default:
			parts = append(parts, pace.Part{Key: pace.Key{Index: name, Partition: pk}, Units: units})
		}
	}
	return parts
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
