package stream_test

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/tabletest"
)

// storeStops is how often a store stops in tests, each time for longer.
const storeStops = 3

// impatient is a timeout that a store exceeds that has stopped, and often one of a busy machine.
const impatient = 20 * time.Millisecond

// withLateStore are the options of a replica of its own that reaches a store at an address, and does not wait for it.
func withLateStore(t *testing.T, address string) stream.Options {
	return steady(stream.Options{Store: storetest.Open(t, address, impatient)})
}

// TestStoreStops: while the store does not answer, in whichever way, a follower is behind; afterwards it has each
// change once, and none is lost.
func TestStoreStops(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options     []string
		stop, goOn  func(*testing.T, *storetest.Server)
		returnsData bool
	}{
		"hangs": {
			stop: func(t *testing.T, s *storetest.Server) { s.Pause(t) },
			goOn: func(t *testing.T, s *storetest.Server) { s.Resume(t) },
		},
		"restarts without data": {
			stop: func(_ *testing.T, s *storetest.Server) { s.Kill() },
			goOn: func(t *testing.T, s *storetest.Server) { s.Restart(t) },
		},
		"restarts with data": {
			options: []string{"--appendonly", "yes", "--appendfsync", "always"},
			stop:    func(_ *testing.T, s *storetest.Server) { s.Kill() },
			goOn:    func(t *testing.T, s *storetest.Server) { s.Restart(t) },
		},
		"is full": {
			stop: func(t *testing.T, s *storetest.Server) { s.Do(t, "CONFIG", "SET", "maxmemory", "1") },
			goOn: func(t *testing.T, s *storetest.Server) { s.Do(t, "CONFIG", "SET", "maxmemory", "0") },
		},
		"is emptied": {
			stop: func(t *testing.T, s *storetest.Server) { s.Do(t, "FLUSHALL") },
			goOn: func(*testing.T, *storetest.Server) {},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, store := tabletest.Start(t, streamed), storetest.Start(t, tt.options...)
			holder := read(t, e.Again(t).Table, withLateStore(t, store.Address))
			put(t, e, "a", 0) // so that the position is exact
			holder.awaitCurrent(t)
			follower := follow(t, holder, e.Again(t).Table, withLateStore(t, store.Address))
			n := 0
			for range storeStops {
				tt.stop(t, store)
				for range 10 {
					n++
					put(t, e, "a", n)
				}
				holder.awaitCurrent(t)
				tt.goOn(t, store)
				n++
				put(t, e, "a", n)
				follower.awaitCurrent(t)
			}
			holder.awaitCurrent(t) // the follower may have read the stream itself
			wantValues(t, holder.values(), numbers(0, n))
			wantValues(t, afterFirst(follower.values()), numbers(1, n))
			follower.wantLost(t, 0)
			holder.wantLost(t, 0)
		})
	}
}

// TestStoreForgets: a follower that was not connected while the store has lost entries reads what it has missed from
// the stream of the table.
func TestStoreForgets(t *testing.T) {
	t.Parallel()
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	way := storetest.NewForwarder(t, store.Address)
	holder := read(t, e.Again(t).Table, withLateStore(t, store.Address))
	put(t, e, "a", 0)
	holder.awaitCurrent(t)
	follower := follow(t, holder, e.Again(t).Table, withLateStore(t, way.Address))
	n := 0
	for range storeStops {
		way.Forward("")
		for range 10 {
			n++
			put(t, e, "a", n)
		}
		holder.awaitCurrent(t)
		store.Do(t, "FLUSHALL")
		n++
		put(t, e, "a", n)
		way.Forward(store.Address)
		follower.awaitCurrent(t)
	}
	wantValues(t, afterFirst(follower.values()), numbers(1, n))
	follower.wantLost(t, 0)
	if !strings.Contains(follower.log.String(), "were read from the stream of the table") {
		t.Errorf("the log is %v", follower.log)
	}
}

// TestMoreThanWaits: records that do not fit into what waits for the store are read from the stream of the table.
func TestMoreThanWaits(t *testing.T) {
	t.Parallel()
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	options := withLateStore(t, store.Address)
	options.Waiting = 2 << 20
	holder := read(t, e.Again(t).Table, options)
	put(t, e, "a", 0)
	holder.awaitCurrent(t)
	follower := follow(t, holder, e.Again(t).Table, withLateStore(t, store.Address))
	store.Pause(t)
	const enough = 5 // a record has both images, of 330 KB
	for n := range enough {
		text := make([]byte, 250_000) // which nothing makes shorter
		_, _ = rand.Read(text)        // it has no errors
		e.Load(t, tabletest.Stored("big", "A", "n", fmt.Sprint(n+1), "text", base64.StdEncoding.EncodeToString(text)))
	}
	holder.awaitCurrent(t)
	store.Resume(t)
	put(t, e, "a", enough+1)
	follower.awaitCurrent(t)
	wantValues(t, afterFirst(follower.values()), numbers(1, enough+1))
	follower.wantLost(t, 0)
	if !strings.Contains(follower.log.String(), "were read from the stream of the table") {
		t.Errorf("the log is %v", follower.log)
	}
}

// TestChangedPrimary: another server of the store becomes the primary, while the one before is gone, or goes on as a
// replica that accepts no entries.
func TestChangedPrimary(t *testing.T) {
	t.Parallel()
	for name, demote := range map[string]func(t *testing.T, before, now *storetest.Server){
		"dies": func(_ *testing.T, before, _ *storetest.Server) { before.Kill() },
		"becomes a replica": func(t *testing.T, before, now *storetest.Server) {
			host, port, _ := strings.Cut(now.Address, ":")
			before.Do(t, "REPLICAOF", host, port)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, before := tabletest.Start(t, streamed), storetest.Start(t)
			now := before.Replicate(t)
			way := storetest.NewForwarder(t, before.Address)
			holder := read(t, e.Again(t).Table, withLateStore(t, way.Address))
			put(t, e, "a", 0)
			holder.awaitCurrent(t)
			follower := follow(t, holder, e.Again(t).Table, withLateStore(t, way.Address))
			for n := 1; n <= 20; n++ { // the replica may not have the last of them
				put(t, e, "a", n)
			}
			now.Promote(t)
			way.ForwardNew(now.Address)
			demote(t, before, now)
			for n := 21; n <= 40; n++ {
				put(t, e, "a", n)
			}
			follower.awaitCurrent(t)
			wantValues(t, afterFirst(follower.values()), numbers(1, 40))
			follower.wantLost(t, 0)
		})
	}
}
