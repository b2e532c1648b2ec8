package resolvers

import (
	"context"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// ends has the users of a follow, and their keys.
type ends struct {
	follower, followee keys.ID
	from, to           keys.Key
}

// ends checks both ends of a follow by the viewer.
func (p *problems) ends(ctx context.Context, followee keys.ID) ends {
	e := ends{followee: followee}
	e.follower, e.from = p.viewer(ctx)
	e.to = p.Key("followeeId", followee, "User", typed.UserKey)
	if !p.Any() && e.from == e.to {
		p.Add(write.CodeInvalid, "followeeId", "followeeId must be another user: nobody follows themselves")
	}
	return e
}

func (e ends) edge() *model.Follow {
	id := keys.NewID("Follow", e.follower.Value(), e.followee.Value())
	return &model.Follow{ID: id, FollowerID: e.follower, FolloweeID: e.followee}
}

// count begins a transaction that changes the counters at both ends.
func (e ends) count(by int) write.Transaction {
	var tx write.Transaction
	tx.Add("follower", write.Count(e.from, "followingCount", by))
	tx.Add("followee", write.Count(e.to, "followerCount", by))
	return tx
}

// missingEnds adds an error for each end of a follow that does not exist, and reports whether there is one.
func (p *problems) missingEnds(failed *write.Failure) bool {
	if failed.Part("follower") {
		p.noViewer()
	}
	if failed.Part("followee") {
		p.Missing("followeeId", "User")
	}
	return failed.Part("follower") || failed.Part("followee")
}
