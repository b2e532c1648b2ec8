package tabletest

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
)

// Faults are what the Proxy does to requests. Fractions are from 0 to 1. Which
// requests they affect follows from Seed, the request and how often it has arrived,
// not from the order in which goroutines send.
type Faults struct {
	Seed uint64
	// Only reports whether faults may affect the request; nil means all requests.
	Only func(Request) bool
	// Name returns the text by which faults of a request are drawn, the same for all attempts at it; nil means its
	// body. It is for requests with ids that are new in each run.
	Name func(Request) string
	// Unprocessed is the fraction of the keys of a BatchGetItem, and of the
	// puts of a BatchWriteItem, that come back unprocessed. A request that
	// would lose all of them is throttled, as DynamoDB does.
	Unprocessed float64
	// Throttled is the fraction of requests answered with
	// ProvisionedThroughputExceededException.
	Throttled float64
	// Failed is the fraction of requests answered with status 500.
	Failed float64
	// Reset is the fraction of requests whose connection breaks: half of them with a reset before the
	// engine receives the request, half within its answer.
	Reset float64
	// Conflict is the fraction of transactions and single writes that are rejected
	// as if another transaction had all their items.
	Conflict float64
	// Contended rejects each transaction and single write that has an item in common
	// with a transaction that has arrived and is not answered yet, as DynamoDB does. The local
	// engine carries out one after the other instead.
	Contended bool
	// Lost is the fraction of requests that the engine carries out and whose
	// connection is reset in place of an answer.
	Lost float64
	// NewTokens gives each TransactWriteItems a token of its own, as if the ten
	// minutes that DynamoDB remembers one for were over.
	NewTokens bool
	// PageSize is how many items a page of a Query has at most, as if the next
	// would pass 1 MB; 0 leaves the page alone.
	PageSize int
	// ErrorCode is the code of the error that is returned for every request, with
	// status 400; "" for none.
	ErrorCode string
}

// dice draws a number for each occurrence of a thing, the same in each run.
type dice struct {
	seed uint64
	seen map[string]uint64
}

// roll returns a number in [0, 1), or 1 for a fault that nothing has.
func (d *dice) roll(kind string, fraction float64, thing func() string) float64 {
	if fraction == 0 {
		return 1
	}
	name := kind + " " + thing()
	d.seen[name]++
	h := fnv.New64a()
	h.Write([]byte(name))
	h.Write(strconv.AppendUint(nil, d.seen[name], 10))
	return rand.New(rand.NewPCG(d.seed, h.Sum64())).Float64()
}

// canonical returns the JSON text with the members of objects in order: the SDK writes maps in a
// random one.
func canonical(text []byte) string {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return string(text)
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return string(text)
	}
	return string(sorted)
}
