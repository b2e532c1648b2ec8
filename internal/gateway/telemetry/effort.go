package telemetry

import (
	"context"
	"sync"
)

// effort is the cost of one operation so far. A cancelled operation may still have requests in flight when
// it has ended.
type effort struct {
	mu sync.Mutex
	consumption
}

type consumption struct {
	requests, waves       int
	readUnits, writeUnits float64
}

func (e *effort) total() consumption {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.consumption
}

func (e *effort) add(requests, waves int, readUnits, writeUnits float64) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests += requests
	e.waves += waves
	e.readUnits += readUnits
	e.writeUnits += writeUnits
}

type effortKey struct{}

// effortOf returns nil if no operation is observed.
func effortOf(ctx context.Context) *effort {
	e, _ := ctx.Value(effortKey{}).(*effort)
	return e
}
