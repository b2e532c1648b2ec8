package loaders

import (
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/keys"
)

// valueAt returns the value of a field that was read before the resolvers ran, or nil. Fields below an object that Go
// code has returned are found by their conditions instead: it may have read any number of objects.
func (op *Operation) valueAt(fc *graphql.FieldContext) *Value {
	o := op.objectAt(fc.Parent)
	if o == nil {
		return nil
	}
	f := o.Node.FieldOf(fc.Field.Alias)
	if f == nil || f.Slot < 0 || o.Values == nil {
		return nil
	}
	return o.Values[f.Slot]
}

// objectAt returns the object at a place in the answer, or nil if Go code has made it. The context is gqlgen's for the
// root, for a field, or for an element of a field's list.
func (op *Operation) objectAt(fc *graphql.FieldContext) *Instance {
	index := 0
	if fc.Index != nil {
		index, fc = *fc.Index, fc.Parent
	}
	if fc.Parent == nil {
		return &op.root
	}
	v := op.valueAt(fc)
	if v == nil {
		return nil
	}
	if v.Elements != nil {
		v, index = v.Elements[index], 0
	}
	if index >= len(v.Objects) {
		return nil
	}
	return &v.Objects[index]
}

// fieldAt returns the node of a field.
func (op *Operation) fieldAt(fc *graphql.FieldContext) *plan.Field {
	return op.nodeAt(fc.Parent, fc.Object).FieldOf(fc.Field.Alias)
}

// traceAt returns the Trace of a field; nil if the operation is not measured.
func (op *Operation) traceAt(fc *graphql.FieldContext) *price.Trace {
	root := op.trace()
	if root == nil || fc == nil {
		return nil
	}
	for fc.Index != nil {
		fc = fc.Parent
	}
	if fc.Parent == nil {
		return root
	}
	return op.traceAt(fc.Parent).Field(op.fieldAt(fc))
}

// nodeAt returns the node of an object type at a place.
func (op *Operation) nodeAt(fc *graphql.FieldContext, object string) *plan.Object {
	for fc.Index != nil {
		fc = fc.Parent
	}
	if fc.Parent == nil {
		return op.bound.Root
	}
	return op.fieldAt(fc).Child(object)
}

func checkIDs(count int) error {
	if count <= plan.MaxPage {
		return nil
	}
	message := fmt.Sprintf("ask for at most %d ids at once", plan.MaxPage)
	return &keys.InputError{Argument: "ids", Message: message}
}
