package resolvers

import (
	"context"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/write"
)

func (r *Resolver) createUser(ctx context.Context, input model.CreateUserInput) (*model.CreateUserPayload, error) {
	var p problems
	name, email := p.text("name", input.Name, personName), p.email("email", input.Email)
	if p.found() {
		return &model.CreateUserPayload{UserErrors: p.userErrors()}, nil
	}
	user := &model.User{ID: newID("User"), Name: name, Email: &email, CreatedAt: r.now(), Version: 1}
	forms, err := typed.StoredUser(user)
	if err != nil {
		return nil, err
	}
	actions := write.Create(forms)
	claimed, err := claim.Email(email, user.ID)
	if err != nil {
		return nil, err
	}
	place := len(actions)
	failed, err := commit(ctx, append(actions, write.PutItem(claimed, write.IfMissing())), "")
	switch {
	case err != nil:
		return nil, err
	case failed == nil:
		return &model.CreateUserPayload{User: user, UserErrors: p.userErrors()}, nil
	case failed.Find(place) == nil:
		return nil, failed
	}
	p.taken()
	return &model.CreateUserPayload{UserErrors: p.userErrors()}, nil
}

func (p *problems) taken() {
	p.add(model.UserErrorCodeTaken, "email", "another user has this e-mail address already")
}

// updateUser leaves it to the payload's resolver to read the user.
func (r *Resolver) updateUser(ctx context.Context, input model.UpdateUserInput) (*model.UpdateUserPayload, error) {
	var p problems
	_, key := p.viewer(ctx)
	change := func(*model.User) {}
	if input.Name == nil && input.Email == nil {
		p.add(model.UserErrorCodeInvalid, "", "give a new name, a new email or both")
	}
	if input.Name != nil {
		name := p.text("name", *input.Name, personName)
		change = func(u *model.User) { u.Name = name }
	}
	if input.Email != nil {
		email, first := p.email("email", *input.Email), change
		change = func(u *model.User) {
			first(u)
			u.Email = &email
		}
	}
	payload := &model.UpdateUserPayload{}
	if !p.found() {
		user, err := read(ctx, key, model.NewUser)
		switch {
		case err != nil:
			return nil, err
		case user == nil:
			p.noViewer()
		default:
			payload.UserID = &user.ID
			if err := p.changeUser(ctx, user, input.Version, change); err != nil {
				return nil, err
			}
		}
	}
	payload.UserErrors = p.userErrors()
	return payload, nil
}

// changeUser writes a change of a user who has just been read.
func (p *problems) changeUser(ctx context.Context, user *model.User, version int, change func(*model.User)) error {
	if user.Version != version {
		p.stale(version, user.Version)
		return nil
	}
	changed := *user
	change(&changed)
	changed.Version++
	actions, err := updateOf(user, &changed, typed.StoredUser)
	if err != nil {
		return err
	}
	actions[0].If = append(actions[0].If, write.IfEquals("version", item.NumberValue(version)))
	claims, err := moveEmail(user, &changed)
	if err != nil {
		return err
	}
	place := len(actions)
	failed, err := commit(ctx, append(actions, claims...), "")
	switch {
	case err != nil || failed == nil:
		return err
	case failed.Find(0) != nil:
		_, err := p.changedMeanwhile(failed.Find(0).Item, version)
		return err
	case failed.Find(place) != nil:
		p.taken()
		return nil
	default:
		return failed
	}
}

// changedMeanwhile notes that a user is not as it was read, and gives the user as
// stored now: nil when there is none any more.
func (p *problems) changedMeanwhile(now item.Item, version int) (*model.User, error) {
	if now == nil {
		p.noViewer()
		return nil, nil
	}
	user, err := model.NewUser(now)
	if err == nil {
		p.stale(version, user.Version)
	}
	return user, err
}

// deleteUser marks the user, and tells of it: a deletion.Sweeper removes the rest.
func (r *Resolver) deleteUser(ctx context.Context, input model.DeleteUserInput) (*model.DeleteUserPayload, error) {
	var p problems
	payload := &model.DeleteUserPayload{}
	id, key := p.viewer(ctx)
	if !p.found() {
		user, err := read(ctx, key, model.NewUser)
		switch {
		case err != nil:
			return nil, err
		case user == nil:
			p.noViewer()
		case user.Version != input.Version:
			p.stale(input.Version, user.Version)
			payload.User = user
		default:
			if payload.User, err = r.markUser(ctx, &p, user); err != nil {
				return nil, err
			}
		}
	}
	if !p.found() {
		payload.DeletedUserID = &id
	}
	payload.UserErrors = p.userErrors()
	return payload, nil
}

// markUser deletes a user who has just been read. It gives the user as stored when
// another change came first.
func (r *Resolver) markUser(ctx context.Context, p *problems, user *model.User) (*model.User, error) {
	actions, err := deletion.Mark(user, r.now())
	if err != nil {
		return nil, err
	}
	failed, err := commit(ctx, actions, "")
	switch {
	case err != nil:
		return nil, err
	case failed == nil:
		if r.Deleted != nil {
			r.Deleted(user.ID)
		}
		return nil, nil
	case failed.Find(0) == nil:
		return nil, failed
	}
	return p.changedMeanwhile(failed.Find(0).Item, user.Version)
}

// moveEmail claims a new e-mail address and then gives up the old one. Between
// two that differ in case only, the claim stays.
func moveEmail(before, after *model.User) ([]write.Action, error) {
	if after.Email == nil || before.Email != nil && *before.Email == *after.Email {
		return nil, nil
	}
	claimed, err := claim.Email(*after.Email, after.ID)
	if err != nil {
		return nil, err
	}
	actions := []write.Action{write.PutItem(claimed, write.IfMissing())}
	if before.Email != nil {
		old, err := claim.EmailKey(*before.Email)
		if err != nil {
			return nil, err
		}
		if old == actions[0].Key {
			return nil, nil
		}
		actions = append(actions, write.Action{Kind: write.ActionDelete, Key: old})
	}
	return actions, nil
}

// updateOf are the actions that turn an object's stored forms into those after a
// change, the base item's first.
func updateOf[T any](before, after T, forms func(T) ([]item.Item, error)) ([]write.Action, error) {
	from, err := forms(before)
	if err != nil {
		return nil, err
	}
	to, err := forms(after)
	if err != nil {
		return nil, err
	}
	return write.Update(from, to)
}

// userAfter is the user of a payload as stored after the write; nil for none.
func userAfter(ctx context.Context, id *keys.ID) (*model.User, error) {
	if id == nil {
		return nil, nil
	}
	return loaders.Object(ctx, typed.QueryUser(*id), model.NewUser)
}
