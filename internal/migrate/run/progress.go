package run

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
	"time"

	"github.com/partita/partita/internal/live/stream"
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
	m      *Migrator
	mu     sync.Mutex
	now    Progress
	failed error
}

func newTracker(m *Migrator, stored string) *tracker {
	t := &tracker{m: m}
	// What cannot be read is from another version: the pass begins anew.
	_ = json.Unmarshal([]byte(stored), &t.now)
	return t
}

// update changes the progress. What was done in another state is not a part of what is done now.
func (t *tracker) update(change func(*Progress)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.m.record.State.String(); t.now.State != now {
		t.now.State, t.now.Phase = now, ""
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
	every := t.m.Every
	if every == 0 {
		every = record.Every
	}
	ctx, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(every)
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
	if t.m.Report != nil {
		t.m.Report(now)
	}
	text, err := json.Marshal(now)
	if err == nil {
		err = t.m.lock.Save(ctx, string(text))
	}
	var stored record.Migration
	if err == nil {
		if stored, err = t.m.store.Migration(ctx); err == nil {
			t.m.rate.set(stored.UnitsPerSecond, t.m.UnitsPerSecond)
		}
	}
	if err != nil && ctx.Err() == nil {
		t.mu.Lock()
		t.failed = err
		t.mu.Unlock()
		t.m.rate.fail(err)
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
	return t.m.lock.Release(ctx, string(text))
}

// consume counts the units of a request, and waits as long as the rate wants.
func (m *Migrator) consume(ctx context.Context, r request.Result) error {
	m.progress.update(func(p *Progress) {
		p.ReadUnits += r.ReadUnits
		p.WriteUnits += r.WriteUnits
	})
	return m.rate.spend(ctx, r.ReadUnits+r.WriteUnits)
}

// at returns the pass of a phase with which to go on: 1 if it has not been begun.
func (m *Migrator) at(phase string) (pass int, is bool) {
	if now := m.progress.get(); now.State == m.record.State.String() && now.Phase == phase {
		return now.Pass, true
	}
	return 1, false
}

// block adds an object that stops the migration.
func (m *Migrator) block(e *BlockedError, b Blocked) {
	e.add(b)
	m.progress.update(func(p *Progress) {
		by := maps.Clone(p.BlockedBy) // that of a Progress that has been returned stays as it is
		if by == nil {
			by = map[Code]int{}
		}
		by[b.Code]++
		p.Blocked, p.BlockedBy = p.Blocked+1, by
	})
}
