package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// unclaimed is what a base item lacks of the claims of the other design.
type unclaimed struct {
	// isMissing is set if nobody has one of them, which is then written by the next pass.
	isMissing bool
	// holder is another object that has one, and attribute whose value that is.
	holder, attribute string
}

// duplicate reports whether another object has a unique value of this one, which is of a side, and why. Gateways leave
// such a value with its first holder, and fail no write. isMissing is set if a claim is to be written.
func (m *Migrator) duplicate(
	ctx context.Context, t *table.Table, s side, typ *design.Type, it item.Item,
) (b Blocked, is, isMissing bool, err error) {
	for {
		found, err := m.unclaimed(ctx, s, typ, it)
		if err != nil || found.attribute == "" && !found.isMissing {
			return b, false, false, err
		}
		key := keys.KeyOf(it)
		now, err := m.get(ctx, t, key)
		switch {
		case err != nil || now == nil:
			return b, false, false, err
		case !item.FieldsValue(now).Equal(item.FieldsValue(it)):
			it = now // Its former value may be nobody's by now, or another one's.
			continue
		case found.attribute == "":
			return b, false, true, nil
		}
		return Blocked{Code: Duplicate, Type: typ.Name, PK: key.PK, SK: key.SK,
			Problem: fmt.Sprintf("%s must be unique, and %s has the same", found.attribute, found.holder)}, true, false, nil
	}
}

func (m *Migrator) unclaimed(ctx context.Context, s side, typ *design.Type, it item.Item) (unclaimed, error) {
	var found unclaimed
	object, is := s.forward.Object(it)
	if !is || keys.IsDeleted(it) {
		return found, nil
	}
	ot, t := s.other.Type(object.Type()), m.by(s.other)
	for _, u := range ot.Uniques {
		claim, err := write.UniqueClaim(ot, u, object)
		if err != nil || claim == nil || hasClaim(typ, it, claim) {
			continue
		}
		stored, err := m.get(ctx, t, keys.KeyOf(claim))
		switch {
		case err != nil:
			return found, err
		case stored == nil || s.other.ExpiryAt(t.Now()).IsExpired(stored):
			found.isMissing = true
		case stored.Text(u.Holder) != claim.Text(u.Holder):
			return unclaimed{holder: typ.Name + " " + stored.Text(u.Holder), attribute: u.Attribute}, nil
		}
	}
	return found, nil
}

// hasClaim reports whether an object has a claim by its own design: it is then unique already.
func hasClaim(t *design.Type, it, claim item.Item) bool {
	for _, u := range t.Uniques {
		own, err := write.UniqueClaim(t, u, it)
		if err == nil && own != nil && keys.KeyOf(own) == keys.KeyOf(claim) {
			return true
		}
	}
	return false
}

// makesUnique reports whether one of two versions wants values to be unique that are not so in the other one: those of
// a claim, or of an identity that has fewer of them.
func makesUnique(from, to migrate.Version) bool {
	names := migrate.NewNames(from, to)
	return slices.ContainsFunc(migrate.Compare(from, to).Parts, func(p migrate.Part) bool {
		was, is := from.Type(names.Back().TypeOf(p.Type)), to.Type(p.Type)
		return p.Kind == migrate.Claim ||
			p.Kind == migrate.ItemKey && was != nil && is != nil && len(was.Identity) != len(is.Identity)
	})
}
