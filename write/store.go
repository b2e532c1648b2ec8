package write

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Store is the table as the mutations of one operation see it. Its methods may be
// called at the same time.
type Store interface {
	// ReadItem returns the item with that key as it is now, by a strongly
	// consistent read. It is nil when there is none, a tombstone, or an expired one.
	ReadItem(ctx context.Context, key keys.Key) (item.Item, error)
	// ReadRange returns the first items of a range as they are now, by one strongly consistent Query: tombstones and
	// expired ones are among them. next is where the rest begins; the zero Position if there is none.
	ReadRange(ctx context.Context, r Range) (items []item.Item, next keys.Position, err error)
	// Write carries out the transaction. The error is a *ConditionError, in which
	// the item of a tombstone is nil, and so is an expired one; it wraps ErrTokenReused; or it is for the
	// caller of the API. If it is for the caller and wraps a *ConditionError, that
	// one is InDoubt. After a single update, it returns the item as it is stored;
	// see Transaction.IsSingle.
	Write(ctx context.Context, t Transaction) (item.Item, error)
	// Now returns the time by the clock of the table.
	Now() time.Time
}

// BatchStore is a Store that reads many items at once.
type BatchStore interface {
	Store
	// ReadItems returns the items with up to 100 distinct keys, in the order of these, each as ReadItem does.
	ReadItems(ctx context.Context, all []keys.Key) ([]item.Item, error)
}

// RepeatStore is a Store that remembers which idempotency keys have been used.
type RepeatStore interface {
	Store
	// IsRepeated reports whether it was called with the key of the same claim before, as far as that is remembered. Only
	// what an attempt costs depends on it.
	IsRepeated(claim keys.Key) bool
}

// Range is a range of a partition of the table.
type Range struct {
	PK keys.PK
	// Prefix begins all sort keys. From and To are inclusive bounds inside of it; they are set together or not at all.
	Prefix, From, To keys.SK
	// Start is exclusive; the zero Position is the beginning. Limit is how many items are evaluated at most.
	Start keys.Position
	Limit int
}

type storeKey struct{}

// NewContext returns a context in which Read, ReadItem and Transaction.Commit use the
// store.
func NewContext(ctx context.Context, s Store) context.Context {
	return context.WithValue(ctx, storeKey{}, s)
}

// ErrNoStore is the error of a read or a write outside of an operation.
var ErrNoStore = errors.New(
	"write: the context belongs to no operation; use the context of a resolver, or one from write.NewContext")

// FromContext returns the store of the operation that the context belongs to.
// Without one, the error is ErrNoStore.
func FromContext(ctx context.Context) (Store, error) {
	s, ok := ctx.Value(storeKey{}).(Store)
	if !ok {
		return nil, ErrNoStore
	}
	return s, nil
}

// ReadItem returns the item with that key as it is now, by a strongly consistent
// read of its own. It is nil when there is none, a tombstone, or an expired one.
func ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	s, err := FromContext(ctx)
	if err != nil {
		return nil, err
	}
	return s.ReadItem(ctx, key)
}

// ReadItems returns the items with distinct keys as they are now, in the order of the keys. The reads are strongly
// consistent, and one request has up to 100 keys if the Store is a BatchStore. An item is nil when there is none, a
// tombstone, or an expired one.
func ReadItems(ctx context.Context, all []keys.Key) ([]item.Item, error) {
	s, err := FromContext(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]item.Item, 0, len(all))
	for some := range slices.Chunk(all, maxBatchKeys) {
		found, err := readBatch(ctx, s, some)
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	return items, nil
}

// maxBatchKeys is how many items a BatchStore reads at once.
const maxBatchKeys = 100

func readBatch(ctx context.Context, s Store, some []keys.Key) ([]item.Item, error) {
	if batch, is := s.(BatchStore); is && len(some) > 1 {
		return batch.ReadItems(ctx, some)
	}
	items := make([]item.Item, len(some))
	for i, key := range some {
		var err error
		if items[i], err = s.ReadItem(ctx, key); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// Read returns the object whose base item has that key as it is now, filled by the
// function that is generated for its type. It is nil when there is none, a
// tombstone, or an expired one.
func Read[T any](ctx context.Context, key keys.Key, fill func(item.Item) (*T, error)) (*T, error) {
	it, err := ReadItem(ctx, key)
	if it == nil || err != nil {
		return nil, err
	}
	return fill(it)
}
