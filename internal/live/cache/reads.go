package cache

import (
	"context"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Source is a loaders.Source.
type Source interface {
	GetItem(ctx context.Context, r request.GetItem) (request.Result, error)
	BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error)
	Query(ctx context.Context, r request.Query) (request.Result, error)
	TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error)
	Now() time.Time
}

// Reads is a Source that answers with what is shared, and otherwise with what its Source returns. Result.Reused says
// what was shared. The items of all results are shared with other operations.
type Reads struct {
	cache  *Cache
	source Source
	number uint64
}

// Around returns the Reads of a Source. They share nothing with those of an earlier Source, which may have the items of
// another schema, and items are kept for the latest one alone.
func (c *Cache) Around(s Source) *Reads {
	r := &Reads{c, s, c.sources.Add(1)}
	c.current.Store(0)
	c.items.use(r.number)
	return r
}

// Now returns that of the Source.
func (r *Reads) Now() time.Time { return r.source.Now() }

// TransactWriteItems evicts the items that are written, whether or not they have been.
func (r *Reads) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	tenant := request.TenantOf(ctx)
	r.cache.wrote(tenant, w.Actions)
	defer r.cache.wrote(tenant, w.Actions)
	return r.source.TransactWriteItems(ctx, w)
}

// GetItem is that of the Source, or shared.
func (r *Reads) GetItem(ctx context.Context, get request.GetItem) (request.Result, error) {
	if get.Consistent {
		return r.source.GetItem(ctx, get)
	}
	id := r.getID(request.TenantOf(ctx), get.Key)
	if s := r.scope(ctx); s != nil {
		return s.gets.one(ctx, id, always, func() (request.Result, error) { return r.getItem(ctx, id) })
	}
	return r.getItem(ctx, id)
}

func (r *Reads) getID(tenant string, key keys.Key) getID { return getID{r.number, itemID{tenant, key}} }

// getItem returns an item that is kept, or that of a flight.
func (r *Reads) getItem(ctx context.Context, id getID) (request.Result, error) {
	if it, isKept := r.kept(id, r.cache.now()); isKept {
		return request.Result{Items: it, Reused: 1, Unsent: true}, nil
	}
	return r.cache.gets.one(ctx, id, r.joinableGet(id), func() (request.Result, error) {
		began := r.cache.now()
		res, err := r.source.GetItem(ctx, request.GetItem{Key: id.key})
		if err == nil {
			r.keep(id, res.Items, began)
		}
		return res, err
	})
}

// BatchGetItem is that of the Source, or shared.
func (r *Reads) BatchGetItem(ctx context.Context, get request.BatchGetItem) (request.Result, error) {
	if get.Consistent {
		return r.source.BatchGetItem(ctx, get)
	}
	if s := r.scope(ctx); s != nil {
		return r.batch(ctx, s.gets, get.Keys, func(getID) int64 { return always },
			func(wanted []keys.Key) (request.Result, error) { return r.batchGetItem(ctx, wanted) })
	}
	return r.batchGetItem(ctx, get.Keys)
}

func (r *Reads) batch(
	ctx context.Context, among *flights[getID], wanted []keys.Key, after func(getID) int64,
	send func([]keys.Key) (request.Result, error),
) (request.Result, error) {
	b := batch{flights: among, send: send}
	b.enter(r.number, request.TenantOf(ctx), wanted, after)
	return b.run(ctx)
}

// batchGetItem returns the items that are kept, and those of flights.
func (r *Reads) batchGetItem(ctx context.Context, wanted []keys.Key) (request.Result, error) {
	reused, missed := r.allKept(request.TenantOf(ctx), wanted)
	if len(missed) == 0 {
		return reused, nil
	}
	res, err := r.batch(ctx, r.cache.gets, missed, r.joinableGet, func(wanted []keys.Key) (request.Result, error) {
		began := r.cache.now()
		res, err := r.source.BatchGetItem(ctx, request.BatchGetItem{Keys: wanted})
		if err == nil {
			r.keepAll(request.TenantOf(ctx), wanted, res, began)
		}
		return res, err
	})
	if reused.Reused > 0 {
		res.Items = append(res.Items, reused.Items...)
		res.Reused += reused.Reused
		res.ReusedKeys = append(res.ReusedKeys, reused.ReusedKeys...)
	}
	return res, err
}

// Query is that of the Source, or shared.
func (r *Reads) Query(ctx context.Context, q request.Query) (request.Result, error) {
	if q.Consistent {
		return r.source.Query(ctx, q)
	}
	id := queryID{r.number, request.TenantOf(ctx), q}
	if s := r.scope(ctx); s != nil {
		return s.queries.one(ctx, id, always, func() (request.Result, error) { return r.query(ctx, id) })
	}
	return r.query(ctx, id)
}

func (r *Reads) query(ctx context.Context, id queryID) (request.Result, error) {
	return r.cache.queries.one(ctx, id, r.joinableQuery(id), func() (request.Result, error) {
		return r.source.Query(ctx, id.query)
	})
}

// joinable is how old a flight may be that an operation joins. A response of a busy table can take longer.
const joinable = time.Second

// joinableGet returns the time after which a flight of the Get must have begun that an operation joins.
func (r *Reads) joinableGet(id getID) int64 {
	return max(r.cache.now()-int64(joinable), r.cache.changes.item(id.itemID).Load())
}

// joinableQuery is the same for a Query.
func (r *Reads) joinableQuery(id queryID) int64 {
	changed := r.cache.changes.indexes(id.tenant)
	if id.query.Index == "" {
		changed = r.cache.changes.partition(id.tenant, id.query.PK)
	}
	return max(r.cache.now()-int64(joinable), changed.Load())
}

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
