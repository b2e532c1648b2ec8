package storetest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/partita/partita/replicas"
)

// Open returns a store in the server until the test ends, as a replica of its own has it. Its prefix is test, and its
// timeout is one that the server does not exceed on a busy machine.
func (s *Server) Open(tb testing.TB) *replicas.Store {
	tb.Helper()
	settings := replicas.Settings{URL: s.URL(""), Prefix: "test", Timeout: time.Minute}
	store, err := replicas.Open(tb.Context(), settings, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(store.Close)
	return store
}
