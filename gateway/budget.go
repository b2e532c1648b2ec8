package gateway

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/partita/partita/viewer"
)

// WriteUnitWeight is how many read units of a budget a write unit counts as: the ratio of their on-demand prices.
//
// https://aws.amazon.com/dynamodb/pricing/on-demand/
const WriteUnitWeight = 5

// Budget is a token bucket of read units for each viewer, and for each network address of anonymous callers. The gateway holds an
// operation's estimate before it executes it, and gives back afterwards what was not consumed. The buckets are those of
// one process: the gateway shares no state.
type Budget struct {
	// Maximum is the most that a caller can have, in read units; 0 for no budget.
	Maximum float64
	// Restore is how much comes back each second, in read units. It must be positive where Maximum is.
	Restore float64
}

// maxCallers bounds the memory of the buckets. Beyond, the caller who has been away the longest is forgotten, whose
// bucket is full again unless it was emptied within the last Maximum/Restore seconds.
const maxCallers = 1 << 16

// budgets are the buckets of all callers.
type budgets struct {
	Budget
	mu      sync.Mutex
	buckets *simplelru.LRU[string, *bucket]
}

type bucket struct {
	available float64
	at        time.Time // when available was right
}

func newBudgets(b Budget) *budgets {
	buckets, err := simplelru.NewLRU[string, *bucket](maxCallers, nil)
	if err != nil {
		panic(err) // the size above is not positive
	}
	return &budgets{Budget: b, buckets: buckets}
}

// hold is what an operation has taken out of a bucket until it is settled.
type hold struct {
	budgets *budgets
	bucket  *bucket
	amount  float64
}

// hold takes the amount out of the caller's bucket, or says how long the caller must wait until it is there. What costs
// nothing is never refused.
func (b *budgets) hold(caller string, amount float64) (h hold, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of, known := b.buckets.Get(caller)
	if !known {
		of = &bucket{available: b.Maximum, at: time.Now()}
		b.buckets.Add(caller, of)
	}
	b.restore(of)
	if missing := amount - of.available; amount > 0 && missing > 0 {
		return hold{b, of, 0}, max(1, time.Duration(missing/b.Restore*float64(time.Second)))
	}
	of.available -= amount
	return hold{b, of, amount}, 0
}

// settle gives back what was held and takes what was consumed, which may be more.
func (h hold) settle(consumed float64) *ThrottleStatus {
	b := h.budgets
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.restore(h.bucket)
	h.bucket.available = min(h.bucket.available+h.amount-consumed, b.Maximum)
	return &ThrottleStatus{
		MaximumAvailable:   b.Maximum,
		CurrentlyAvailable: math.Round(h.bucket.available*10) / 10,
		RestoreRate:        b.Restore,
	}
}

func (b *budgets) restore(of *bucket) {
	now := time.Now()
	of.available = min(of.available+b.Restore*now.Sub(of.at).Seconds(), b.Maximum)
	of.at = now
}

// holdFor holds an operation's estimate out of its caller's bucket, or refuses the operation.
func (e *endpoint) holdFor(ctx context.Context, caller string, estimate Estimate) (hold, *requestError) {
	if e.budgets.Maximum == 0 {
		return hold{}, nil
	}
	amount := inBudget(estimate.ReadUnits, estimate.WriteUnits)
	if amount > e.budgets.Maximum {
		return hold{}, requestErrorf(http.StatusUnprocessableEntity, codeCostLimit,
			"The operation may take up to %s read units, a write unit counted as %d; %s is the most that a caller can have. Split it into smaller operations.",
			plain(amount), WriteUnitWeight, plain(e.budgets.Maximum))
	}
	if v := viewer.FromContext(ctx); !v.IsAnonymous() {
		caller = "viewer " + v.ID
	}
	held, wait := e.budgets.hold(caller, amount)
	if wait == 0 {
		return held, nil
	}
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	err := requestErrorf(http.StatusTooManyRequests, codeRateLimited,
		"The operation may take up to %s read units, which are not there at the moment. Send it again in %s, or ask for smaller pages.",
		plain(amount), inSeconds(seconds))
	err.retryAfter = strconv.Itoa(seconds)
	err.cost.ThrottleStatus = held.settle(0)
	return hold{}, err
}

// plain writes units without an exponent.
func plain(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

func inSeconds(n int) string {
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}

// inBudget weighs read and write units.
func inBudget(readUnits, writeUnits float64) float64 { return readUnits + WriteUnitWeight*writeUnits }
