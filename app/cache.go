package app

import (
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// newCache returns what operations share of their Reads, which is in the metrics.
func newCache(s cache.Settings, observed *observers) *cache.Cache {
	shared := cache.New(cache.Options{Settings: s})
	observed.metrics.ObserveCache(shared)
	return shared
}

// sourceOf returns what operations read from: the table, through what they share.
func sourceOf(s cache.Settings, shared *cache.Cache, t *local.Table) loaders.Source {
	if s.SharedReads == "off" {
		return t
	}
	return shared.Around(t)
}

// evicted returns the cache if it needs the changes of the table: because it keeps items, or because the events of live
// fields read through it.
func evicted(s cache.Settings, shared *cache.Cache, design *design.Design) []live.Sink {
	if !s.KeepsItems() && len(design.Live) == 0 {
		return nil
	}
	return []live.Sink{shared}
}
