package deletion

import (
	"context"
	"errors"
	"slices"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// maxEdges is the number of edges that a step removes. Each is two items and a counter at its other end, and all of
// them change the counter of the user.
const maxEdges = (write.MaxActions - 1) / 3

// maxLines is more lines than an order has.
const maxLines = write.MaxActions

func (r *run) removeFollowing(ctx context.Context, u *swept) (bool, error) {
	return r.removeEdges(ctx, u, typed.UserFollowing(u.id))
}

func (r *run) removeFollowers(ctx context.Context, u *swept) (bool, error) {
	return r.removeEdges(ctx, u, typed.UserFollowers(u.id))
}

// removeEdges removes the first edges of a collection, both items of each, and
// subtracts them from the counters at both ends.
func (r *run) removeEdges(ctx context.Context, u *swept, collection design.BoundField) (bool, error) {
	edges, err := r.first(ctx, collection, maxEdges)
	if err != nil || len(edges) == 0 {
		return false, err
	}
	actions, err := deletes(edges, model.NewFollow, typed.StoredFollow)
	if err != nil {
		return false, u.damage("%v", err)
	}
	for _, it := range edges {
		follower, followerErr := typed.UserKey(keys.NewID("User", it.Text("followerId")))
		followee, followeeErr := typed.UserKey(keys.NewID("User", it.Text("followeeId")))
		if err := errors.Join(followerErr, followeeErr); err != nil {
			return false, u.damage("%v", err)
		}
		actions = u.countDown(actions, follower, followingCount)
		actions = u.countDown(actions, followee, followerCount)
	}
	done, err := r.carryOut(ctx, u, actions)
	if done {
		r.totals.Edges += len(edges)
	}
	return true, err
}

// removeOrder removes the user's oldest order, with its copy and all of its lines.
// Whether its status changes meanwhile does not matter: the keys stay.
func (r *run) removeOrder(ctx context.Context, u *swept) (bool, error) {
	orders, err := r.first(ctx, typed.UserOrders(u.id, nil), 1)
	if err != nil || len(orders) == 0 {
		return false, err
	}
	actions, err := deletes(orders, model.NewOrder, typed.StoredOrder)
	if err != nil {
		return false, u.damage("%v", err)
	}
	lines, err := r.first(ctx, typed.OrderItems(keys.NewID("Order", orders[0].Text("id"))), maxLines)
	if err != nil {
		return false, err
	}
	lineActions, err := deletes(lines, model.NewItem, typed.StoredItem)
	if err != nil {
		return false, u.damage("%v", err)
	}
	done, err := r.carryOut(ctx, u, u.countDown(append(actions, lineActions...), u.key, orderCount))
	if done {
		r.totals.Orders++
	}
	return true, err
}

// deletes returns the actions that delete all items of objects, each object under the
// condition that it exists.
func deletes[T any](
	items []item.Item, fill func(item.Item) (*T, error), stored func(*T) ([]item.Item, error),
) ([]write.Action, error) {
	var actions []write.Action
	for _, it := range items {
		object, err := fill(it)
		if err != nil {
			return nil, err
		}
		all, err := stored(object)
		if err != nil {
			return nil, err
		}
		actions = append(actions, write.Delete(typed.Design, all)...)
	}
	return actions, nil
}

// countDown subtracts one from a counter of a user. A transaction has at most one
// action on an item, so that all changes of one user are added up in one action.
//
// The user at the other end of an edge may be a tombstone, too, but is stored: a
// tombstone is removed when its counters are 0.
func (u *swept) countDown(actions []write.Action, key keys.Key, counter string) []write.Action {
	i := slices.IndexFunc(actions, func(a write.Action) bool { return a.Key == key })
	if i < 0 {
		a := write.Action{Kind: write.ActionUpdate, Key: key, If: []write.Precondition{write.IfStored()}}
		if key == u.key {
			a.If = []write.Precondition{u.ifSame()}
		}
		i, actions = len(actions), append(actions, a)
	}
	a := &actions[i]
	n := slices.IndexFunc(a.Add, func(add write.Increment) bool { return add.Name == counter })
	if n < 0 {
		n, a.Add = len(a.Add), append(a.Add, write.Increment{Name: counter})
	}
	a.Add[n].By--
	return actions
}
