package app

import (
	"context"
	"log/slog"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/replicas"
)

// openStore opens the shared store, whose state is in the metrics. It returns nil if none is set.
func openStore(
	ctx context.Context, settings replicas.Settings, observed *observers, log *slog.Logger,
) (*replicas.Store, error) {
	if !settings.IsSet() {
		return nil, nil
	}
	store, err := replicas.Open(ctx, settings, log)
	if err != nil {
		return nil, &exit.Error{Problem: err.Error(), Fix: "check SHARED_STORE", Code: exit.Config, Err: err}
	}
	observed.metrics.ObserveStore(store)
	return store, nil
}
