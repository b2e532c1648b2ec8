package loaders

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

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
	err := r.decided(v)
	switch {
	case err != nil:
	case !v.isHeld:
		err = r.finishItems(v)
	case v.condition.Field.Kind != design.Query && len(v.Objects) > 0:
		r.fill(&v.Objects[0], nil, v.trace) // all of it follows from the key
	}
	if v.Err = err; err != nil {
		r.fail(v, err)
	}
}

func (r *run) finishItems(v *Value) error {
	var checked checkedPage
	if v.checked != nil {
		checked, v.checked = *v.checked, nil
	} else if isReady, err := r.check(v, &checked); !isReady || err != nil {
		return err
	}
	c, page, damaged, read := v.condition, checked.page, checked.damaged, checked.read
	if isReady, err := r.membersOf(v, page.Items); err != nil {
		return err
	} else if !isReady {
		v.checked = &checkedPage{page, damaged, read}
		return nil
	}
	if !r.op.bound.AllowsItems(c, page.Items, damaged) {
		return plan.ErrForbidden
	}
	switch {
	case v.isWhole() && read > v.window.Count:
		return r.readRest(v, read, len(page.Items))
	case c.Field.Kind == design.Query && c.Field.Result == design.Connection:
		v.Omitted = slices.Repeat([]error{ErrOmitted}, len(damaged))
		r.finishPage(v, v.filtered(page))
		return nil
	case v.isList():
		v.Omitted = slices.Repeat([]error{ErrOmitted}, len(damaged))
		r.setObjects(v, keptBy(c, page.Items), v.trace)
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
		r.setObjects(v, page.Items, v.trace)
		return nil
	default: // The Reads that follow from the key have been started.
		o := &v.Objects[0]
		o.Item = page.Items[0]
		o.forgetContested()
		r.fill(o, nil, v.trace)
		return nil
	}
}

// check checks the items of a value, and sets those that are left. isReady is false while more is read.
func (r *run) check(v *Value, checked *checkedPage) (isReady bool, err error) {
	page := r.pages.next()
	if err := v.assemble(page); err != nil {
		return true, err
	}
	c, read := v.condition, len(page.Items)
	if r.op.bound.Schema.HasEntries(c) {
		if isReady, err := r.completeEntries(v, page); !isReady || err != nil {
			return isReady, err
		}
		if c.Field.Result == design.One && !page.keepFirst() && read == v.window.Count {
			r.readMore(v, 2*read)
			return false, nil
		}
	}
	*checked = checkedPage{page: page, damaged: r.op.omitDamaged(page), read: read}
	return true, nil
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
		below := r.value(part)
		connection.Values[part.Slot] = below
		if part.Kind == plan.EdgesField || !v.condition.Field.EdgeNode {
			r.setObjects(below, page.Items, v.trace)
			continue
		}
		node := r.op.bound.Schema.Design.Field(v.condition.Field.Edge, "node")
		below.Elements = make([]*Value, len(page.Items))
		r.expect(len(page.Items), len(page.Items))
		at := v.trace.Field(part)
		for i, it := range page.Items {
			c := r.conditions.next()
			var err error
			*c, err = plan.NodeCondition(node, it)
			if unreadable := r.op.checkSources(part, it); unreadable != nil {
				err = unreadable
			}
			below.Elements[i] = r.start(part, c, err, plan.Paging{}, at)
		}
	}
}

// setObjects sets the objects of a value from items, and starts to read what is selected below them. at is the Trace
// of the objects.
func (r *run) setObjects(v *Value, items []item.Item, at *price.Trace) {
	f := v.Field
	if len(items) == 1 {
		v.Objects = v.oneObject[:]
	} else {
		v.Objects = make([]Instance, len(items))
		r.expect(len(items)*f.Children[0].Slots, len(items)*f.Children[0].Reads)
	}
	for i, it := range items {
		o := &v.Objects[i]
		o.Item = it
		if o.Node = f.Children[0]; len(f.Children) > 1 {
			o.Node = f.Child(it.Type())
		}
		r.fill(o, nil, at)
	}
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
	r.readMembers(o)
	if o.Node.Slots == 0 {
		return
	}
	switch {
	case o.Values != nil:
	case o.Node.Slots == 1:
		o.Values = o.oneValue[:]
	default:
		o.Values = make([]*Value, o.Node.Slots)
		r.expect(o.Node.Slots, o.Node.Reads)
	}
	for _, f := range o.Node.Fields {
		switch {
		case f.Slot < 0 || o.Values[f.Slot] != nil:
		case f.IsLive() || f.Kind == plan.EdgeField || f.Kind == plan.ItemField:
			o.Values[f.Slot] = r.liveValue(f, at)
		case f.Kind == plan.NodeField:
			o.Values[f.Slot] = r.value(f)
			r.setObjects(o.Values[f.Slot], []item.Item{o.Item}, at)
		case f.Kind == plan.ReadField:
			o.Values[f.Slot] = r.readBelow(f, o.Item, early, at)
		}
	}
}

// completeEntries replaces the entries of a page of a projected index by their items, if they lack something that is
// selected, and otherwise marks them as entries. isReady is false while the items are being read.
//
// The page lacks an entry whose item does not exist, or has another place in the index: the index is behind the table,
// which does not have such an item there any more.
func (r *run) completeEntries(v *Value, p *Page) (isReady bool, err error) {
	c := v.condition
	if !r.op.bound.Schema.NeedsItems(v.Field, c.Field) {
		p.replace(keys.Entry)
		return true, nil
	}
	if v.items == nil {
		for _, entry := range p.Items {
			s := r.get(keys.KeyOf(entry), false, r.op.bound.ReadsState(v.Field))
			s.countAt(v.trace.ItemsID())
			v.items = append(v.items, s)
		}
		if !v.isReady() {
			v.finished = false
			r.waiting = append(r.waiting, v)
			return false, nil
		}
	}
	whole := make(map[keys.Key]item.Item, len(v.items))
	for i, s := range v.items {
		switch {
		case s.err != nil:
			return true, s.err
		case len(s.items) > 0 && isEntryOf(c, p.Items[i], s.items[0]) && !c.Excludes(s.items[0]):
			whole[s.key] = s.items[0]
		}
	}
	p.omit(func(entry item.Item) bool { return whole[keys.KeyOf(entry)] == nil })
	p.replace(func(entry item.Item) item.Item { return whole[keys.KeyOf(entry)] })
	return true, nil
}

// liveValue returns the value of a field of a subscription or of its event; nil for one that the event does not have.
func (r *run) liveValue(f *plan.Field, at *price.Trace) *Value {
	o := r.op.live
	hasItem := o.Kind == AddedEvent || o.Kind == ChangedEvent
	switch {
	case f.Kind == plan.LiveField:
		v := r.value(f)
		v.Objects = v.oneObject[:]
		v.Objects[0].Node = f.Children[0]
		r.fill(&v.Objects[0], nil, at.Field(f))
		return v
	case f.IsLive() && o.Kind == CurrentEvent:
		c := *o.condition // the window of a cursor may have other partitions
		return r.start(f, &c, nil, r.op.bound.Arguments(f).Paging, at.Field(f))
	case f.Live != nil && !hasItem:
		return &Value{Field: f, condition: o.condition, asked: true}
	case f.Live != nil:
		return r.given(f, at)
	case f.IsLive() || !hasItem:
		return nil
	case f.Kind == plan.ItemField && o.condition.Field.EdgeNode:
		node := r.op.engine.design.Field(o.condition.Field.Edge, "node")
		c := r.conditions.next()
		var err error
		*c, err = plan.NodeCondition(node, o.Item)
		return r.start(f, c, err, plan.Paging{}, at.Field(f))
	default:
		return r.given(f, at)
	}
}

// given returns the value of a field whose object is the item of the event.
func (r *run) given(f *plan.Field, at *price.Trace) *Value {
	o := r.op.live
	v := r.value(f)
	v.condition, v.asked, v.finished = o.condition, true, true
	r.setObjects(v, []item.Item{o.Item}, at.Field(f))
	return v
}

// proceed registers the next Reads of a value whose Reads so far are done, or finishes it if it needs no more.
func (r *run) proceed(v *Value) {
	for v.isReady() {
		if err := r.decided(v); err != nil {
			v.finished = true
			r.fail(v, err)
			return
		}
		n := v.next()
		if n == 0 || v.isHeld {
			r.finish(v)
			return
		}
		v.add(n, r.readRange)
	}
	r.waiting = append(r.waiting, v)
}

// advance continues the values whose Reads are done. A value whose condition followed from the key of an object that
// turned out to be null is abandoned, unless it is elsewhere, too.
func (r *run) advance() {
	waiting := r.waiting
	r.waiting = nil
	r.pages.expect(min(len(waiting), maxExpected))
	for _, v := range waiting {
		r.pace.Step(r.op)
		switch {
		case !v.isReady():
			r.waiting = append(r.waiting, v)
		case v.parent != nil && !v.shared && v.parent.isNull():
			v.abandoned = true
		default:
			r.proceed(v)
		}
	}
}
