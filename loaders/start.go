package loaders

import (
	"errors"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// share returns a value that is also at another place, where it may be needed in spite of its first parent.
func (r *run) share(v *Value) *Value {
	v.shared = true
	if !v.abandoned {
		return v
	}
	v.abandoned = false
	r.proceed(v)
	for _, o := range v.Objects {
		for _, below := range o.Values {
			if below != nil && below.parent == v {
				r.share(below)
			}
		}
	}
	return v
}

// list returns the value of a field with one element for each id.
func (r *run) list(f *plan.Field, arguments *plan.Arguments, at *price.Trace) *Value {
	v := r.value(f)
	v.Elements = make([]*Value, len(arguments.IDs))
	r.expect(len(arguments.IDs), len(arguments.IDs))
	for i, id := range arguments.IDs {
		if arguments.IDErrs != nil && arguments.IDErrs[i] != nil {
			v.Elements[i] = r.value(f)
			v.Elements[i].Err = arguments.IDErrs[i]
			continue
		}
		c := r.conditions.next()
		var err error
		*c, err = r.op.bound.IDCondition(f, id)
		v.Elements[i] = r.start(f, c, err, plan.Paging{}, at)
	}
	return v
}

// start returns the value of a condition, and registers its Reads. invalid is the error with which the condition was
// built, at the Trace of the field.
func (r *run) start(f *plan.Field, c *design.Condition, invalid error, p plan.Paging, at *price.Trace) *Value {
	r.pace.Step(r.op)
	if v := r.started(f, c, invalid); v != nil {
		return v
	}
	v := r.value(f)
	v.condition, v.trace = c, at
	if v.Err = r.op.bound.Authorize(c, invalid); errors.Is(v.Err, plan.ErrForbidden) {
		return v
	}
	r.awaitMembers(v, r.op.bound.Awaited(c))
	isConnection := c.Field.Kind == design.Query && c.Field.Result == design.Connection
	switch {
	case v.Err != nil:
		return r.held(v)
	case isConnection:
		return r.startConnection(v, p)
	case c.IsEmpty():
		return r.held(v)
	case c.Field.Kind == design.Query:
		v.asked = true
		v.window = plan.ListWindow(c.Field)
		v.shown = v.window
		return r.register(v)
	}
	v.asked = true
	r.startGet(v)
	return v
}

// startConnection returns the value of a connection, and registers the Reads of its page. Errors of the arguments do
// not depend on what is selected.
func (r *run) startConnection(v *Value, p plan.Paging) *Value {
	c, selected := v.condition, v.Field.SelectsItems(v.condition.IsFiltered())
	v.Page = &Page{condition: c}
	v.Objects = v.oneObject[:]
	v.Objects[0].Node = v.Field.Children[0]
	if slots := v.Objects[0].Node.Slots; slots > 0 {
		v.Objects[0].Values = make([]*Value, slots)
	}
	if c.IsEmpty() || !selected && p == (plan.Paging{}) {
		v.empty()
		return r.held(v)
	}
	if p != (plan.Paging{}) || v.Field.SelectsPage() {
		v.shown, v.Err = p.Window(c)
	}
	if v.Err != nil || !selected {
		return r.held(v)
	}
	v.asked, v.window = true, plan.ReadWindow(c, v.shown)
	return r.register(v)
}

// register registers the Ranges of a value. It returns the value of equal Ranges at the same node, if there is one.
func (r *run) register(v *Value) *Value {
	v.reads, v.partitions = plan.Reads(v.condition, v.window)
	if r.op.bound.ReadsState(v.Field) {
		for i := range v.reads {
			v.reads[i].Consistent = true
		}
	}
	if n := v.next(); n > 0 {
		v.states = make([]*state, 0, n)
		v.add(n, r.readRange)
		first := v.states[0]
		for _, other := range first.values {
			if other.Field == v.Field && len(other.reads) == len(v.reads) &&
				r.op.selection(other.condition, other.shown) == r.op.selection(v.condition, v.shown) {
				return r.share(other)
			}
		}
		first.values = append(first.values, v)
	}
	r.proceed(v)
	return v
}

// started returns the value of an equal Get at the same node, or nil.
func (r *run) started(f *plan.Field, c *design.Condition, invalid error) *Value {
	if invalid != nil || c.Key == (keys.Key{}) {
		return nil
	}
	if s := r.gets[c.Key]; s != nil {
		for _, v := range s.values {
			if v.Field == f && v.condition.Exclusion() == c.Exclusion() && r.op.bound.IsSameSubject(v.condition, c) {
				return r.share(v)
			}
		}
	}
	return nil
}

// startGet starts to read what is selected below an object that follows from its key, and then the object, unless all
// of it follows from the key.
func (r *run) startGet(v *Value) {
	b, c := r.op.bound, v.condition
	v.window = plan.ListWindow(c.Field)
	if c.KeyOnly == nil {
		r.registerGet(v, false)
		return
	}
	node := v.Field.Child(c.KeyOnly.Type())
	served := b.ServedByKey(node, c.KeyOnly)
	isKeyOnly := served == plan.KeyAll && c.Field.IsReference()
	isAllowed := len(v.members) == 0 && b.DecideKeyOnly(node.Type.Rule, c.KeyOnly) == plan.Allow
	if isKeyOnly || node.Slots > 0 && isAllowed {
		v.Objects = v.oneObject[:]
		v.Objects[0] = Instance{Node: node, Item: c.KeyOnly}
	}
	switch {
	case isKeyOnly && len(v.members) > 0:
		r.held(v)
		return
	case isKeyOnly:
		r.fill(&v.Objects[0], nil, v.trace)
		return
	}
	// The value is known by its Get before anything below it is.
	r.registerGet(v, served != plan.KeyNothing && b.HasLaterGets(node))
}

// registerGet registers the Get of a value, and starts to read what is below its object if that is known by its key.
func (r *run) registerGet(v *Value, later bool) {
	s := r.get(v.condition.Key, later, r.op.bound.ReadsState(v.Field))
	s.countAt(v.trace.ReadID(0))
	if s.values == nil {
		s.values = s.oneValue[:0]
	}
	s.values = append(s.values, v)
	v.states, v.partitions = append(v.oneState[:0], s), onePartition
	if v.isReady() {
		r.finish(v)
		return
	}
	r.waiting = append(r.waiting, v) // before what is below it
	if v.Objects != nil {
		r.fill(&v.Objects[0], v, v.trace)
	}
}

// readBelow returns the value of a field of an object. If early is not nil, it is the value of the object, of which
// only the key is known.
//
// at is the Trace of the object.
func (r *run) readBelow(f *plan.Field, parent item.Item, early *Value, at *price.Trace) *Value {
	arguments := r.op.bound.Arguments(f)
	at = at.Field(f)
	if arguments.Err != nil {
		return &Value{Field: f, Err: arguments.Err}
	}
	switch f.Read.Kind {
	case design.Node:
		c := r.conditions.next()
		var err error
		*c, err = r.op.bound.IDCondition(f, arguments.IDs[0])
		return r.start(f, c, err, plan.Paging{}, at)
	case design.Nodes:
		if err := checkIDs(len(arguments.IDs)); err != nil {
			return &Value{Field: f, Err: err}
		}
		return r.list(f, arguments, at)
	case design.Entities:
		return r.list(f, arguments, at)
	}
	c := r.conditions.next()
	var err error
	*c, err = r.op.bound.Condition(f, parent)
	switch {
	case early == nil:
		if unreadable := r.op.checkSources(f, parent); unreadable != nil {
			err = unreadable
		}
	case err != nil || c.IsEmpty() || r.op.bound.NeedsSince(f, parent) || r.op.bound.Authorize(c, nil) != nil:
		return nil
	}
	v := r.start(f, c, err, arguments.Paging, at)
	if early != nil && !v.shared {
		v.parent = early
	}
	return v
}
