package resolvers

import (
	"context"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

func (r *Resolver) followUser(ctx context.Context, input model.FollowUserInput) (*model.FollowUserPayload, error) {
	var p problems
	follower, key := p.viewer(ctx)
	actions := p.followers(key, input.FolloweeID, 1)
	if p.found() {
		return &model.FollowUserPayload{UserErrors: p.userErrors()}, nil
	}
	follow := newFollow(follower, input.FolloweeID)
	follow.FollowedAt = r.now()
	forms, err := typed.StoredFollow(follow)
	if err != nil {
		return nil, err
	}
	edgeAt := len(actions)
	failed, err := commit(ctx, append(actions, write.Create(forms)...), "")
	switch {
	case err != nil:
		return nil, err
	case failed == nil:
		return &model.FollowUserPayload{Follow: follow, UserErrors: p.userErrors()}, nil
	case p.missingUsers(failed.Find(0) != nil, failed.Find(1) != nil):
		return &model.FollowUserPayload{UserErrors: p.userErrors()}, nil
	}
	edge := failed.Find(edgeAt)
	if edge == nil {
		return nil, failed
	}
	if follow, err = model.NewFollow(edge.Item); err != nil {
		return nil, err
	}
	p.add(model.UserErrorCodeAlready, "followeeId", "this user is followed already")
	return &model.FollowUserPayload{Follow: follow, UserErrors: p.userErrors()}, nil
}

func (r *Resolver) unfollowUser(ctx context.Context, input model.UnfollowUserInput) (*model.UnfollowUserPayload, error) {
	var p problems
	follower, key := p.viewer(ctx)
	counters := p.followers(key, input.FolloweeID, -1)
	if p.found() {
		return &model.UnfollowUserPayload{UserErrors: p.userErrors()}, nil
	}
	// Since when is in no key, so it need not be known.
	forms, err := typed.StoredFollow(newFollow(follower, input.FolloweeID))
	if err != nil {
		return nil, err
	}
	failed, err := commit(ctx, append(counters, write.Delete(forms)...), "")
	switch {
	case err != nil:
		return nil, err
	case failed == nil:
		return &model.UnfollowUserPayload{FollowerID: &follower, FolloweeID: &input.FolloweeID, UserErrors: p.userErrors()}, nil
	case p.missingUsers(failed.Find(0) != nil, failed.Find(1) != nil):
	case failed.Find(len(counters)) != nil:
		p.add(model.UserErrorCodeNotFound, "followeeId", "this user is not followed")
	default:
		return nil, failed
	}
	return &model.UnfollowUserPayload{UserErrors: p.userErrors()}, nil
}

func newFollow(follower, followee keys.ID) *model.Follow {
	return &model.Follow{
		ID:         keys.NewID("Follow", follower.Value(), followee.Value()),
		FollowerID: follower,
		FolloweeID: followee,
	}
}

// followers checks both ends of an edge and gives the changes of their counters:
// first of the one who follows.
func (p *problems) followers(from keys.Key, followee keys.ID, by int) []write.Action {
	to := p.id("followeeId", followee, "User", typed.UserKey)
	if !p.found() && from == to {
		p.add(model.UserErrorCodeInvalid, "followeeId", "followeeId must be another user: nobody follows themselves")
	}
	return []write.Action{count(from, "followingCount", by), count(to, "followerCount", by)}
}

// missingUsers notes which end of an edge does not exist, and reports whether
// one does not.
func (p *problems) missingUsers(follower, followee bool) bool {
	if follower {
		p.noViewer()
	}
	if followee {
		p.missing("followeeId", "User")
	}
	return follower || followee
}
