package answer

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// instance writes an object. The page and the index in it are those of a connection, an edge or a PageInfo; parent is
// the item of the object that has the connection.
func (w *writer) instance(o *loaders.Instance, parent item.Item, page *loaders.Page, index int) bool {
	if w.isFull() {
		return w.null()
	}
	w.pace.Step(w.op)
	return w.members(o.Node.Fields, func(f *plan.Field) bool { return w.field(f, o, parent, page, index) })
}

func (w *writer) field(f *plan.Field, o *loaders.Instance, parent item.Item, page *loaders.Page, index int) bool {
	if f.Kind == plan.NotReadyField {
		w.fail(f, w.bound.Schema.NotReady(f))
		return w.null()
	}
	if err := w.bound.FieldError(f, o.Item); err != nil {
		w.fail(f, err)
		return w.null()
	}
	switch f.Kind {
	case plan.TypenameField:
		w.out = appendString(w.out, o.Node.Name)
	case plan.AttributeField, plan.DifferenceField:
		w.item = o.Item
		v := f.ValueIn(o.Item)
		return w.attribute(f, &v)
	case plan.IdentityField:
		if w.op.IsUnreadable() {
			if err := plan.CheckIdentity(o.Node.Type, o.Item); err != nil {
				w.item = o.Item
				return w.unreadable(f, err)
			}
		}
		w.identity(o.Node.Type, o.Item)
	case plan.ReadField:
		return w.read(f, o)
	case plan.EdgesField, plan.NodesField:
		return w.items(f, o.Values[f.Slot], page)
	case plan.LiveField, plan.EdgeField, plan.ItemField:
		return w.event(f, o.Values[f.Slot])
	case plan.ChangeField:
		w.out = appendString(w.out, w.op.Event().Kind.String())
	case plan.NodeIDField:
		return w.nodeID()
	case plan.NodeField:
		return w.instance(&o.Values[f.Slot].Objects[0], nil, nil, 0)
	case plan.TotalCountField:
		return w.count(f, page, parent)
	case plan.PageInfoField:
		return w.instance(&loaders.Instance{Node: f.Children[0]}, nil, page, 0)
	case plan.CursorField:
		if page == nil { // of an event without an item
			return w.null()
		}
		w.out = append(page.AppendCursor(append(w.out, '"'), index), '"')
	case plan.HasNextPageField:
		w.out = appendBool(w.out, page.HasNextPage)
	case plan.HasPreviousPageField:
		w.out = appendBool(w.out, page.HasPreviousPage)
	case plan.StartCursorField:
		return w.cursor(page.StartCursor())
	case plan.EndCursorField:
		return w.cursor(page.EndCursor())
	case plan.IntrospectionField:
		return w.introspected(f, plan.SchemaPart{})
	default:
		w.fail(f, &NotImplementedError{f.Parent, f.Name})
		return w.null()
	}
	return true
}

func (w *writer) cursor(c *string) bool {
	if c == nil {
		return w.null()
	}
	w.out = appendString(w.out, *c)
	return true
}

// count writes the totalCount of a connection: the parent's counter.
func (w *writer) count(f *plan.Field, page *loaders.Page, parent item.Item) bool {
	if page.IsFiltered() {
		n := item.NumberValue(page.Total(0))
		w.out = appendInt(w.out, &n)
		return true
	}
	if err := w.bound.Schema.Design.CountNotReady(page.Field()); err != nil {
		w.fail(f, err)
		return w.null()
	}
	if w.op.IsUnreadable() {
		if err := w.bound.Schema.CheckCount(page.Field(), parent); err != nil {
			w.item = parent
			return w.unreadable(f, err)
		}
	}
	v, _ := parent.Get(page.Field().Count)
	w.out = appendInt(w.out, &v)
	return true
}

// event writes the events of a connection, or the edge or the node of one.
func (w *writer) event(f *plan.Field, v *loaders.Value) bool {
	if f.Kind == plan.LiveField && w.op.Event().IsDamaged {
		w.fail(f, loaders.ErrOmitted)
	}
	switch {
	case v == nil:
		return w.null()
	case f.Kind == plan.ItemField && w.op.HasEdgeNode():
		return w.object(f, f, v, false)
	}
	instance, err := w.op.ItemOf(v)
	if err != nil {
		w.fail(f, err)
		return w.null()
	}
	return w.instance(instance, nil, w.op.EventPage(), 0)
}

// read writes a field that has been read.
func (w *writer) read(f *plan.Field, o *loaders.Instance) bool {
	v := o.Values[f.Slot]
	switch {
	case v == nil: // the connection of an event with an item
		return w.null()
	case f.Live != nil:
		if w.isWithheld(f, v) {
			return w.null()
		}
		return w.object(f, f, v, false)
	case v.Elements == nil && f.Read.Kind == design.Get && f.Read.Result == design.Many:
		return w.null() // an action has done nothing
	case v.Elements != nil || f.Read.Kind.IsByID() && f.Read.Result == design.Many:
		if v.Err != nil {
			w.fail(f, v.Err)
			return w.null()
		}
		return w.elements(f, v.Elements)
	case f.Read.Result == design.Connection:
		page, err := w.op.PageOf(v)
		if err != nil {
			w.fail(f, err)
			return w.null()
		}
		w.omitted(f, v)
		return w.instance(&v.Objects[0], o.Item, page, 0)
	case f.Read.Result == design.Many:
		objects, err := w.op.ListOf(v)
		if err != nil {
			w.fail(f, err)
			return w.null()
		}
		w.omitted(f, v)
		return w.list(f, objects, nil)
	}
	return w.object(f, f, v, f.Definition.Type.NonNull)
}

// omitted adds the errors of the items that a list or a connection lacks.
func (w *writer) omitted(f *plan.Field, v *loaders.Value) {
	for _, err := range v.Omitted {
		w.fail(f, err)
	}
}

// object writes the object of a value, or null. An error of an element is at the element.
func (w *writer) object(f, place *plan.Field, v *loaders.Value, nonNull bool) bool {
	o, err := w.op.ObjectOf(v)
	switch {
	case err != nil:
		w.fail(f, err)
	case o != nil:
		return w.instance(o, nil, nil, 0)
	case nonNull && w.isObject(f):
		w.fail(place, errNullElement)
	case nonNull:
		w.fail(place, errNull)
	}
	return w.null()
}

// isObject reports whether a field returns an object type, not an interface or a union.
func (w *writer) isObject(f *plan.Field) bool {
	return w.bound.Schema.AST.Types[f.Definition.Type.Name()].Kind == ast.Object
}

// elements writes a list whose elements have errors of their own.
func (w *writer) elements(f *plan.Field, elements []*loaders.Value) bool {
	nonNull := f.Definition.Type.Elem.NonNull
	return w.array(len(elements), func(i int) bool { return w.object(f, nil, elements[i], nonNull) || !nonNull })
}

// items writes the edges or the nodes of a connection.
func (w *writer) items(f *plan.Field, v *loaders.Value, page *loaders.Page) bool {
	if v.Elements != nil {
		return w.elements(f, v.Elements)
	}
	return w.list(f, v.Objects, page)
}

// list writes a list of objects.
func (w *writer) list(f *plan.Field, objects []loaders.Instance, page *loaders.Page) bool {
	nonNull := f.Definition.Type.Elem.NonNull
	return w.array(len(objects), func(i int) bool { return w.instance(&objects[i], nil, page, i) || !nonNull })
}
