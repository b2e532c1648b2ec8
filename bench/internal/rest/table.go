package rest

import (
	"context"
	"errors"

	"github.com/partita/partita/bench/internal/service"
)

// table is the shop's table.
type table interface {
	// getItem returns nil if there is no such item.
	getItem(ctx context.Context, k key) (attributes, error)
	// batchGetItem returns the items that exist, in any order, and the keys to request again.
	batchGetItem(ctx context.Context, keys []key) (items []attributes, unprocessed []key, err error)
	query(ctx context.Context, q query) ([]attributes, error)
	// update returns the item as it is afterwards. Like transact, it returns errCondition if a condition does not hold.
	update(ctx context.Context, w write) (attributes, error)
	transact(ctx context.Context, writes []write) error
}

// attributes are those of one item. A missing attribute is "" or 0.
type attributes interface {
	Text(name string) string
	Int(name string) int
	Money(name string) (amount int, currency string)
}

var _ attributes = service.Item{}

// key is a primary key.
type key struct{ pk, sk string }

func keyOf(a attributes) key { return key{a.Text("PK"), a.Text("SK")} }

func userKey(id string) key { return key{"USER#" + id, "USER#" + id} }

// query is one request for items of a partition.
type query struct {
	index      string // "" for the table
	pk, sk     string // the whole partition if sk is ""
	from       bool   // sort keys from sk on, instead of those that begin with it
	descending bool
	limit      int
}

// condition returns the key condition.
func (q query) condition() string {
	condition := q.index + "PK = :pk"
	switch {
	case q.sk == "":
		return condition
	case q.from:
		return condition + " AND " + q.index + "SK >= :sk"
	default:
		return condition + " AND begins_with(" + q.index + "SK, :sk)"
	}
}

// maxKeys is how many keys a BatchGetItem may have.
const maxKeys = 100

var errTooManyKeys = errors.New("at most 100 objects can be requested at once")

// getAll returns the items of the keys that exist. The keys are different from each other.
func getAll(ctx context.Context, t table, keys []key) (map[key]attributes, error) {
	found := make(map[key]attributes, len(keys))
	if len(keys) > maxKeys {
		return nil, errTooManyKeys
	}
	for len(keys) > 0 {
		items, unprocessed, err := t.batchGetItem(ctx, keys)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			found[keyOf(it)] = it
		}
		keys = unprocessed
	}
	return found, nil
}

// distinct returns the keys without repetitions.
func distinct(keys []key) []key {
	seen := make(map[key]bool, len(keys))
	all := make([]key, 0, len(keys))
	for _, k := range keys {
		if !seen[k] {
			seen[k] = true
			all = append(all, k)
		}
	}
	return all
}
