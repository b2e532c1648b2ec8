// Package budget has the budgets of callers: token buckets, in the memory of the process and, if there is a shared
// store, in that store for all replicas.
//
// A bucket begins full. A [Charge] is what an operation takes out of one. Charges may be more than what the operation
// consumes in the end; [Reservation.Commit] corrects that.
package budget

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/share"
)

// Limit is the size of buckets, and how they are filled.
type Limit struct {
	// Maximum is the size of a bucket. It is positive and finite.
	Maximum float64
	// Restore is how much is added each second, up to Maximum. It is positive and finite.
	Restore float64
}

// maxCallers limits the memory of the buckets of a Kind: the least recently used one is dropped, and its caller gets a
// full one the next time. It was full again anyway if it had not been used for Maximum/Restore seconds.
const maxCallers = 1 << 16

// Budgets are all buckets of a gateway. Its methods may be called concurrently.
//
// With a store, the buckets there decide. Those in memory are charged as well: if the store is lost, they have at most
// what this replica has left to each caller, and nobody gets a full bucket by making the store unreachable.
type Budgets struct {
	store *replicas.Store
	mu    sync.Mutex // of the buckets in memory
}

// New returns Budgets without buckets. The store may be nil.
func New(store *replicas.Store) *Budgets { return &Budgets{store: store} }

// A Kind is a purpose of buckets: each caller has one for each Kind.
type Kind struct {
	name    string
	limit   Limit
	buckets *simplelru.LRU[share.Caller, *bucket]
}

// NewKind returns a Kind. Replicas that share a store must use the same names for the same purposes. It panics if the
// limit is not positive and finite.
func NewKind(name string, limit Limit) *Kind {
	for _, n := range []float64{limit.Maximum, limit.Restore} {
		if !(n > 0) || math.IsInf(n, 1) {
			panic(fmt.Errorf("budget: the limit of %s is %+v", name, limit))
		}
	}
	buckets, err := simplelru.NewLRU[share.Caller, *bucket](maxCallers, nil)
	if err != nil {
		panic(err) // the size above is not positive
	}
	return &Kind{name, limit, buckets}
}

// Limit returns the limit of the buckets.
func (k *Kind) Limit() Limit { return k.limit }

// Charge returns a charge to the bucket of a caller; the zero Caller is for what all callers share. The amount is
// finite and not negative.
func (k *Kind) Charge(c share.Caller, amount float64) Charge { return Charge{k, c, amount} }

// A Charge is an amount that is taken out of a bucket.
type Charge struct {
	kind   *Kind
	caller share.Caller
	amount float64
}

// CanBeMade reports whether a full bucket has the amount.
func (c Charge) CanBeMade() bool { return c.amount <= c.kind.limit.Maximum }

// A Reservation is a charge that has been made and can be corrected.
type Reservation struct {
	budgets   *Budgets
	charge    Charge
	available float64 // in the store; when the charge was made
	at        time.Time
	isShared  bool
}

// A Shortage is why a charge was not made. The zero Shortage means that it was made.
type Shortage struct {
	// Charge is the first one that was too much.
	Charge Charge
	// Available is what its bucket has.
	Available float64
}

// longestWait is what Wait returns for any longer time.
const longestWait = 365 * 24 * time.Hour

// Wait returns how long the caller must wait until the charge can be made; 0 if there is no shortage.
func (s Shortage) Wait() time.Duration {
	if s.Charge.kind == nil {
		return 0
	}
	seconds := (s.Charge.amount - s.Available) / s.Charge.kind.limit.Restore
	return max(1, time.Duration(min(seconds, longestWait.Seconds())*float64(time.Second)))
}

// Is reports whether the charge that was not made is of a Kind.
func (s Shortage) Is(k *Kind) bool { return s.Charge.kind == k }

// Reserve makes a charge that will be committed. It takes nothing if there is a shortage. An amount of zero is always
// available.
func (b *Budgets) Reserve(ctx context.Context, c Charge) (Reservation, Shortage) {
	r := Reservation{budgets: b, charge: c}
	if b.store != nil {
		if available, short, err := b.takeShared(ctx, false, c); err == nil {
			r.isShared, r.available, r.at = true, available, time.Now()
			return r, short
		}
	}
	return r, b.takeLocal(false, c)
}

// Take makes all of the charges, or none of them if there is a shortage.
func (b *Budgets) Take(ctx context.Context, charges ...Charge) Shortage {
	if b.store != nil {
		if _, short, err := b.takeShared(ctx, false, charges...); err == nil {
			return short
		}
	}
	return b.takeLocal(false, charges...)
}

// Commit replaces the reserved amount by what was consumed, which may be more, and returns what the bucket has then. It
// is negative if more was consumed than was available.
//
// It waits for the store, so that the caller's next operation finds what was returned, at whatever replica. There is
// nothing to wait for if the estimate was exact.
func (r Reservation) Commit(ctx context.Context, consumed float64) (available float64) {
	b, difference := r.budgets, r.charge
	difference.amount = consumed - r.charge.amount
	if !r.isShared {
		return b.commitLocal(difference)
	}
	if difference.amount == 0 {
		limit := r.charge.kind.limit
		return min(r.available+limit.Restore*time.Since(r.at).Seconds(), limit.Maximum)
	}
	if available, _, err := b.takeShared(ctx, true, difference); err == nil {
		return available
	}
	return b.commitLocal(difference)
}
