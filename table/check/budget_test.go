package check_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// units is what each request of memory consumes.
const units = 50

// memory is a table without a network, for tests with a clock of their own.
type memory struct {
	mu sync.Mutex
	content
	// before is called with mu locked before a GetItem, and before a Query with the
	// prefix of its sort keys.
	before func(keys.Key)
}

func (m *memory) Name() string { return "memory" }

func (m *memory) Now() time.Time { return time.Now() }

func (m *memory) Scan(_ context.Context, r admin.Scan) (request.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	result := request.Result{ReadUnits: units}
	for _, it := range m.inOrder() {
		switch key := keys.KeyOf(it); {
		case r.Start != (keys.Key{}) && (key.PK < r.Start.PK || key.PK == r.Start.PK && key.SK <= r.Start.SK):
		case r.Limit > 0 && len(result.Items) == r.Limit:
			base := keys.KeyOf(result.Items[r.Limit-1])
			result.Last = keys.Position{SK: base.SK, Base: base}
			return result, nil
		default:
			result.Items = append(result.Items, it)
		}
	}
	return result, nil
}

func (m *memory) GetItem(_ context.Context, r request.GetItem) (request.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.before != nil {
		m.before(r.Key)
	}
	return m.get(r.Key), nil
}

func (m *memory) BatchGetItem(_ context.Context, r request.BatchGetItem) (request.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.get(r.Keys...), nil
}

func (m *memory) get(wanted ...keys.Key) request.Result {
	result := request.Result{ReadUnits: units}
	for _, key := range wanted {
		if it := m.content[key]; it != nil {
			result.Items = append(result.Items, it)
		}
	}
	return result
}

func (m *memory) Query(_ context.Context, r request.Query) (request.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.before != nil {
		m.before(keys.Key{PK: r.PK, SK: r.Prefix})
	}
	result := request.Result{ReadUnits: units}
	for _, it := range m.inOrder() {
		sk := it.Text(keys.IndexSK(r.Index))
		if it.Text(keys.IndexPK(r.Index)) == string(r.PK) && strings.HasPrefix(sk, string(r.Prefix)) {
			result.Items = append(result.Items, it)
		}
	}
	return result, nil
}

func (m *memory) TransactWriteItems(context.Context, write.Transaction) (request.Result, error) {
	return request.Result{}, errors.New("memory has no transactions")
}

// TestReadUnitsPerSecond checks that after a burst of one second's units, the time of a run is that
// of its units at the rate. A run without a limit does not wait.
func TestReadUnitsPerSecond(t *testing.T) {
	for _, rate := range []float64{0, 1, 10, 25.5} {
		synctest.Test(t, func(t *testing.T) {
			o := options()
			o.ReadUnits, o.PageItems = rate, 3
			begin := time.Now()
			report, err := check.Table(t.Context(), &memory{content: sound(t)}, o)
			if err != nil || !report.Clean() {
				t.Fatalf("%+v, %v", report, err)
			}
			var want time.Duration
			if rate > 0 {
				want = time.Duration((report.Cost.ReadUnits - float64(int(rate))) / rate * float64(time.Second))
			}
			if took := time.Since(begin); (took - want).Abs() > time.Millisecond {
				t.Errorf("%v read units at %v a second took %v, want %v", report.Cost.ReadUnits, rate, took, want)
			}
		})
	}
}

// TestInterruptedWait: a run that waits for its rate can be interrupted.
func TestInterruptedWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		o := options()
		o.ReadUnits = 1
		begin := time.Now()
		report, err := check.Table(ctx, &memory{content: sound(t)}, o)
		if !errors.Is(err, context.Canceled) || report.Cost.ReadUnits != units || time.Since(begin) != time.Second {
			t.Errorf("got %+v, %v after %v", report, err, time.Since(begin))
		}
	})
}

// TestUnconfirmed: an item that is wrong in another way in each round is reported as
// unconfirmed, and the pauses between the rounds can be interrupted.
func TestUnconfirmed(t *testing.T) {
	task := keyOf("TASK#k", "TASK#k")
	always := func(t *testing.T) *memory {
		m := &memory{content: sound(t)}
		n := 0
		m.before = func(key keys.Key) {
			if key != task {
				return
			}
			if n++; n%2 == 0 {
				return // the end of a round
			}
			m.content[task] = with(m.content[task], "note"+strconv.Itoa(n)+"=more")
		}
		m.damage(t, "set TASK#k TASK#k note=more")
		return m
	}
	for name, run := range runs {
		synctest.Test(t, func(t *testing.T) {
			report := must(run(t.Context(), always(t), options()))
			if report.Clean() || len(report.Violations) > 0 || len(report.Unconfirmed) != 1 || report.Unconfirmed[0] != task {
				t.Errorf("%s: got %+v", name, report)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		m := always(t)
		ctx, cancel := context.WithCancel(t.Context())
		next := m.before
		rounds := 0
		m.before = func(key keys.Key) {
			next(key)
			if rounds++; rounds > 40 {
				cancel()
			}
		}
		if _, err := check.Table(ctx, m, options()); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// TestWholePartitions: counters of collections that are entirely in the page need no
// further requests.
func TestWholePartitions(t *testing.T) {
	counting := &queries{memory: &memory{content: sound(t)}}
	for key := range counting.content {
		if strings.HasPrefix(string(key.PK), "PERSON#") || strings.HasPrefix(string(key.SK), "MEMBER#") {
			delete(counting.content, key)
		}
	}
	counting.damage(t, "set TEAM#t TEAM#t memberCount:=0")
	report, err := check.Table(t.Context(), counting, options())
	if err != nil || !report.Clean() {
		t.Fatalf("%q, %v", describe(report.Violations), err)
	}
	if counting.n != 0 || report.Cost.Requests != 1 {
		t.Errorf("%d Queries, %d requests", counting.n, report.Cost.Requests)
	}
}

// queries is a table that counts its Queries.
type queries struct {
	*memory
	n int
}

func (q *queries) Query(ctx context.Context, r request.Query) (request.Result, error) {
	q.n++
	return q.memory.Query(ctx, r)
}
