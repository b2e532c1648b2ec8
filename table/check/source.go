package check

import (
	"context"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Source is the table that is checked, such as an admin.Scanner.
type Source interface {
	Name() string
	Scan(context.Context, admin.Scan) (request.Result, error)
	GetItem(context.Context, request.GetItem) (request.Result, error)
	BatchGetItem(context.Context, request.BatchGetItem) (request.Result, error)
	Query(context.Context, request.Query) (request.Result, error)
	TransactWriteItems(context.Context, write.Transaction) (request.Result, error)
	// Now returns the time by the clock of the table.
	Now() time.Time
}

// meter sends requests within a rate and adds up their cost.
type meter struct {
	source  Source
	limiter *rate.Limiter

	mu   sync.Mutex
	cost Cost
}

// Cost is the sum of the capacity that requests consumed.
type Cost struct {
	Requests   int     `json:"requests"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
}

// newMeter returns a meter with a limit of read units per second; 0 is no limit.
func newMeter(source Source, perSecond float64, spent Cost) *meter {
	limit := rate.Inf
	if perSecond > 0 {
		limit = rate.Limit(perSecond)
	}
	return &meter{source: source, limiter: rate.NewLimiter(limit, max(1, int(perSecond))), cost: spent}
}

// send sends a request and then waits until the rate allows for its cost, which is
// not known before.
func (m *meter) send(ctx context.Context, call func() (request.Result, error)) (request.Result, error) {
	result, err := call()
	m.mu.Lock()
	m.cost.Requests++
	m.cost.ReadUnits += result.ReadUnits
	m.cost.WriteUnits += result.WriteUnits
	m.mu.Unlock()
	if err != nil {
		return result, err
	}
	for left := int(math.Ceil(result.ReadUnits)); left > 0 && m.limiter.Limit() != rate.Inf; {
		n := min(left, m.limiter.Burst())
		if err := m.limiter.WaitN(ctx, n); err != nil {
			return result, err
		}
		left -= n
	}
	return result, nil
}

func (m *meter) spent() Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cost
}

func (m *meter) scan(ctx context.Context, s admin.Scan) (request.Result, error) {
	return m.send(ctx, func() (request.Result, error) { return m.source.Scan(ctx, s) })
}

func (m *meter) get(ctx context.Context, key keys.Key) (item.Item, error) {
	result, err := m.send(ctx, func() (request.Result, error) {
		return m.source.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	})
	if err != nil || len(result.Items) == 0 {
		return nil, err
	}
	return result.Items[0], nil
}

func (m *meter) query(ctx context.Context, q request.Query) (request.Result, error) {
	return m.send(ctx, func() (request.Result, error) { return m.source.Query(ctx, q) })
}

func (m *meter) transact(ctx context.Context, t write.Transaction) error {
	_, err := m.send(ctx, func() (request.Result, error) { return m.source.TransactWriteItems(ctx, t) })
	return err
}

// batch reads up to request.MaxBatchKeys items, eventually consistent, and
// calls found with each.
func (m *meter) batch(ctx context.Context, wanted []keys.Key, found func(item.Item)) error {
	for attempt := 1; len(wanted) > 0; attempt++ {
		result, err := m.send(ctx, func() (request.Result, error) {
			return m.source.BatchGetItem(ctx, request.BatchGetItem{Keys: wanted})
		})
		if err != nil {
			return err
		}
		for _, it := range result.Items {
			found(it)
		}
		if wanted = result.Unprocessed; len(wanted) > 0 {
			if err := request.Pause(ctx, attempt); err != nil {
				return err
			}
		}
	}
	return nil
}
