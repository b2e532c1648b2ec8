package loaders

import (
	"errors"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
)

// A field that is never null and cannot be read makes its object null. In a list of objects that are never null, this
// would take the list away, and perhaps everything above it, because of one attribute of one item. Such a list lacks
// the object instead, as it lacks damaged items, and has an error for it.

// pruner removes objects from the lists and pages that a run has read.
type pruner struct {
	op *Operation
	// seen are the values that have been pruned, with the error of those that are null.
	seen map[*Value]error
}

// prune prunes what has been read below objects and values, if anything of it cannot be read.
func (op *Operation) prune(o *Instance, values ...*Value) {
	if !op.IsUnreadable() {
		return
	}
	p := &pruner{op, map[*Value]error{}}
	if o != nil {
		_ = p.object(o)
	}
	for _, v := range values {
		_ = p.value(v)
	}
}

// fieldError is the error of an object that is null because of a field.
type fieldError struct {
	*plan.Field
	// item is the object's; nil for a field that is read.
	item  item.Item
	cause error
}

func (e *fieldError) Error() string { return e.cause.Error() }

// object prunes what has been read below an object. It returns an error if the object is null.
func (p *pruner) object(o *Instance) (lost error) {
	b := p.op.bound
	for _, f := range o.Node.Fields {
		var err error
		switch {
		case f.Kind == plan.AttributeField || f.Kind == plan.DifferenceField || f.Kind == plan.IdentityField:
			if f.Definition.Type.NonNull && o.Item != nil {
				err = b.Lost(o.Node, f, o.Item)
			}
		case f.Slot >= 0 && o.Values != nil && o.Values[f.Slot] != nil:
			v := o.Values[f.Slot]
			if err = p.value(v); err == nil && o.Item != nil && len(v.Objects) > 0 {
				err = p.count(f, o)
			}
		}
		if lost == nil && err != nil && f.Definition.Type.NonNull {
			lost = &fieldError{f, o.Item, err}
		}
	}
	return lost
}

// count returns an error if a connection is null because its counter cannot be read.
func (p *pruner) count(f *plan.Field, o *Instance) error {
	if f.Read == nil || f.Read.Count == "" {
		return nil
	}
	total := f.Children[0].FieldOfKind(plan.TotalCountField)
	if total == nil || !total.Definition.Type.NonNull {
		return nil
	}
	return p.op.bound.Schema.CheckCount(f.Read, o.Item)
}

// value prunes a value, and what has been read below it. It returns an error if the value is null because something
// cannot be read.
func (p *pruner) value(v *Value) error {
	if err, seen := p.seen[v]; seen {
		return err
	}
	p.seen[v] = nil
	err := p.pruned(v)
	p.seen[v] = err
	return err
}

func (p *pruner) pruned(v *Value) error {
	switch {
	case v.abandoned:
		return nil
	case v.Err != nil:
		if errors.Is(v.Err, ErrDamaged) || errors.Is(v.Err, ErrUnreadable) {
			return v.Err
		}
		return nil
	case v.Page != nil:
		return p.page(v)
	case v.Elements != nil:
		return p.elements(v)
	case v.Field.Definition != nil && v.Field.Definition.Type.Elem != nil:
		p.list(v)
		return nil
	}
	for i := range v.Objects {
		if err := p.object(&v.Objects[i]); err != nil {
			return err
		}
	}
	return nil
}

// elements returns an error if a list is null because an element is that must not be.
func (p *pruner) elements(v *Value) (lost error) {
	for _, e := range v.Elements {
		if err := p.value(e); err != nil && v.Field.Definition.Type.Elem.NonNull {
			lost = err
		}
	}
	return lost
}

func (p *pruner) list(v *Value) {
	kept := v.Objects[:0:0]
	for i := range v.Objects {
		if err := p.object(&v.Objects[i]); err != nil && v.Field.Definition.Type.Elem.NonNull {
			v.Omitted = append(v.Omitted, p.omission(err))
			continue
		}
		kept = append(kept, v.Objects[i])
	}
	v.Objects = kept
}

// omission returns the error of a list for an object that it lacks.
func (p *pruner) omission(lost error) error {
	outer, is := errors.AsType[*fieldError](lost)
	if !is {
		return ErrOmitted
	}
	inner := outer
	for {
		next, is := errors.AsType[*fieldError](inner.cause)
		if !is {
			break
		}
		inner = next
	}
	if _, isRead := errors.AsType[*ReadError](inner.cause); !isRead {
		p.op.reportUnreadable(inner.Parent+"."+inner.Name, inner.item, inner.cause)
	}
	return lostError(outer.Name)
}

// page removes the items of a page that its edges or its nodes cannot have. Both then lack the same items.
func (p *pruner) page(v *Value) error {
	connection := &v.Objects[0]
	lost := make([]error, len(v.Page.Items))
	for _, part := range connection.Node.Fields {
		if part.Kind != plan.EdgesField && part.Kind != plan.NodesField {
			continue
		}
		below := connection.Values[part.Slot]
		for i := range v.Page.Items {
			var err error
			if below.Elements != nil {
				err = p.value(below.Elements[i])
			} else {
				err = p.object(&below.Objects[i])
			}
			if err != nil && part.Definition.Type.Elem.NonNull && lost[i] == nil {
				lost[i] = err
			}
		}
	}
	isLost := func(i int) bool { return lost[i] != nil }
	for _, err := range lost {
		if err != nil {
			v.Omitted = append(v.Omitted, p.omission(err))
		}
	}
	if len(v.Page.without(isLost)) == 0 {
		return nil
	}
	for _, part := range connection.Node.Fields {
		if part.Kind != plan.EdgesField && part.Kind != plan.NodesField {
			continue
		}
		below := connection.Values[part.Slot]
		below.Objects, below.Elements = kept(below.Objects, isLost), kept(below.Elements, isLost)
	}
	return nil
}

// kept returns a list without the elements at some indexes; nil if it is nil.
func kept[T any](list []T, isLost func(i int) bool) []T {
	var left []T
	for i := range list {
		if !isLost(i) {
			left = append(left, list[i])
		}
	}
	if left == nil && list != nil {
		left = []T{}
	}
	return left
}
