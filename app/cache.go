package app

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/live"
	"github.com/partita/partita/live/cache"
)

// newCache returns what operations share of their Reads, which is in the metrics.
func (c *serveCommand) newCache(observed *observers) *cache.Cache {
	shared := cache.New(cache.Options{Settings: c.Cache})
	observed.metrics.ObserveCache(shared)
	return shared
}

// evicted returns the cache if it needs the changes of the table: because it keeps items, or because the events of live
// fields read through it.
func (c *serveCommand) evicted(shared *cache.Cache, design *keys.Design) []live.Sink {
	if !c.Cache.KeepsItems() && len(design.Live) == 0 {
		return nil
	}
	return []live.Sink{shared}
}
