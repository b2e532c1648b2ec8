package resolvers

import (
	"context"
	"errors"
	"fmt"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// problems are what a person can correct in an input. Its methods check a value
// by a rule and note what is wrong under the name of the field.
type problems struct{ list []*model.UserError }

// found reports whether there are any.
func (p *problems) found() bool { return len(p.list) > 0 }

// userErrors is never nil, as the schema asks.
func (p *problems) userErrors() []*model.UserError {
	if p.list == nil {
		return []*model.UserError{}
	}
	return p.list
}

// add notes a problem. The field "" is none in particular.
func (p *problems) add(code model.UserErrorCode, field, format string, args ...any) {
	e := &model.UserError{Code: code, Message: fmt.Sprintf(format, args...)}
	if field != "" {
		e.Field = &field
	}
	p.list = append(p.list, e)
}

// addInput notes an error of the keys, such as an item that is too large, and
// reports whether it is one.
func (p *problems) addInput(field string, err error) bool {
	input, is := errors.AsType[*keys.InputError](err)
	if is {
		p.add(model.UserErrorCodeInvalid, field, "%s", input.Message)
	}
	return is
}

// id checks that an ID names an object of a type, and gives its key.
func (p *problems) id(field string, id keys.ID, typ string, key func(keys.ID) (keys.Key, error)) keys.Key {
	k, err := key(id)
	if err != nil || id.Type() != typ {
		p.add(model.UserErrorCodeInvalid, field, "%s must be an id of type %s, exactly as a response gave it", field, typ)
	}
	return k
}

// viewer is the user who acts, and the user's key.
func (p *problems) viewer(ctx context.Context) (keys.ID, keys.Key) {
	id := keys.NewID("User", viewer.FromContext(ctx).ID)
	key, err := typed.UserKey(id)
	if err != nil {
		p.noViewer()
	}
	return id, key
}

// noViewer notes that the user who acts does not exist.
func (p *problems) noViewer() {
	p.add(model.UserErrorCodeNotFound, "", "there is no User with the id that you are signed in with")
}

// missing notes that an id names no object.
func (p *problems) missing(field, typ string) {
	p.add(model.UserErrorCodeNotFound, field, "there is no %s with this id", typ)
}

// stale notes that an object is at another version than the one given.
func (p *problems) stale(given, now int) {
	p.add(model.UserErrorCodeConflict, "version", "this was changed meanwhile: version %d was given, %d is stored now; look at it and try again", given, now)
}
