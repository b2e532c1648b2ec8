package deletion

import (
	"errors"
	"slices"
	"time"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/write"
)

// The index partition of all tombstones, oldest deletion first. It is small: a user
// who has been swept leaves it.
const (
	pendingIndex         = "GSI1"
	pendingPK    keys.PK = "DELETED"
)

var pending = keys.Shape{
	PK: keys.MustTemplate(string(pendingPK)),
	SK: keys.MustTemplate("{deletedAt}#USER#{id}"),
}

// kept are the attributes of the user that a tombstone keeps.
var kept = []string{
	keys.AttributePK, keys.AttributeSK, item.EntityType,
	"id", orderCount, followerCount, followingCount,
}

// The counters of a user.
const (
	orderCount     = "orderCount"
	followerCount  = "followerCount"
	followingCount = "followingCount"
)

// SoftDelete returns the actions that delete a user who was just read. The first one
// turns the item into a tombstone, under the condition that the user exists and still
// has that version. The others make the e-mail address free again.
func SoftDelete(user *model.User, at time.Time) ([]write.Action, error) {
	items, err := typed.StoredUser(user)
	if err != nil {
		return nil, err
	}
	tombstone, err := tombstoneOf(items[0], at, user.Version+1)
	if err != nil {
		return nil, err
	}
	actions, err := write.Update(typed.Design, items[:1], []item.Item{tombstone}, write.IfVersion(user.Version))
	if err != nil {
		return nil, err
	}
	for _, it := range items[1:] {
		actions = append(actions, write.DeleteItem(keys.KeyOf(it)))
	}
	if user.Email == nil {
		return actions, nil
	}
	claimed, err := claim.EmailKey(*user.Email)
	return append(actions, write.DeleteItem(claimed)), err
}

// tombstoneOf returns what is left of a user's item.
func tombstoneOf(user item.Item, at time.Time, version int) (item.Item, error) {
	entry, err := pending.Key(keys.Values{
		{Name: "deletedAt", Value: keys.TimeValue(at)},
		{Name: "id", Value: keys.AttributeValue(user, "id")},
	}.Get)
	if err != nil {
		return nil, err
	}
	left := slices.DeleteFunc(slices.Clone(user), func(a item.Attribute) bool { return !slices.Contains(kept, a.Name) })
	return append(left,
		item.Attribute{Name: keys.IndexPK(pendingIndex), Value: item.TextValue(entry.PK)},
		item.Attribute{Name: keys.IndexSK(pendingIndex), Value: item.TextValue(entry.SK)},
		item.Attribute{Name: write.AttributeVersion, Value: item.NumberValue(version)},
		item.Attribute{Name: keys.AttributeDeletedAt, Value: item.TimeValue(at)},
	), nil
}

// Whole returns what a user's tombstone should be: without anything else of the user,
// and where the sweep finds it. A tombstone without a time or a version is an error.
func Whole(tombstone item.Item) (item.Item, error) {
	deleted, ok := tombstone.Get(keys.AttributeDeletedAt)
	if !ok {
		return nil, errors.New("deletion: bug: the item is no tombstone")
	}
	at, err := item.AsTime(deleted)
	if err != nil {
		return nil, err
	}
	version, _ := tombstone.Get(write.AttributeVersion)
	n, err := item.AsInt(version)
	if err != nil {
		return nil, err
	}
	return tombstoneOf(tombstone, at, n)
}
