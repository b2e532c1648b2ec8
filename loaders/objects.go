package loaders

import (
	"context"
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
)

// answerValue counts the objects of a value. What a hand-written resolver reads is counted when it returns it, see
// answerModels.
func (op *Operation) answerValue(v *Value, objects int) error {
	if !isRead(v.Field) {
		objects = 0
	}
	return op.answer(objects)
}

// isRead reports whether the values of a field are what is read by its directive.
func isRead(f *plan.Field) bool {
	isApart := f.Definition == nil
	return !isApart && (f.Kind != plan.GoField || f.Read != nil)
}

// answerModels counts the objects that Go code has returned for the field of a context, and for the edges and nodes of
// a connection that Go code has made.
func answerModels(ctx context.Context, result any) error {
	fc := graphql.GetFieldContext(ctx)
	isIntrospection := strings.HasPrefix(fc.Field.Name, "__") || strings.HasPrefix(fc.Object, "__")
	if len(fc.Field.SelectionSet) == 0 || isIntrospection {
		return nil
	}
	op := OperationOf(ctx)
	f := op.fieldAt(fc)
	switch f.Kind {
	case plan.GoField:
		if isRead(f) {
			return nil
		}
	case plan.EdgesField, plan.NodesField:
		if isRead(op.fieldAt(fc.Parent)) {
			return nil
		}
	default:
		return nil
	}
	return op.answer(lengthOf(result) * f.Weight())
}

// lengthOf returns how many objects a resolver has returned.
func lengthOf(result any) int {
	switch v := reflect.ValueOf(result); v.Kind() {
	case reflect.Invalid:
		return 0
	case reflect.Slice:
		return v.Len()
	case reflect.Pointer:
		if v.IsNil() {
			return 0
		}
	}
	return 1
}
