package gateway

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/partita/partita/plan"
	"github.com/partita/partita/viewer"
)

// WriteUnitWeight is the number of read units that a write unit counts as in a budget: the ratio of their on-demand
// prices.
//
// https://aws.amazon.com/dynamodb/pricing/on-demand/
const WriteUnitWeight = 5

// ObjectsPerUnit is the number of objects in answers that count as one read unit in a budget. An answer uses the
// gateway's CPU and memory even if its items were read only once.
const ObjectsPerUnit = 100

// Budget is a token bucket of read units for each viewer, and for each network address of anonymous callers. The
// gateway reserves an operation's estimate before it executes the operation, and then returns what was not consumed.
// Each process has buckets of its own: gateways share no state.
type Budget struct {
	// Maximum is the size of a bucket in read units; 0 for no budget.
	Maximum float64
	// Restore is how many read units are added each second. It must be positive if Maximum is.
	Restore float64
}

// maxCallers limits the memory of the buckets: the least recently used one is dropped, and its caller gets a full one
// the next time. It was full again anyway if it had not been used for Maximum/Restore seconds.
const maxCallers = 1 << 16

// budgets are the buckets of all callers.
type budgets struct {
	Budget
	mu      sync.Mutex
	buckets *simplelru.LRU[caller, *bucket]
}

// A caller is a viewer, or the network of an anonymous caller.
type caller struct {
	viewer  string
	network netip.Prefix
}

type bucket struct {
	available float64
	at        time.Time // of available
}

func newBudgets(b Budget) *budgets {
	buckets, err := simplelru.NewLRU[caller, *bucket](maxCallers, nil)
	if err != nil {
		panic(err) // the size above is not positive
	}
	return &budgets{Budget: b, buckets: buckets}
}

// reservation is what an operation has taken out of a bucket until it is committed.
type reservation struct {
	budgets *budgets
	bucket  *bucket
	amount  float64
}

// reserve takes an amount out of the caller's bucket. If the bucket has less, reserve takes nothing and returns how
// long the caller must wait. An amount of zero is always available.
func (b *budgets) reserve(c caller, amount float64) (r reservation, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	from, known := b.buckets.Get(c)
	if !known {
		from = &bucket{available: b.Maximum, at: time.Now()}
		b.buckets.Add(c, from)
	}
	b.restore(from)
	if missing := amount - from.available; amount > 0 && missing > 0 {
		return reservation{b, from, 0}, max(1, time.Duration(missing/b.Restore*float64(time.Second)))
	}
	from.available -= amount
	return reservation{b, from, amount}, 0
}

// commit replaces the reserved amount by the consumed one, which may be greater. It returns nil if there is no budget.
func (r reservation) commit(consumed float64) *ThrottleStatus {
	b := r.budgets
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.restore(r.bucket)
	r.bucket.available = min(r.bucket.available+r.amount-consumed, b.Maximum)
	return &ThrottleStatus{
		MaximumAvailable:   b.Maximum,
		CurrentlyAvailable: math.Round(r.bucket.available*10) / 10,
		RestoreRate:        b.Restore,
	}
}

// restore adds to a bucket what is due since it was last used.
func (b *budgets) restore(to *bucket) {
	now := time.Now()
	to.available = min(to.available+b.Restore*now.Sub(to.at).Seconds(), b.Maximum)
	to.at = now
}

// reserve reserves an operation's estimate in the budget of the viewer, or of the network address of an anonymous
// caller.
func (e *endpoint) reserve(
	ctx context.Context, network netip.Prefix, estimate plan.Price,
) (reservation, *requestError) {
	if e.budgets.Maximum == 0 {
		return reservation{}, nil
	}
	amount := inBudget(estimate.ReadUnits, estimate.WriteUnits, estimate.Objects)
	if amount > e.budgets.Maximum {
		return reservation{}, requestErrorf(http.StatusUnprocessableEntity, codeCostLimit,
			"The operation may take up to %s read units, a write unit counted as %d and %d objects in the answer as one; "+
				"%s is the most that a caller can have. Split it into smaller operations.",
			formatUnits(amount), WriteUnitWeight, ObjectsPerUnit, formatUnits(e.budgets.Maximum))
	}
	c := caller{network: network}
	if v := viewer.FromContext(ctx); !v.IsAnonymous() {
		c = caller{viewer: v.ID}
	}
	reserved, wait := e.budgets.reserve(c, amount)
	if wait == 0 {
		return reserved, nil
	}
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	err := requestErrorf(http.StatusTooManyRequests, codeRateLimited,
		"The operation may take up to %s read units, which are not there at the moment. "+
			"Send it again in %s, or ask for smaller pages.",
		formatUnits(amount), inSeconds(seconds))
	err.retryAfter = strconv.Itoa(seconds)
	err.cost.ThrottleStatus = reserved.commit(0)
	return reservation{}, err
}

// formatUnits formats units without an exponent.
func formatUnits(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

func inSeconds(n int) string {
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}

// inBudget returns the read units that a cost counts as in a budget.
func inBudget(readUnits, writeUnits, objects float64) float64 {
	return readUnits + WriteUnitWeight*writeUnits + objects/ObjectsPerUnit
}
