package storetest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/replicas"
)

// Open returns a store in the server until the test ends, as a replica of its own has it. Its prefix is test, and its
// timeout is one that the server does not exceed on a busy machine.
func (s *Server) Open(tb testing.TB) *replicas.Store {
	tb.Helper()
	return Open(tb, s.Address, time.Minute)
}

// Open returns a store at an address with a timeout, as Server.Open does.
func Open(tb testing.TB, address string, timeout time.Duration) *replicas.Store {
	tb.Helper()
	settings := replicas.Settings{URL: "redis://" + address + "/0", Timeout: timeout}
	store, err := replicas.Open(tb.Context(), settings, slog.New(slog.DiscardHandler))
	fatal.If(tb, err)
	tb.Cleanup(store.Close)
	return store
}
