package loaders

import (
	"errors"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// The members of rules are read in the wave in which their keys are known, beside what they decide about. What is below
// that is read after them.

// checkedPage is a page whose items have been checked, and the damaged ones that it lacks.
type checkedPage struct {
	page    *Page
	damaged []item.Item
	read    int
}

// awaitMembers registers the Gets of members. The value waits for them.
func (r *run) awaitMembers(v *Value, members []keys.Key) {
	v.members = nil
	for _, key := range members {
		s := r.member(key, r.op.bound.ReadsState(v.Field))
		s.countAt(v.trace.MembersID())
		v.members = append(v.members, s)
	}
}

// member returns the state of the Get of a member, which it registers unless it is known.
func (r *run) member(key keys.Key, consistent bool) *state {
	s := r.get(key, false, consistent)
	if s.isMember = true; s.done {
		r.op.setMember(s)
	}
	return s
}

// membersOf waits for the members that decide about items. isReady is false while they are being read.
func (r *run) membersOf(v *Value, items []item.Item) (isReady bool, err error) {
	for {
		members := r.op.bound.AwaitedByItems(v.condition, items)
		if len(members) == 0 && len(items) == 0 && !v.isConcealed {
			members, v.isConcealed = r.op.bound.Concealing(v.condition), true
		}
		if len(members) == 0 {
			return true, nil
		}
		if r.awaitMembers(v, members); !v.isReady() {
			v.finished = false
			r.waiting = append(r.waiting, v)
			return false, nil
		}
		if err := r.decided(v); err != nil {
			return true, err
		}
	}
}

// readMembers registers the Gets of the members that decide about the fields of an object that are not read.
func (r *run) readMembers(o *Instance) {
	for _, f := range o.Node.Fields {
		if f.Rule == nil || len(f.Rule.Members) == 0 {
			continue
		}
		for _, key := range r.op.bound.AwaitedByField(f, o.Item) {
			r.member(key, false)
		}
	}
}

// setMember sets what has been read of a member.
func (op *Operation) setMember(s *state) {
	var it item.Item
	if len(s.items) > 0 {
		it = s.items[0]
	}
	op.bound.Members.Set(s.key, it, s.err)
}

// held returns a value that needs no Reads but those of its members.
func (r *run) held(v *Value) *Value {
	if len(v.members) == 0 {
		return v
	}
	v.isHeld, v.late, v.Err = true, v.Err, nil
	r.proceed(v)
	return v
}

// decided returns the error of a value whose members have been read, if it has one.
func (r *run) decided(v *Value) error {
	for _, s := range v.members {
		if s.err != nil {
			return s.err
		}
	}
	if len(v.members) == 0 {
		return nil
	}
	v.members = nil
	return r.op.bound.Authorize(v.condition, v.late)
}

// fail sets the error of a value.
func (r *run) fail(v *Value, err error) {
	v.Err, v.Objects, v.Page = err, nil, nil
	if errors.Is(err, plan.ErrForbidden) {
		r.op.exec.deny(append(v.states[:len(v.states):len(v.states)], v.items...)...)
	}
}
