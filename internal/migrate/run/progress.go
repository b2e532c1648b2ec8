package run

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
	"time"

	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// The phases of a state.
const (
	phaseFill    = "FILL"
	phaseProve   = "PROVE"
	phaseUnique  = "UNIQUE"
	phaseCount   = "COUNT"
	phaseRemove  = "REMOVE"
	phaseConvert = "CONVERT"
)

// Progress is how far a migration is. It is stored in the table.
type Progress struct {
	// State and Phase are what is done now: FILL, PROVE, UNIQUE, COUNT, CONVERT or REMOVE.
	State string `json:"state"`
	Phase string `json:"phase,omitempty"`
	// Pass is the number of the pass over the table in this phase, from 1, and Start the last item that it has read.
	Pass  int      `json:"pass,omitempty"`
	Start keys.Key `json:"start,omitzero"`
	// IsDone is set once the pass has read everything.
	IsDone bool `json:"done,omitempty"`
	// Stream is how far changes by other programs have been followed, and Others are the last ones of the former form.
	Stream stream.Tail `json:"stream,omitzero"`
	Others []Other     `json:"others,omitempty"`
	// Items is how many items the pass has read, Objects how many objects, and Written how many of them it has written.
	Items   int `json:"items"`
	Objects int `json:"objects"`
	Written int `json:"written"`
	// Total is how many items the table has, by its statistics.
	Total int `json:"total,omitempty"`
	// ReadUnits and WriteUnits are what the migration has consumed since it began.
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	// Replicas is how many replicas do not yet act by the record, and Blocked how many objects stop the migration.
	Replicas int `json:"replicas,omitempty"`
	Blocked  int `json:"blocked,omitempty"`
	// BlockedBy is how many of them each code has.
	BlockedBy map[Code]int `json:"blockedBy,omitempty"`
}

// tracker keeps the progress, in the table as well: that also renews the right to carry out the migration.
type tracker struct {
	lock  *record.Lock
	store *record.Store
	rate  *limiter
	// own is the rate while none is stored.
	own    float64
	report func(Progress)
	every  time.Duration

	mu     sync.Mutex
	state  string
	now    Progress
	failed error
}

// in sets the state of the migration.
func (t *tracker) in(state migrate.State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state = state.String()
}

// update changes the progress. What was done in another state is not a part of what is done now.
func (t *tracker) update(change func(*Progress)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now.State != t.state {
		t.now.State, t.now.Phase = t.state, ""
	}
	change(&t.now)
}

func (t *tracker) get() Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// err returns why the right to carry out the migration is lost, or nil.
func (t *tracker) err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// start stores the progress at intervals until stop is called, and takes over the rate that is set meanwhile.
func (t *tracker) start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(t.every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				t.save(ctx)
			}
		}
	})
	return func() {
		cancel()
		ended.Wait()
	}
}

// save stores the progress.
func (t *tracker) save(ctx context.Context) {
	now := t.get()
	if t.report != nil {
		t.report(now)
	}
	text, err := json.Marshal(now)
	if err == nil {
		err = t.lock.Save(ctx, string(text))
	}
	var stored record.Migration
	if err == nil {
		if stored, err = t.store.Migration(ctx); err == nil {
			t.rate.set(stored.UnitsPerSecond, t.own)
		}
	}
	if err != nil && ctx.Err() == nil {
		t.mu.Lock()
		t.failed = err
		t.mu.Unlock()
		t.rate.fail(err)
	}
}

// close stores the progress for the next process.
func (t *tracker) close(ctx context.Context) error {
	if lost := t.err(); lost != nil {
		return lost
	}
	text, err := json.Marshal(t.get())
	if err != nil {
		return err
	}
	return t.lock.Release(ctx, string(text))
}

// consume counts the units of a request, and waits as long as the rate wants.
func (t *tracker) consume(ctx context.Context, r request.Result) error {
	t.update(func(p *Progress) {
		p.ReadUnits += r.ReadUnits
		p.WriteUnits += r.WriteUnits
	})
	return t.rate.spend(ctx, r.ReadUnits+r.WriteUnits)
}

// at returns the pass of a phase with which to go on: 1 if it has not been begun.
func (t *tracker) at(phase string) (pass int, is bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now.State == t.state && t.now.Phase == phase {
		return t.now.Pass, true
	}
	return 1, false
}

// begin begins a pass of a phase, unless it goes on.
func (t *tracker) begin(phase string, n int) {
	if pass, is := t.at(phase); is && pass == n {
		return
	}
	t.update(func(p *Progress) {
		p.Phase, p.Pass, p.Start, p.Items, p.Objects, p.Written, p.Blocked = phase, n, keys.Key{}, 0, 0, 0, 0
		p.BlockedBy = nil
		p.IsDone = false
	})
}

// block adds an object that stops the migration.
func (t *tracker) block(e *BlockedError, b Blocked) {
	e.add(b)
	t.update(func(p *Progress) {
		by := maps.Clone(p.BlockedBy) // that of a Progress that has been returned stays as it is
		if by == nil {
			by = map[Code]int{}
		}
		by[b.Code]++
		p.Blocked, p.BlockedBy = p.Blocked+1, by
	})
}
