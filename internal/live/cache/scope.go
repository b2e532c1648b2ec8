package cache

import (
	"context"
	"time"

	"github.com/partita/partita/request"
)

const (
	// maxScoped is how many Reads a scope keeps.
	maxScoped = 1000
	// scopedFor is how long: the events of a change that are sent later read again.
	scopedFor = 5 * time.Second
)

// scope has the Reads of operations with one cause, in flight or ended.
type scope struct {
	gets    *flights[getID]
	queries *flights[queryID]
}

// scope returns that of a context, nil if it has none.
func (r *Reads) scope(ctx context.Context) *scope {
	s := request.ScopeOf(ctx)
	if s == nil {
		return nil
	}
	return s.Reads(func() any {
		joined := &r.cache.counts.scoped
		c := &scope{
			gets:    newFlights[getID](maxScoped, r.cache.now, joined),
			queries: newFlights[queryID](maxScoped, r.cache.now, joined),
		}
		time.AfterFunc(scopedFor, func() {
			c.gets.close()
			c.queries.close()
		})
		return c
	}).(*scope)
}
