package write

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// ErrNotMember is the error of a mutation that only members may call, and the viewer is none.
var ErrNotMember = errors.New("write: the viewer is no member")

// admit adds the condition that the viewer is a member of an object with these attributes, unless the viewer is its
// owner. The error is ErrNotMember, or that of the Store.
func (x *mutation) admit(ctx context.Context, it item.Item) error { return x.admitBy(ctx, it, nil) }

// admitBy is admit with an item that has been read, or nil.
func (x *mutation) admitBy(ctx context.Context, it, read item.Item) error {
	if len(x.in.Members) == 0 || x.in.Owner != "" && it.Text(x.m.Owner) == x.in.Owner {
		return nil
	}
	for _, m := range x.in.Members {
		c, isKnown := x.d.MemberOf(m, x.in.Caller, it)
		switch {
		case !isKnown:
			continue
		case slices.ContainsFunc(x.members, func(a membership) bool { return a.check.Key == c.Key && a.Member == m }):
			return nil
		}
		conditions := []Precondition{IfExists()}
		if readsMember(x.d, x.m, m) {
			stored := read
			if read == nil || keys.KeyOf(read) != c.Key {
				var err error
				if stored, err = ReadItem(ctx, c.Key); err != nil {
					return err
				}
			}
			if stored == nil || !x.d.AllowsMember(m, c, stored, x.in.Caller, x.now) {
				continue
			}
			conditions = append(conditions, ifMember(x.d, m, stored)...)
		}
		check := CheckItem(c.Key, conditions...)
		check.Type = m.Type
		x.members = append(x.members, membership{m, c, check, fmt.Sprintf("member %d", len(x.members)+1)})
		return nil
	}
	return ErrNotMember
}

// admitTo is admit for an object that has been read: it, or one that does not exist, of which only the identity is
// known. To those who are no members both are the same.
func (x *mutation) admitTo(ctx context.Context, it, identity item.Item) error {
	if it == nil || it.Type() != x.t.Name || idOf(x.t, it) != x.out.ID {
		return x.admit(ctx, identity)
	}
	return x.admitBy(ctx, it, it)
}

// ifMember returns the conditions that the item of a member is as what a rule demands of it has been decided by.
func ifMember(d *design.Design, m *design.Member, stored item.Item) []Precondition {
	t := d.Type(m.Type)
	var conditions []Precondition
	for _, name := range d.MemberFields(m) {
		if a := t.Attribute(name); a == nil || a.InKeys || slices.Contains(t.Identity, name) {
			continue
		}
		if v, ok := stored.Get(name); ok {
			conditions = append(conditions, ifRead(t, name, v))
		} else {
			conditions = append(conditions, IfUnset(name))
		}
	}
	return conditions
}

// readsMember reports whether the item of a member is read before the write: what the rule demands of it, or which of
// several types it is of, follows from no condition on its key. Where the object is read first, so is the member: who
// is none sends no transaction.
func readsMember(d *design.Design, of *design.Mutation, m *design.Member) bool {
	t := d.Type(m.Type)
	readsObject := of.Kind == design.UpdateMutation || of.Kind == design.DeleteMutation && readsBeforeDelete(d, of)
	isUnclear := len(of.Members) > 1 || t.IsMixed() || len(t.Constants) > 0 || d.MemberGet(m).IsVerified()
	return readsObject || isUnclear || m.Where != ""
}

// addMembers adds the conditions to a change.
func (x *mutation) addMembers(c *change) {
	for _, m := range x.members {
		c.add(m.part, m.check)
		c.members = append(c.members, m.part)
	}
}

// expelled returns ErrNotMember if a transaction has failed because the viewer is a member no more. isChanged is set if
// the item of one has changed in another way.
func (x *mutation) expelled(c *change, failed *Failure) (isChanged bool, err error) {
	expiry := x.d.ExpiryAt(x.now)
	for _, m := range x.members {
		if !slices.Contains(c.members, m.part) || !failed.Part(m.part) {
			continue
		}
		stored := failed.Item(m.part)
		if stored == nil || expiry.IsMissing(stored) ||
			!x.d.AllowsMember(m.Member, m.condition, stored, x.in.Caller, x.now) {
			return false, ErrNotMember
		}
		isChanged = isChanged || !failed.Part(objectPart)
	}
	return isChanged, nil
}

// memberKeys returns the variables of the keys of the members who may call a mutation.
func memberKeys(m *design.Mutation) []string {
	var names []string
	for _, of := range m.Members {
		names = append(append(names, of.PK.Variables()...), of.SK.Variables()...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == keys.ViewerVariable })
}

// member adds what a mutation reads and writes for a member: the item of one of them.
func (x *planner) member() {
	if len(x.m.Members) == 0 {
		return
	}
	reads, w := 0, ItemWrite{}
	for _, m := range x.m.Members {
		t := x.d.Type(m.Type)
		if readsMember(x.d, x.m, m) {
			x.read(t.MaxBytes)
			reads++
		}
		if bytes := max(w.bytes, t.MaxBytes); w.Type == "" || bytes > w.bytes {
			w = ItemWrite{Part: MemberPart, Kind: ActionCheck, Type: t.Name, Shape: keys.Shape{PK: m.PK, SK: m.SK}, bytes: bytes}
			x.require(&w, func() []Precondition { return x.ifMember(m) })
		}
	}
	if len(x.work.Writes) == 0 { // an update that changes nothing
		return
	}
	x.add(w, w.bytes, 0)
	if x.m.Kind == design.UpdateMutation && x.sets(memberKeys(x.m)...) { // also a member where the object moves to
		for range reads {
			x.read(w.bytes)
		}
		x.add(w, w.bytes, 0)
	}
}
