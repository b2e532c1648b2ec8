package follow

import (
	"context"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// session is one call of Follow.
type session struct {
	*Follower
	table.Following
	// read and other are the views of the designs.
	read, other table.View
	places      map[keys.Key]*place
	// order are the places in the order of their first use.
	order []*place
	// owned are the attributes that the design that is read governs, by the stored keys of its items.
	owned map[keys.Key]names
	// taken is why nothing can be written; nil if it can.
	taken *write.TakenError
	// changed are the actions of the caller without what they must not write, and hidden what that is.
	changed []write.Action
	hidden  [][]string
}

// at returns the place of a stored key.
func (s *session) at(key keys.Key) *place {
	if p := s.places[key]; p != nil {
		return p
	}
	isIt := func(a write.Action) bool { return a.Key == key }
	p := &place{key: key, action: slices.IndexFunc(s.changed, isIt), own: s.owned[key]}
	s.places[key], s.order = p, append(s.order, p)
	return p
}

// isBase reports whether a stored key can be that of a base item.
func (s *session) isBase(stored keys.Key) bool {
	key := s.read.KeyOf(stored)
	for _, t := range s.Read.Types {
		if s.follows(t) && t.IsBase(key) {
			return true
		}
	}
	return false
}

// load reads the places that have not been read.
func (s *session) load(ctx context.Context) error {
	var missing []keys.Key
	for _, p := range s.order {
		if !p.isRead {
			missing = append(missing, p.key)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	found, err := s.Items(ctx, missing)
	if err != nil {
		return err
	}
	for _, key := range missing {
		p := s.places[key]
		p.image, p.isRead = found[key], true
		if d := s.derivation; d != nil && d.Gone != nil && p.action >= 0 && p.image == nil {
			p.image, p.isGone = s.raw(d.Gone), true
		}
		if p.action >= 0 {
			p.after, p.add = s.Own.Apply(s.changed[p.action], p.image)
		} else {
			p.after = p.image
		}
	}
	return nil
}

// result returns the transaction.
func (s *session) result() ([]table.Followed, error) {
	if s.taken != nil {
		return nil, s.taken
	}
	out, of := make([]table.Followed, len(s.changed)), make([]*place, len(s.changed))
	for i, a := range s.changed {
		out[i] = table.Followed{Action: a, Hidden: s.hidden[i]}
	}
	for _, p := range s.order {
		if !p.isTouched {
			continue
		}
		raw, writes := p.raw()
		switch {
		case p.action >= 0:
			out[p.action].Raw, out[p.action].After, of[p.action] = &raw, p.final(), p
		case writes || len(raw.If) > 0:
			out, of = append(out, table.Followed{Raw: &raw}), append(of, p)
		}
	}
	if len(out) > write.MaxActions {
		return nil, fmt.Errorf("%w: %d while both designs of the table are written", write.ErrTooManyActions, len(out))
	}
	times := 2
	if own := (write.Transaction{Actions: s.Actions}); len(out) == 1 && own.IsSingle() {
		times = 1
	}
	for i, p := range of {
		if p != nil {
			out[i].Units, out[i].Bytes = p.units(out[i].Raw.Kind, times, s.Read, s.Other), p.final().Size()-p.image.Size()
		}
	}
	return s.fenced(out), nil
}

// missing returns an item as it is read: nil for one that has expired.
func (s *session) missing(d *design.Design, it item.Item) item.Item {
	if it != nil && d.ExpiryAt(s.Now).IsExpired(it) {
		return nil
	}
	return it
}

// raw returns an item in the names of the table as it is stored, with the tenant.
func (s *session) raw(it item.Item) item.Item {
	return s.Own.Of(&design.Design{Layout: s.Read.Layout}).ToStored(it)
}

// fenced returns a transaction with the fence, if it deletes a companion.
func (s *session) fenced(followed []table.Followed) []table.Followed {
	d := s.derivation
	if d == nil || d.Fence == nil || !slices.ContainsFunc(followed, func(f table.Followed) bool {
		return f.Raw != nil && f.Raw.Kind != write.ActionCheck
	}) {
		return followed
	}
	return append(followed, table.Followed{Raw: d.Fence, Units: 2})
}
