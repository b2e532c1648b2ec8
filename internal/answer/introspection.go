package answer

import "github.com/partita/partita/internal/plan"

// introspected writes a field of kind plan.IntrospectionField of a part of the schema.
func (w *writer) introspected(f *plan.Field, of plan.SchemaPart) bool {
	switch v := w.bound.Introspect(f, of).(type) {
	case string:
		w.out = appendString(w.out, v)
	case bool:
		w.out = appendBool(w.out, v)
	case []string:
		return w.array(len(v), func(i int) bool {
			w.out = appendString(w.out, v[i])
			return true
		})
	case plan.SchemaPart:
		return w.part(f.Children[0], v)
	case []plan.SchemaPart:
		return w.array(len(v), func(i int) bool { return w.part(f.Children[0], v[i]) })
	default:
		return w.null()
	}
	return true
}

// part writes a part of the schema.
func (w *writer) part(node *plan.Object, of plan.SchemaPart) bool {
	if w.isFull() {
		return w.null()
	}
	return w.members(node.Fields, func(f *plan.Field) bool {
		if f.Kind == plan.TypenameField {
			w.out = appendString(w.out, node.Name)
			return true
		}
		return w.introspected(f, of)
	})
}
