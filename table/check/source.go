package check

import (
	"context"
	"math"
	"sync"

	"golang.org/x/time/rate"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// Source is the table that is checked; a *table.Table is one.
type Source interface {
	Name() string
	Scan(context.Context, table.Scan) (table.Result, error)
	GetItem(context.Context, table.GetItem) (table.Result, error)
	BatchGetItem(context.Context, table.BatchGetItem) (table.Result, error)
	Query(context.Context, table.Query) (table.Result, error)
	TransactWriteItems(context.Context, write.Transaction) (table.Result, error)
}

// meter sends requests, adds up what they cost, and keeps within a rate.
type meter struct {
	source  Source
	limiter *rate.Limiter

	mu   sync.Mutex
	cost Cost
}

// Cost is what requests took.
type Cost struct {
	Requests   int     `json:"requests"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
}

// newMeter allows so many read units per second, or with 0 any number.
func newMeter(source Source, perSecond float64, spent Cost) *meter {
	limit := rate.Inf
	if perSecond > 0 {
		limit = rate.Limit(perSecond)
	}
	return &meter{source: source, limiter: rate.NewLimiter(limit, max(1, int(perSecond))), cost: spent}
}

// send sends a request and then waits until the rate allows what it cost: that
// is not known before.
func (m *meter) send(ctx context.Context, request func() (table.Result, error)) (table.Result, error) {
	result, err := request()
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

func (m *meter) scan(ctx context.Context, s table.Scan) (table.Result, error) {
	return m.send(ctx, func() (table.Result, error) { return m.source.Scan(ctx, s) })
}

func (m *meter) get(ctx context.Context, key keys.Key) (item.Item, error) {
	result, err := m.send(ctx, func() (table.Result, error) {
		return m.source.GetItem(ctx, table.GetItem{Key: key, Consistent: true})
	})
	if err != nil || len(result.Items) == 0 {
		return nil, err
	}
	return result.Items[0], nil
}

func (m *meter) query(ctx context.Context, q table.Query) (table.Result, error) {
	return m.send(ctx, func() (table.Result, error) { return m.source.Query(ctx, q) })
}

func (m *meter) transact(ctx context.Context, actions []write.Action) error {
	_, err := m.send(ctx, func() (table.Result, error) {
		return m.source.TransactWriteItems(ctx, write.Transaction{Actions: actions})
	})
	return err
}

// batch reads up to table.MaxBatchKeys items, eventually consistent, and hands
// each to found.
func (m *meter) batch(ctx context.Context, wanted []keys.Key, found func(item.Item)) error {
	for attempt := 1; len(wanted) > 0; attempt++ {
		result, err := m.send(ctx, func() (table.Result, error) {
			return m.source.BatchGetItem(ctx, table.BatchGetItem{Keys: wanted})
		})
		if err != nil {
			return err
		}
		for _, it := range result.Items {
			found(it)
		}
		if wanted = result.Unprocessed; len(wanted) > 0 {
			if err := table.Pause(ctx, attempt); err != nil {
				return err
			}
		}
	}
	return nil
}
