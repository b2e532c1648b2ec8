package loaders

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/plan"
)

// unreadable are the attributes that an operation could not read.
type unreadable struct {
	// is is set once one has been found: the fields of an operation without any are not checked again.
	is atomic.Bool
	mu sync.Mutex
	// models are those whose fields could not all be filled.
	models map[any]*item.Unreadable
}

// IsUnreadable reports whether anything that the operation has selected may be unreadable: if not, no value needs a
// check before it is written.
func (op *Operation) IsUnreadable() bool { return op.exec.unreadable.is.Load() }

// Unreadable returns the error of a field whose value cannot be read because of an attribute of the item, or of an
// object that is stored in one. It is logged and counted once in an operation.
func (op *Operation) Unreadable(f *plan.Field, it item.Item, cause error) error {
	op.reportUnreadable(f.Parent+"."+f.Name, it, cause)
	return ErrUnreadable
}

func (op *Operation) reportUnreadable(field string, it item.Item, cause error) {
	key := keys.KeyOf(it)
	n := op.exec.damage.add(damaged{key, field})
	if n == 0 {
		return
	}
	if o := op.engine.options.Observer; o != nil {
		o.Unreadable(op.ctx, it.Type())
	}
	if n <= maxLoggedDamage {
		op.engine.options.Logger.LogAttrs(op.ctx, slog.LevelError, "an attribute cannot be read",
			slog.String("type", it.Type()), slog.String("pk", string(key.PK)), slog.String("sk", string(key.SK)),
			slog.String("field", field), slog.String("error", cause.Error()))
	}
}

// check remembers that something that is selected of an object cannot be read.
func (op *Operation) check(o *Instance) {
	if o.Item != nil && !o.Node.IsReadable(o.Item) {
		op.setUnreadable()
	}
}

func (op *Operation) setUnreadable() {
	op.exec.unreadable.is.Store(true)
	op.engine.unreadable.Store(true)
}

// checkSources returns the error of a field whose key condition depends on an attribute of the parent that cannot be
// read.
func (op *Operation) checkSources(f *plan.Field, parent item.Item) error {
	if !op.IsUnreadable() || parent == nil {
		return nil
	}
	if err := f.CheckSources(parent); err != nil {
		return op.Unreadable(f, parent, err)
	}
	return nil
}

// filled returns the model of an item or of a page. What could not be read is an error of the fields that need it.
func filled[S, T any](op *Operation, from S, fill func(S) (T, error)) (T, error) {
	model, err := fill(from)
	if err == nil {
		return model, nil
	}
	if some, is := errors.AsType[*item.UnreadableError](err); is {
		op.exec.unreadable.add(some)
		op.setUnreadable()
		return model, nil
	}
	var none T
	return none, internal(err)
}

func (u *unreadable) add(some *item.UnreadableError) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.models == nil {
		u.models = map[any]*item.Unreadable{}
	}
	for i := range some.Models {
		u.models[some.Models[i].Model] = &some.Models[i]
	}
}

// of returns what could not be read of the model that gqlgen has for an object; nil if all of it could.
func (u *unreadable) of(object any) *item.Unreadable {
	// gqlgen has a pointer to an element of a list, and an interface for an abstract type.
	v := reflect.ValueOf(object)
	for v.Kind() == reflect.Pointer && (v.Elem().Kind() == reflect.Pointer || v.Elem().Kind() == reflect.Interface) {
		if v = v.Elem(); v.Kind() == reflect.Interface {
			v = v.Elem()
		}
	}
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.models[v.Interface()]
}

// isContested reports whether an attribute of the object that gqlgen has does not show who its owner is: nobody is.
func (e *Engine) isContested(ctx context.Context, object any, name string) bool {
	if !e.unreadable.Load() {
		return false
	}
	op := OperationOf(ctx)
	if op == nil || !op.IsUnreadable() {
		return false
	}
	u := op.exec.unreadable.of(object)
	return u != nil && u.Item.IsContested(name)
}

// readable returns a resolver that does not resolve fields that cannot be read. The viewer may resolve the field.
func (op *Operation) readable(next graphql.Resolver) graphql.Resolver {
	return func(ctx context.Context) (any, error) {
		if err := op.unreadableAt(graphql.GetFieldContext(ctx)); err != nil {
			return nil, err
		}
		return next(ctx)
	}
}

// unreadableAt returns the error of a field that gqlgen resolves; nil if it can be read. What was read before the
// resolvers ran has errors of its own.
func (op *Operation) unreadableAt(fc *graphql.FieldContext) error {
	if fc.Parent.Parent == nil || strings.HasPrefix(fc.Field.Name, "__") || strings.HasPrefix(fc.Object, "__") {
		return nil
	}
	f, of := op.fieldAt(fc), fc.Parent
	var names []string
	switch f.Kind {
	case plan.TotalCountField:
		for of.Index != nil {
			of = of.Parent
		}
		names, of = []string{op.fieldAt(of).Read.Count}, of.Parent
	case plan.IdentityField:
		names = op.nodeAt(fc.Parent, fc.Object).Type.Identity
	case plan.ReadField, plan.NodesField:
		if op.valueAt(fc) != nil {
			return nil
		}
		names = f.Sources()
	case plan.GoField:
		names = append(f.Sources(), f.Name)
	default:
		names = []string{f.Name}
	}
	u := op.exec.unreadable.of(of.Result)
	if u == nil {
		return nil
	}
	for _, name := range names {
		for _, unreadable := range u.Fields {
			if unreadable.Name == name {
				return op.Unreadable(f, u.Item, unreadable.Err)
			}
		}
	}
	return nil
}

// unreadableObject returns the error of a field whose hand-written Go could not use an object, because it cannot be
// read as a whole.
func unreadableObject(ctx context.Context, err error) error {
	some, is := errors.AsType[*item.UnreadableError](err)
	if !is {
		return err
	}
	op, fc := current(ctx)
	for _, m := range some.Models {
		for _, f := range m.Fields {
			op.reportUnreadable(fc.Object+"."+fc.Field.Name, m.Item, errors.New(f.Name+": "+f.Err.Error()))
		}
	}
	return ErrUnreadable
}
