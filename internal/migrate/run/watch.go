package run

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// settled is the default of stream.Settings.Settled.
const settled = 2 * time.Second

// maxOthers is how many changes are kept.
const maxOthers = 5

// watcher follows other programs through the stream of the table: of what they change, the other form follows. The
// methods of a nil one do nothing.
type watcher struct {
	m       *Migrator
	blocked *BlockedError
	begun   chan struct{}

	mu   sync.Mutex
	lost bool
	// at is a time until which everything was followed, and changed is closed when it changes.
	at      time.Time
	changed chan struct{}
}

// watching calls do while other programs are followed. There is no watcher if the table has no stream.
func (m *Migrator) watching(ctx context.Context, do func(context.Context, *watcher) error) error {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &watcher{m: m, blocked: &BlockedError{}, begun: make(chan struct{}), changed: make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		o := stream.Options{Settings: m.Stream, Logger: m.Log}
		err := stream.Follow(within, m.raw(), o, m.progress.get().Stream, w)
		ended <- err
		cancel(err)
	}()
	select {
	case <-w.begun:
	case err := <-ended:
		unsuitable, is := errors.AsType[*stream.Unsuitable](err)
		if !is {
			return err
		}
		m.Log.WarnContext(ctx, "other programs that write to the table are not followed: stop them until the migration "+
			"is finished", "reason", unsuitable.Reason(), "fix", unsuitable.Fix())
		return do(ctx, nil)
	}
	err := do(within, w)
	hasEnded := within.Err() != nil && ctx.Err() == nil
	cancel(nil)
	followed := <-ended
	if hasEnded {
		return followed
	}
	return err
}

// Begin implements stream.TailSink, as the following methods.
func (w *watcher) Begin(isComplete bool) {
	w.mu.Lock()
	w.lost = w.lost || !isComplete
	w.mu.Unlock()
	select {
	case <-w.begun:
	default:
		close(w.begun)
	}
}

// Pass follows changes, those of an item in their order.
func (w *watcher) Pass(ctx context.Context, changes []*live.Change) error {
	type place struct {
		tenant string
		key    keys.Key
	}
	of := map[place][]*live.Change{}
	for _, c := range changes {
		at := place{c.Tenant, c.Key}
		of[at] = append(of[at], c)
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(w.m.Parallel)
	for at, changes := range of {
		ctx := within
		if at.tenant != "" {
			ctx = request.WithTenant(within, at.tenant)
		}
		group.Go(func() error {
			for _, c := range changes {
				if err := w.follow(ctx, c); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// Read keeps how far everything was followed.
func (w *watcher) Read(tail stream.Tail) {
	w.m.steps.RLock()
	defer w.m.steps.RUnlock()
	w.m.progress.update(func(p *Progress) { p.Stream = tail })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = tail.At
	close(w.changed)
	w.changed = make(chan struct{})
}

// follow makes the later form of an object follow from the former one that a change has written. What gateways have
// written is right already.
func (w *watcher) follow(ctx context.Context, c *live.Change) error {
	m := w.m
	m.steps.RLock()
	defer m.steps.RUnlock()
	state, s := m.record.State, m.side(migrate.From)
	isFollowed := s.isBase(c.Old) || s.isBase(c.New) || s.isLoose(c.Key)
	if state == migrate.Former || state == migrate.Latter || !isFollowed {
		return nil
	}
	isShared := m.side(migrate.To).isBase(c.Old)
	isWritten := false
	now, err := m.get(ctx, m.raw(), c.Key)
	for err == nil {
		isLast := item.FieldsValue(now).Equal(item.FieldsValue(c.New))
		// Another change follows. Of an item that both designs have, each one says what followed from it before.
		if !isLast && !isShared || now == nil && c.Old == nil {
			break
		}
		var wrote bool
		wrote, err = w.derive(ctx, s, c, now)
		isWritten = isWritten || wrote
		if err != nil || !isShared {
			break
		}
		before := now
		if now, err = m.get(ctx, m.raw(), c.Key); (now == nil) == (before == nil) {
			break
		}
	}
	if isWritten && state >= migrate.Switched {
		m.progress.update(func(p *Progress) {
			p.Others = append(slices.Clip(p.Others), Other{c.Key.PK, c.Key.SK, c.At})
			p.Others = p.Others[max(0, len(p.Others)-maxOthers):]
		})
	}
	return err
}

// derive makes the later form of an object follow from the item as it is now.
func (w *watcher) derive(ctx context.Context, s side, c *live.Change, now item.Item) (bool, error) {
	m := w.m
	state := m.record.State
	switch {
	case now == nil && state == migrate.Closing: // It may be this migration that has removed it.
		return false, nil
	case now == nil:
		return m.deleted(ctx, s, c.Old)
	case state == migrate.Prepared: // What it has by To is removed.
		return false, nil
	}
	t := m.deriver(state, follow.Derivation{IsForeign: true, Was: c.Old, KeepsMissing: state == migrate.Closing})
	of := completer{Migrator: m, of: s, by: t, blocked: w.blocked}
	if to := m.side(migrate.To); state == migrate.Closing && to.isBase(now) {
		of.companion = to.fromStored(now)
	}
	return of.complete(ctx, s.fromStored(now))
}

// deleted deletes the other form of an object that another program has deleted, unless the record has changed.
func (m *Migrator) deleted(ctx context.Context, s side, old item.Item) (bool, error) {
	it := s.fromStored(old)
	fence := record.Unchanged(m.raw(), m.record)
	t := m.deriver(m.record.State, follow.Derivation{IsForeign: true, Gone: old, Fence: &fence})
	w := write.Transaction{Actions: []write.Action{{
		Kind: write.ActionDelete, Key: keys.KeyOf(it), Type: it.Type(), If: []write.Precondition{write.IfMissing()},
	}}}
	preview, err := t.Preview(ctx, w)
	if spent := m.progress.consume(ctx, preview.Read); spent != nil || err != nil || preview.Writes == 0 {
		return false, errors.Join(spent, err)
	}
	result, err := t.TransactWriteItems(ctx, w)
	if spent := m.progress.consume(ctx, result); spent != nil {
		return false, spent
	}
	if _, is := errors.AsType[*write.ConditionError](err); is {
		return false, nil // It has been created again.
	}
	return err == nil, err
}

// catchUp returns once everything is followed that was written before. The error is a *BlockedError if an object that
// another program has written has no other form, and an *OthersError if one has written the former form lately, and the
// next step would be the end of that.
func (w *watcher) catchUp(ctx context.Context) error {
	if w == nil {
		return nil
	}
	for until := time.Now().Add(cmp.Or(w.m.Stream.Settled, settled)); ; {
		w.mu.Lock()
		at, changed := w.at, w.changed
		w.mu.Unlock()
		if at.After(until) {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if w.blocked.count() > 0 && w.m.record.Goal != migrate.Former { // On the way back, they need no other form.
		return w.blocked.sorted()
	}
	if next, is := w.m.record.Next(); !is || next < migrate.Closing {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(w.m.progress.get().Others), func(o Other) bool {
		return time.Since(o.At) > w.m.Quiet
	})
	if len(others) > 0 {
		w.m.progress.update(func(p *Progress) { p.Phase = "" }) // Everything is read again until then.
		return &OthersError{others, w.m.Quiet}
	}
	return nil
}

// isLost reports whether changes may have been missed.
func (w *watcher) isLost() bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// hasLost is isLost for who reads everything now.
func (w *watcher) hasLost() bool {
	if !w.isLost() {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = false
	return true
}
