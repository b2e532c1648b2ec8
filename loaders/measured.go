package loaders

import (
	"math"
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// Measured is what the requests of an operation consumed, by the Reads of its plan that needed them. The sums of all
// requests are those of Cost.
type Measured struct {
	// Requests are in the order of their waves.
	Requests []*MeasuredRequests `json:"requests"`
}

// MeasuredRequests are the requests of one wave that have the same action and serve the same Reads of the plan.
type MeasuredRequests struct {
	// Wave begins at 1. It is 0 for requests of a mutation itself, which are in no wave.
	Wave   int    `json:"wave,omitempty"`
	Action Action `json:"action"`
	// Requests, ReusedReads, Retries, ReadUnits and WriteUnits are those of Cost.
	Requests    int     `json:"requests"`
	ReusedReads int     `json:"reusedReads,omitempty"`
	Retries     int     `json:"retries,omitempty"`
	ReadUnits   float64 `json:"readUnits"`
	WriteUnits  float64 `json:"writeUnits,omitempty"`
	// Reads have the units and what was reused in parts: their sums are those above.
	Reads []MeasuredRead `json:"reads"`
	// Writes are what was written: nothing of what was cancelled.
	Writes []price.ExplainedWrite `json:"writes,omitempty"`
}

// MeasuredRead is what Reads of the plan consumed in requests.
type MeasuredRead struct {
	// ID is that of a price.ExplainedRead; 0 for what is not in the plan: Reads of hand-written Go, and those that the
	// explanation leaves out because it is cut. A Read that several fields need is counted at the one that needed it
	// first.
	ID int `json:"id"`
	// Times is for how many keys, ranges or transactions requests were sent.
	Times int `json:"times"`
	// Reused is how many of the keys and ranges for which none was sent were reused.
	Reused int `json:"reused,omitempty"`
	// Items is how many items were read, without those that the viewer may not see: the number would show that they
	// exist. Nor does it have those that a mutation itself has read, which may be such items.
	Items int `json:"items"`
	// ReadUnits and WriteUnits are in capacity units. A key of a BatchGetItem consumes those of its own item. A Get that
	// joined a Query consumes what the Query would not have consumed without its item, which is often nothing.
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits,omitempty"`
}

func compareIDs(a, b MeasuredRead) int { return a.ID - b.ID }

// measurement collects what requests consume. The lock of its executor protects it.
type measurement struct {
	// trace is that of the root.
	trace    *price.Trace
	requests []*MeasuredRequests
	// sent are the Reads for which requests have been sent.
	sent map[*state]bool
	// found are the items of each Read, and denied the Reads whose items the viewer may not see.
	found  []foundItems
	denied map[*state]bool
}

// foundItems is how many items a request has read for a Read of the operation, and the sum to which they belong.
type foundItems struct {
	by    *state
	items int
	sum   *MeasuredRead
}

func newMeasurement(trace *price.Trace) *measurement {
	return &measurement{trace: trace, sent: make(map[*state]bool), denied: make(map[*state]bool)}
}

// countItems sets the items of all sums.
func (m *measurement) countItems() {
	for _, f := range m.found {
		f.sum.Items = 0
	}
	for _, f := range m.found {
		if !m.denied[f.by] {
			f.sum.Items += f.items
		}
	}
}

// add adds what a request has consumed to that of the same Reads of the plan. Without a result, no request was sent: it
// only counts as a retry.
func (m *measurement) add(by served, c Cost, res *request.Result, consistent bool) {
	reads, found := m.readsOf(by, c, res, consistent)
	r := m.sumOf(by, reads)
	r.Requests += c.Requests
	r.ReusedReads += c.ReusedReads
	r.Retries += c.Retries
	r.ReadUnits += c.ReadUnits
	r.WriteUnits += c.WriteUnits
	for i := range reads {
		sum := &r.Reads[i]
		sum.Times += reads[i].Times
		sum.Reused += reads[i].Reused
		sum.ReadUnits += reads[i].ReadUnits
		sum.WriteUnits += reads[i].WriteUnits
	}
	for _, f := range found {
		at, _ := slices.BinarySearchFunc(r.Reads, int(f.by.id), func(r MeasuredRead, id int) int { return r.ID - id })
		f.sum = &r.Reads[at]
		m.found = append(m.found, f)
	}
}

// wrote adds what a transaction has written that was sent for the Reads with an id.
func (m *measurement) wrote(by served, written []price.ExplainedWrite) {
	r := m.sumOf(by, []MeasuredRead{{ID: by.id}})
	r.Writes = price.MergeWrites(r.Writes, written)
}

// sumOf returns the sum that a request belongs to.
func (m *measurement) sumOf(by served, reads []MeasuredRead) *MeasuredRequests {
	for _, r := range m.requests {
		if r.Wave == int(by.wave) && r.Action == by.action && slices.CompareFunc(r.Reads, reads, compareIDs) == 0 {
			return r
		}
	}
	r := &MeasuredRequests{Wave: int(by.wave), Action: by.action}
	for _, read := range reads {
		r.Reads = append(r.Reads, MeasuredRead{ID: read.ID})
	}
	m.requests = append(m.requests, r)
	return r
}

// readsOf returns the parts of the Reads of the plan in a request, by their ids, and the items of those of the
// operation.
func (m *measurement) readsOf(
	by served, c Cost, res *request.Result, consistent bool,
) (reads []MeasuredRead, found []foundItems) {
	of := func(id int) *MeasuredRead {
		at, found := slices.BinarySearchFunc(reads, id, func(r MeasuredRead, id int) int { return r.ID - id })
		if !found {
			reads = slices.Insert(reads, at, MeasuredRead{ID: id})
		}
		return &reads[at]
	}
	switch {
	case by.ranged == nil && by.gets == nil:
		r := of(by.id)
		r.ReadUnits, r.WriteUnits = c.ReadUnits, c.WriteUnits
		if res != nil {
			r.Times = 1
		}
	case by.ranged != nil:
		for _, s := range append(by.gets[:len(by.gets):len(by.gets)], by.ranged) {
			r := of(int(s.id))
			r.Times += m.first(s, res)
		}
		found = m.splitQuery(by, c, res, consistent, of)
	default:
		for _, s := range by.gets {
			of(int(s.id))
		}
		found = m.splitGets(by, c, res, consistent, of)
	}
	return reads, found
}

// first returns 1 for the first request that is sent for a Read, otherwise 0.
func (m *measurement) first(s *state, res *request.Result) int {
	if res == nil || res.Unsent || m.sent[s] {
		return 0
	}
	m.sent[s] = true
	return 1
}

// splitQuery splits the units of a Query that a Get may have joined: the Get consumed what the Query would not have
// consumed without its item.
func (m *measurement) splitQuery(
	by served, c Cost, res *request.Result, consistent bool, of func(int) *MeasuredRead,
) (found []foundItems) {
	rest, joined := c.ReadUnits, 0.0
	single := 0
	if len(by.gets) > 0 && res != nil {
		size := 0
		for _, it := range res.Items {
			if keys.KeyOf(it) == by.gets[0].key {
				single = 1
			} else {
				size += it.Size()
			}
		}
		if alone := capacity.Get(size, consistent); single > 0 && alone < rest {
			joined, rest = rest-alone, alone
		}
		of(int(by.gets[0].id)).ReadUnits += joined
		found = append(found, foundItems{by: by.gets[0], items: single})
	}
	if res != nil {
		found = append(found, foundItems{by: by.ranged, items: len(res.Items) - single})
		of(int(by.ranged.id)).Reused += res.Reused
	}
	of(int(by.ranged.id)).ReadUnits += rest
	return found
}

// splitGets splits the units of Gets by the sizes of their items, each of which is rounded up. If the endpoint computes
// other sizes, they are split in the same proportions, and the first Read has the rest.
func (m *measurement) splitGets(
	by served, c Cost, res *request.Result, consistent bool, of func(int) *MeasuredRead,
) (found []foundItems) {
	if res == nil {
		return nil
	}
	sizes := make(map[keys.Key]int, len(res.Items))
	for _, it := range res.Items {
		sizes[keys.KeyOf(it)] = it.Size()
	}
	var total float64
	var done []*state
	for _, s := range by.gets {
		_, isFound := sizes[s.key]
		switch {
		case slices.Contains(res.Unprocessed, s.key):
			continue
		case res.Reused == len(by.gets) || slices.Contains(res.ReusedKeys, s.key):
			of(int(s.id)).Reused++
		default:
			done = append(done, s)
			total += capacity.Get(sizes[s.key], consistent)
		}
		if isFound {
			found = append(found, foundItems{by: s, items: 1})
		}
	}
	rest := c.ReadUnits
	for _, s := range done {
		units := capacity.Get(sizes[s.key], consistent)
		if total != c.ReadUnits {
			units = math.Floor(2*units*c.ReadUnits/total) / 2
		}
		rest -= units
		r := of(int(s.id))
		r.ReadUnits += units
		r.Times += m.first(s, res)
	}
	of(int(by.gets[0].id)).ReadUnits += rest
	return found
}
