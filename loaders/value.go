package loaders

import (
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
	"github.com/partita/partita/plan/price"
)

// Instance is an object at a place in the answer.
type Instance struct {
	Node *plan.Object
	// Item has the attributes. It is nil for a root type and for a connection.
	Item item.Item
	// Values are those of the node's fields that have a Slot. A field without a value is resolved by Go code.
	Values []*Value
}

// Value is the value of a field that is read, or that contains what is read.
type Value struct {
	Field *plan.Field
	// Err is the error of the whole field: an AccessError, a keys.InputError, a plan.ArgumentError or a ReadError.
	Err error
	// Objects are the objects of a list, of edges or of nodes; or the one object, or connection; none for null.
	Objects []Instance
	// Elements are the values of a list whose elements have errors of their own.
	Elements []*Value
	// Page is that of a connection.
	Page *Page
	// Omitted has an error for each item that a list or a connection lacks: ErrOmitted for one that is damaged, and
	// another for one with a field that cannot be read and must not be null.
	Omitted []error

	condition *design.Condition
	// parent is the object whose key the condition follows from, if it was not read before; nil for other values.
	parent *Value
	// shared is set if the value is at several places.
	shared bool
	// finished is set when the Reads are done; abandoned, if the parent turned out to be null, so that nothing below the
	// value is read.
	finished, abandoned bool
	// asked is set if the value was neither denied nor absent before anything was read.
	asked bool

	// reads are the Reads of a Query. states are those that have been registered: the others may not be needed.
	reads      []plan.Read
	states     []*state
	partitions []int
	// items are the Gets of the items of a page whose entries in an index are incomplete.
	items  []*state
	window plan.Window
	// trace is that of the field; nil if the operation is not measured.
	trace *price.Trace
}

// state is a Read of an operation and its outcome.
type state struct {
	// key is that of a Get.
	key keys.Key
	// ranged is the Read of a Range; nil for a Get.
	ranged *plan.Read
	items  []item.Item
	err    error
	done   bool
	// consistent is set for a Get that is strongly consistent even if the operation is not. That of a Range has it in its
	// Query.
	consistent bool
	// deferred is set while the Read waits for a later wave.
	deferred bool
	// again is set if a Query that the Get had joined has not reached its item; alone, if it must not join another one.
	again, alone bool
	// id is that of the Reads of the plan that the Read is counted at, if the operation is measured: those that needed it
	// first. It is 0 if the plan has none.
	id int32
	// values are those that need the Read, if it is their first one.
	values []*Value
}

// isReady reports whether all Reads of a value are done.
func (v *Value) isReady() bool {
	isOpen := func(s *state) bool { return !s.done }
	return !slices.ContainsFunc(v.states, isOpen) && !slices.ContainsFunc(v.items, isOpen)
}

// next returns how many more of a value's Reads are needed, if those so far are done.
func (v *Value) next() int {
	left := len(v.reads) - len(v.states)
	if left <= 0 || !plan.InOrder(v.condition.Field) {
		return max(0, left)
	}
	found := make([]int, len(v.states))
	for i, s := range v.states {
		if s.err != nil {
			return 0
		}
		found[i] = len(s.items)
	}
	missing := v.missing()
	if missing <= 0 {
		return 0
	}
	return min(left, plan.NextBuckets(v.window, found, missing))
}

// missing returns how many items a page lacks, the one for hasNextPage included.
func (v *Value) missing() int {
	missing := v.reads[0].Limit
	for _, s := range v.states {
		missing -= len(s.items)
	}
	return missing
}

// add adds the states of the next n Reads. Of time buckets, no more items are read than the page lacks.
func (v *Value) add(n int, stateOf func(plan.Read) *state) {
	if n == 0 {
		return
	}
	missing, before := v.missing(), 0
	if k := len(v.states); k > 0 {
		before = int(v.states[k-1].id)
	}
	for _, read := range v.reads[len(v.states):][:n] {
		if plan.InOrder(v.condition.Field) {
			read.Limit = missing
		}
		s := stateOf(read)
		s.countAt(v.trace.ReadID(before))
		v.states = append(v.states, s)
	}
}

// countAt sets where a Read is counted, unless it is already counted elsewhere.
func (s *state) countAt(id int) {
	if s.id == 0 {
		s.id = int32(id)
	}
}

// isList reports whether the value is a plain list that a Query reads.
func (v *Value) isList() bool {
	return v.condition.Field.Kind == design.Query && v.condition.Field.Result == design.Many
}

// page merges the outcomes of a value's Reads into a page. That of a list has all items that were read: one more than
// the window if there are more.
func (v *Value) page() (*Page, error) {
	window := v.window
	switch {
	case v.isList():
		window.Count++
	case v.condition.Field.Kind != design.Query && len(v.states) == 1 && len(v.states[0].items) == 1 &&
		v.condition.Excludes(v.states[0].items[0]):
		return &Page{condition: v.condition}, nil
	}
	return assemble(v.condition, window, v.partitions, v.states)
}

// readRest reads a list again that has more items than the window, with room for those that it lacks so far. read are
// all items, and remaining those that are not damaged. The error is that of a collection that has more than its atMost
// of these.
func (r *run) readRest(v *Value, read, remaining int) error {
	f := v.condition.Field
	if remaining > f.AtMost {
		return internal(fmt.Errorf("loaders: the collection of %s has more items than its atMost, %d",
			f.Coordinate(), f.AtMost))
	}
	r.readMore(v, f.AtMost+read-remaining)
	return nil
}

// readMore reads a value again, with more items: those that it has read are too few, because some are omitted.
func (r *run) readMore(v *Value, count int) {
	v.window.Count = count
	v.finished, v.states, v.items = false, nil, nil
	r.register(v)
}

// finish sets the objects of a value whose Reads are done, and starts to read what is selected below them.
func (r *run) finish(v *Value) {
	v.finished = true
	if v.Err = r.finishItems(v); v.Err != nil {
		v.Objects, v.Page = nil, nil
	}
	if errors.Is(v.Err, plan.ErrForbidden) {
		r.op.exec.deny(append(v.states[:len(v.states):len(v.states)], v.items...)...)
	}
}

func (r *run) finishItems(v *Value) error {
	page, err := v.page()
	if err != nil {
		return err
	}
	c, read := v.condition, len(page.Items)
	if r.op.bound.Schema.HasEntries(c) {
		if isReady, err := r.completeEntries(v, page); !isReady || err != nil {
			return err
		}
		if c.Field.Result == design.One && !page.keepFirst() && read == v.window.Count {
			r.readMore(v, 2*read)
			return nil
		}
	}
	damaged := r.op.omitDamaged(page)
	if !r.op.bound.AllowsItems(c, page.Items, damaged) {
		return plan.ErrForbidden
	}
	switch {
	case c.Field.Kind == design.Query && c.Field.Result == design.Connection:
		v.Omitted = slices.Repeat([]error{ErrOmitted}, len(damaged))
		r.finishPage(v, page)
		return nil
	case v.isList():
		if read > v.window.Count {
			return r.readRest(v, read, len(page.Items))
		}
		v.Omitted = slices.Repeat([]error{ErrOmitted}, len(damaged))
		v.Objects = r.objects(v.Field, page.Items, v.trace)
		return nil
	case len(damaged) > 0:
		return ErrDamaged
	case len(page.Items) == 0:
		v.Objects = nil
		if r.op.bound.DecideObjects(c) != plan.Allow {
			return plan.ErrForbidden
		}
		return nil
	case len(v.Objects) == 0:
		v.Objects = r.objects(v.Field, page.Items, v.trace)
		return nil
	default: // The Reads that follow from the key have been started.
		o := &v.Objects[0]
		o.Item = page.Items[0]
		o.forgetContested()
		r.fill(o, nil, v.trace)
		return nil
	}
}

// forgetContested forgets the values that were started for the owner that the key of an object names, if its attribute
// names another one.
func (o *Instance) forgetContested() {
	if !o.Item.HasContested() || o.Values == nil {
		return
	}
	for _, f := range o.Node.Fields {
		if f.Slot >= 0 && f.Rule != nil && o.Item.IsContested(f.Rule.Owner) {
			o.Values[f.Slot] = nil
		}
	}
}

func (r *run) finishPage(v *Value, page *Page) {
	v.Page = page
	connection := &v.Objects[0]
	for _, part := range connection.Node.Fields {
		if part.Kind != plan.EdgesField && part.Kind != plan.NodesField {
			continue
		}
		below := &Value{Field: part}
		connection.Values[part.Slot] = below
		if part.Kind == plan.EdgesField || !v.condition.Field.EdgeNode {
			below.Objects = r.objects(part, page.Items, v.trace)
			continue
		}
		node := r.op.bound.Schema.Design.Field(v.condition.Field.Edge, "node")
		below.Elements = make([]*Value, len(page.Items))
		at := v.trace.Field(part)
		for i, it := range page.Items {
			c, err := plan.NodeCondition(node, it)
			if unreadable := r.op.checkSources(part, it); unreadable != nil {
				err = unreadable
			}
			below.Elements[i] = r.start(part, c, err, plan.Paging{}, at)
		}
	}
}

// objects returns the objects of items, and starts to read what is selected below them. at is the Trace of the objects.
func (r *run) objects(f *plan.Field, items []item.Item, at *price.Trace) []Instance {
	objects := make([]Instance, len(items))
	for i, it := range items {
		o := &objects[i]
		o.Item = it
		if o.Node = f.Children[0]; len(f.Children) > 1 {
			o.Node = f.Child(it.Type())
		}
		r.fill(o, nil, at)
	}
	return objects
}

// fill starts to read the fields of an object, except those that have been started. early is the value of an object
// that is key-only until it has been read: a condition that does not follow from the key is left for later. at is the
// Trace of the object.
func (r *run) fill(o *Instance, early *Value, at *price.Trace) {
	r.pace.Step(r.op)
	if early == nil {
		r.op.check(o)
		for _, f := range o.Node.Edited {
			r.expected = append(r.expected, r.readBelow(f, o.Item, nil, at))
		}
	}
	if o.Node.Slots == 0 {
		return
	}
	if o.Values == nil {
		o.Values = make([]*Value, o.Node.Slots)
	}
	for _, f := range o.Node.Fields {
		switch {
		case f.Slot < 0 || o.Values[f.Slot] != nil:
		case f.IsLive() || f.Kind == plan.EdgeField || f.Kind == plan.ItemField:
			o.Values[f.Slot] = r.live(f, at)
		case f.Kind == plan.NodeField:
			o.Values[f.Slot] = &Value{Field: f, Objects: r.objects(f, []item.Item{o.Item}, at)}
		case f.Kind == plan.ReadField:
			o.Values[f.Slot] = r.readBelow(f, o.Item, early, at)
		}
	}
}
