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

// The index partition of all marked users, oldest deletion first. It is small:
// who has been swept leaves it.
const (
	pendingIndex         = "GSI1"
	pendingPK    keys.PK = "DELETED"
)

var pending = keys.Shape{
	PK: keys.MustTemplate(string(pendingPK)),
	SK: keys.MustTemplate("{deletedAt}#USER#{id}"),
}

// kept is all that a marked user's item still has of the user.
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

// Mark are the actions that delete a user who was just read: the item is marked,
// under the condition that the user exists and is still at that version, which is
// the first action's, and the e-mail address is free again.
func Mark(user *model.User, at time.Time) ([]write.Action, error) {
	forms, err := typed.StoredUser(user)
	if err != nil {
		return nil, err
	}
	marked, err := markOf(forms[0], at, user.Version+1)
	if err != nil {
		return nil, err
	}
	actions, err := write.Update(forms[:1], []item.Item{marked})
	if err != nil {
		return nil, err
	}
	actions[0].If = append(actions[0].If, write.IfEquals("version", item.NumberValue(user.Version)))
	for _, form := range forms[1:] {
		actions = append(actions, write.Action{Kind: write.ActionDelete, Key: keys.KeyOf(form)})
	}
	if user.Email == nil {
		return actions, nil
	}
	claimed, err := claim.EmailKey(*user.Email)
	return append(actions, write.Action{Kind: write.ActionDelete, Key: claimed}), err
}

// markOf is what is left of a user's item.
func markOf(user item.Item, at time.Time, version int) (item.Item, error) {
	entry, err := pending.Key(keys.Values{
		{Name: "deletedAt", Value: keys.TimeValue(at)},
		{Name: "id", Value: keys.AttributeValue(user, "id")},
	}.Get)
	if err != nil {
		return nil, err
	}
	mark := slices.DeleteFunc(slices.Clone(user), func(a item.Attribute) bool { return !slices.Contains(kept, a.Name) })
	return append(mark,
		item.Attribute{Name: keys.IndexPK(pendingIndex), Value: item.TextValue(entry.PK)},
		item.Attribute{Name: keys.IndexSK(pendingIndex), Value: item.TextValue(entry.SK)},
		item.Attribute{Name: "version", Value: item.NumberValue(version)},
		item.Attribute{Name: keys.AttributeDeletedAt, Value: item.TimeValue(at)},
	), nil
}

// Whole is what a marked user's item should be: without anything else of the
// user, and where the sweep finds it. It fails for one without a time or a
// version.
func Whole(marked item.Item) (item.Item, error) {
	deleted, ok := marked.Get(keys.AttributeDeletedAt)
	if !ok {
		return nil, errors.New("deletion: bug: the item is not marked")
	}
	at, err := item.AsTime(deleted)
	if err != nil {
		return nil, err
	}
	version, _ := marked.Get("version")
	n, err := item.AsInt(version)
	if err != nil {
		return nil, err
	}
	return markOf(marked, at, n)
}
