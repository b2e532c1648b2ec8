package resolvers

import (
	"context"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/write"
)

// userChange checks the new values of an input and returns the function that makes
// the change.
func (p *problems) userChange(input model.UpdateUserInput) func(*model.User) {
	var name, email string
	if input.Name == nil && input.Email == nil {
		p.Add(write.CodeInvalid, "", "give a new name, a new email or both")
	}
	if input.Name != nil {
		name = p.text("name", *input.Name, personName)
	}
	if input.Email != nil {
		email = p.email("email", *input.Email)
	}
	return func(u *model.User) {
		if input.Name != nil {
			u.Name = name
		}
		if input.Email != nil {
			u.Email = &email
		}
	}
}

func (p *problems) taken() {
	p.Add(write.CodeTaken, "email", "another user has this e-mail address already")
}

// writeUser writes a change of a user who has just been read.
func (r *Resolver) writeUser(ctx context.Context, p *problems, user *model.User, change func(*model.User)) error {
	changed := *user
	change(&changed)
	changed.Version++
	actions, err := write.UpdateOf(typed.Design, user, &changed, typed.StoredUser, write.IfVersion(user.Version))
	if err != nil {
		return err
	}
	claims, err := moveEmail(user, &changed)
	if err != nil {
		return err
	}
	var tx write.Transaction
	tx.Add("user", actions...)
	tx.Add("email", claims...)
	failed, err := tx.Commit(ctx, "user", "email")
	switch {
	case err != nil:
		return err
	case failed.Part("user"):
		_, err = p.userChanged(failed, user.Version)
		return err
	case failed.Part("email"):
		p.taken()
	}
	return nil
}

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

// moveEmail claims a new e-mail address and releases the old one. If they differ in case only, the claim is kept.
func moveEmail(before, after *model.User) ([]write.Action, error) {
	if after.Email == nil || before.Email != nil && *before.Email == *after.Email {
		return nil, nil
	}
	claimed, err := claim.Email(*after.Email, after.ID)
	if err != nil {
		return nil, err
	}
	var old keys.Key
	if before.Email != nil {
		if old, err = claim.EmailKey(*before.Email); err != nil {
			return nil, err
		}
	}
	return write.MoveClaim(old, claimed), nil
}

// userAfter returns the user of a payload as stored after the write; nil for none.
func userAfter(ctx context.Context, id *keys.ID) (*model.User, error) {
	if id == nil {
		return nil, nil
	}
	return loaders.Object(ctx, typed.QueryUser(*id), model.NewUser)
}
