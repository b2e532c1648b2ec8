package response

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
)

// EstimateOf returns the estimates of an operation that was not executed.
func EstimateOf(price plan.Price) Cost {
	return Cost{
		EstimatedReadUnits: price.ReadUnits, EstimatedWriteUnits: price.WriteUnits, EstimatedObjects: price.Objects,
	}
}

// CostOf returns the cost of an operation as a response has it.
func CostOf(price plan.Price, cost loaders.Cost) Cost {
	c := EstimateOf(price)
	c.ReadUnits, c.WriteUnits, c.Objects = cost.ReadUnits, cost.WriteUnits, cost.Objects
	c.Requests, c.Retries, c.Waves, c.ReusedReads = cost.Requests, cost.Retries, cost.Waves, cost.ReusedReads
	return c
}

// Exceeds reports whether an operation has consumed more than its price, although no request was repeated.
func (c Cost) Exceeds() bool {
	return c.Retries == 0 && (c.ReadUnits > c.EstimatedReadUnits || c.WriteUnits > c.EstimatedWriteUnits)
}

// Cost is what an operation has consumed. It is in extensions.cost of a response.
type Cost struct {
	// EstimatedReadUnits is the estimate of ReadUnits in the worst case.
	EstimatedReadUnits float64 `json:"estimatedReadUnits"`
	// ReadUnits is the number of read capacity units consumed.
	ReadUnits float64 `json:"readUnits"`
	// EstimatedWriteUnits is the estimate of WriteUnits in the worst case, if the first attempt succeeds.
	EstimatedWriteUnits float64 `json:"estimatedWriteUnits"`
	// WriteUnits is the number of write capacity units that a mutation consumed. DynamoDB does not report those of
	// transactions that it cancels or does not answer; an estimate of them is included.
	WriteUnits float64 `json:"writeUnits"`
	// EstimatedObjects is the estimate of Objects in the worst case.
	EstimatedObjects float64 `json:"estimatedObjects"`
	// Objects is the number of objects in the answer, each counted wherever it is; see plan.Price.
	Objects int `json:"objects"`
	// Requests is the number of DynamoDB requests, including further pages and the rest of batches, but not repeated
	// attempts of the same request.
	Requests int `json:"requests"`
	// Retries is the number of attempts beyond the first of each request.
	Retries int `json:"retries"`
	// Waves is the number of round trips that depended on each other.
	Waves int `json:"waves"`
	// ReusedReads is the number of Reads that needed no request of this operation: see loaders.Cost.
	ReusedReads int `json:"reusedReads"`
	// ThrottleStatus is the caller's budget; nil when there is none.
	ThrottleStatus *ThrottleStatus `json:"throttleStatus"`
}

// ThrottleStatus is a caller's budget, in read units. A write unit counts as [WriteUnitWeight] of them.
type ThrottleStatus struct {
	// MaximumAvailable is the size of the budget.
	MaximumAvailable float64 `json:"maximumAvailable"`
	// CurrentlyAvailable is what is left. It is negative if operations have consumed more than was estimated.
	CurrentlyAvailable float64 `json:"currentlyAvailable"`
	// RestoreRate is how much is added each second.
	RestoreRate float64 `json:"restoreRate"`
}

// appendJSON appends the cost as encoding/json writes it, without reflection. It returns an error for a number that
// JSON does not have.
func (c Cost) appendJSON(b []byte) ([]byte, error) {
	w := numberWriter{b, nil}
	w.float(`{"estimatedReadUnits":`, c.EstimatedReadUnits)
	w.float(`,"readUnits":`, c.ReadUnits)
	w.float(`,"estimatedWriteUnits":`, c.EstimatedWriteUnits)
	w.float(`,"writeUnits":`, c.WriteUnits)
	w.float(`,"estimatedObjects":`, c.EstimatedObjects)
	w.int(`,"objects":`, c.Objects)
	w.int(`,"requests":`, c.Requests)
	w.int(`,"retries":`, c.Retries)
	w.int(`,"waves":`, c.Waves)
	w.int(`,"reusedReads":`, c.ReusedReads)
	if t := c.ThrottleStatus; t != nil {
		w.float(`,"throttleStatus":{"maximumAvailable":`, t.MaximumAvailable)
		w.float(`,"currentlyAvailable":`, t.CurrentlyAvailable)
		w.float(`,"restoreRate":`, t.RestoreRate)
		return append(w.text, `}}`...), w.err
	}
	return append(w.text, `,"throttleStatus":null}`...), w.err
}

// A numberWriter appends numbers to a JSON text, each after the text before it.
type numberWriter struct {
	text []byte
	err  error
}

func (w *numberWriter) int(before string, n int) {
	w.text = strconv.AppendInt(append(w.text, before...), int64(n), 10)
}

func (w *numberWriter) float(before string, n float64) {
	w.text = append(w.text, before...)
	if abs := math.Abs(n); abs == 0 || 1e-6 <= abs && abs < 1e21 {
		w.text = strconv.AppendFloat(w.text, n, 'f', -1, 64)
		return
	}
	encoded, err := json.Marshal(n) // with an exponent
	w.text, w.err = append(w.text, encoded...), cmp.Or(w.err, err)
}
