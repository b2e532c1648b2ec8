package resolvers

import (
	"context"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/write"
)

// userChanged adds the error for a user who was changed after the read, and returns the user as stored now: nil if
// there is none any more.
func (p *problems) userChanged(failed *write.Failure, version int) (*model.User, error) {
	now, err := write.Outdated(&p.UserErrors, failed, "user", version, model.NewUser)
	if now == nil && err == nil {
		p.noViewer()
	}
	return now, err
}

// softDelete deletes a user who has just been read, and reports it to Deleted. It
// returns the user as stored now if another change came first.
func (r *Resolver) softDelete(ctx context.Context, p *problems, user *model.User) (*model.User, error) {
	actions, err := deletion.SoftDelete(user, r.now())
	if err != nil {
		return nil, err
	}
	var tx write.Transaction
	tx.Add("user", actions...)
	failed, err := tx.Commit(ctx, "user")
	switch {
	case err != nil:
		return nil, err
	case failed.Part("user"):
		return p.userChanged(failed, user.Version)
	}
	if r.Deleted != nil {
		r.Deleted(user.ID)
	}
	return nil, nil
}
