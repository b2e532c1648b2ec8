package app

import (
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// newCache returns what operations share of their Reads, which is in the metrics.
func (c *serveCommand) newCache(observed *observers) *cache.Cache {
	shared := cache.New(cache.Options{Settings: c.Cache})
	observed.metrics.ObserveCache(shared)
	return shared
}

// source returns what operations read from: the table, through what they share.
func (c *serveCommand) source(shared *cache.Cache, t *local.Table) loaders.Source {
	if c.Cache.SharedReads == "off" {
		return t
	}
	return shared.Around(t)
}

// evicted returns the cache if it needs the changes of the table: because it keeps items, or because the events of live
// fields read through it.
func (c *serveCommand) evicted(shared *cache.Cache, design *design.Design) []live.Sink {
	if !c.Cache.KeepsItems() && len(design.Live) == 0 {
		return nil
	}
	return []live.Sink{shared}
}
