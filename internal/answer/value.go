package answer

import (
	"encoding/base64"
	"strconv"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// attribute writes an attribute of the object that is being written.
func (w *writer) attribute(f *plan.Field, v *item.Value) bool {
	if w.op.IsUnreadable() {
		if err := f.CheckValue(v); err != nil {
			return w.unreadable(f, err)
		}
	}
	return w.value(f, f.Format, v)
}

// unreadable writes null for a field that cannot be read because of an attribute of the object that is being written.
func (w *writer) unreadable(f *plan.Field, cause error) bool {
	w.fail(f, w.op.Unreadable(f, w.item, cause))
	return w.null()
}

// value writes a stored value that can be read.
func (w *writer) value(f *plan.Field, format *plan.Format, v *item.Value) bool {
	switch {
	case v.Kind == item.Null:
		return w.null()
	case format.Any:
		w.out = appendJSON(w.out, v)
		return true
	case format.Element != nil:
		return w.values(f, format, v.Elements())
	case format.Fields != nil:
		return w.nested(f.Children[0], v.Fields())
	case format.Float:
		n, _ := strconv.ParseFloat(v.Text, 64)
		w.out = strconv.AppendFloat(w.out, n, 'g', -1, 64)
		return true
	}
	switch format.Kind {
	case keys.Int:
		w.out = appendInt(w.out, v)
	case keys.Int64:
		w.out = append(appendInt(append(w.out, '"'), v), '"')
	case keys.Boolean:
		w.out = append(w.out, v.Text...)
	case keys.IDKind:
		w.id(format.Ref, v.Text)
	case keys.Date:
		w.out = appendOpaque(w.out, v.Text)
	case keys.Time:
		w.out = appendTime(w.out, v.Text)
	default:
		w.out = appendString(w.out, v.Text)
	}
	return true
}

// nested writes an object that is stored in an attribute. The rules of its fields have no owner.
func (w *writer) nested(node *plan.Object, fields item.Item) bool {
	return w.members(node.Fields, func(f *plan.Field) bool {
		switch {
		case f.Kind == plan.TypenameField:
			w.out = appendString(w.out, node.Name)
			return true
		case f.Kind == plan.NotReadyField:
			w.fail(f, w.bound.Schema.NotReady(f))
			return w.null()
		case !w.bound.AllowsField(f, nil):
			return w.deny(f)
		}
		return w.attribute(f, valueIn(fields, f.Name))
	})
}

// valueIn returns a value that is stored in an attribute, which must not be changed.
func valueIn(fields item.Item, name string) *item.Value {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i].Value
		}
	}
	return &missing
}

// missing is the value of an attribute that is not stored.
var missing item.Value

// values writes a list of stored values.
func (w *writer) values(f *plan.Field, format *plan.Format, elements []item.Value) bool {
	return w.array(len(elements), func(i int) bool { return w.element(f, format.Element, &elements[i]) })
}

// element writes an element of a list. It reports whether the list is valid.
func (w *writer) element(f *plan.Field, element *plan.Format, v *item.Value) bool {
	switch {
	case v.Kind != item.Null || !element.NonNull:
		return w.value(f, element, v) || !element.NonNull
	case element.Element != nil: // a list that is not null, as gqlgen writes a nil slice
		w.out = append(w.out, "[]"...)
		return true
	default:
		w.fail(nil, errNullElement)
		return w.null()
	}
}

// identity writes the global id of an object whose item has no id.
func (w *writer) identity(t *design.Type, it item.Item) {
	w.scratch = append(w.scratch[:0], t.Name...)
	for _, name := range t.Identity {
		w.scratch = appendIDValue(w.scratch, it.Text(name))
	}
	if len(t.Identity) == 0 {
		w.scratch = appendIDValue(w.scratch, "")
	}
	w.encoded()
}

// id writes a stored id: the global id of an object of the type, or with "" the opaque text.
func (w *writer) id(typ, raw string) {
	if typ == "" {
		w.out = appendOpaque(w.out, raw)
		return
	}
	w.scratch = appendIDValue(append(w.scratch[:0], typ...), raw)
	w.encoded()
}

// encoded writes the scratch as keys.ID does.
func (w *writer) encoded() {
	w.out = append(w.out, '"')
	w.out = base64.RawURLEncoding.AppendEncode(w.out, w.scratch)
	w.out = append(w.out, '"')
}
