package loaders

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// InterceptField applies the access rules of fields and objects, and counts what Go code adds to the answer. The
// loaders authorize their Reads before they send them, and count them; InterceptField covers everything else:
// attributes, mutations, and the results of hand-written resolvers. Fields that cannot be read have an error.
func (e *Engine) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	if err := e.notReady(ctx); err != nil {
		return nil, err
	}
	if e.unreadable.Load() {
		if op := OperationOf(ctx); op != nil && op.IsUnreadable() {
			next = op.readable(next)
		}
	}
	result, err := e.authorized(ctx, next)
	if err != nil {
		return result, unreadableObject(ctx, err)
	}
	return result, answerModels(ctx, result)
}

// authorized returns the result of a field that the viewer may resolve.
func (e *Engine) authorized(ctx context.Context, next graphql.Resolver) (any, error) {
	if len(e.accessChecks) == 0 {
		return next(ctx)
	}
	fc := graphql.GetFieldContext(ctx)
	check := e.accessChecks[fc.Field.Name][fc.Object]
	if check == nil {
		return next(ctx)
	}
	op := OperationOf(ctx)
	if err := op.authorize(ctx, check, fc); err != nil {
		return nil, err
	}
	result, err := next(ctx)
	if err != nil || !check.checksResult {
		return result, err
	}
	if err := OperationOf(ctx).authorizeModels(ctx, result); err != nil {
		return nil, err
	}
	return result, nil
}

// authorize returns a plan.AccessError if the viewer may not resolve the field, or the error of the Read of a member.
func (op *Operation) authorize(ctx context.Context, check *accessCheck, fc *graphql.FieldContext) error {
	if check.rule.IsPublic() {
		return nil
	}
	e, m := op.engine, plan.Model{IsOwned: true}
	switch {
	case check.ownerIsArgument:
		m.Owner = argumentOwner(fc.Args[check.rule.Owner])
	case check.isMutation && check.rule.Owner != "":
		m.IsOwned = false // The object has the owner: the resolver that replaces a generated one decides.
	case check.rule.Owner != "" && fc.Parent != nil:
		_, m.Owner = e.design.ModelOwner(fc.Parent.Result, check.rule.Owner)
		if e.isContested(ctx, fc.Parent.Result, check.rule.Owner) {
			m.Owner = ""
		}
	}
	m.Value = func(of *design.Member, name string) keys.Value { return e.valueFor(ctx, fc, of, name) }
	if err := op.readMembersOf(op.bound.AwaitedByModel(nil, check.rule, m)); err != nil {
		return err
	}
	d := op.bound.DecideModel(check.rule, m)
	if check.isMutation {
		if d == plan.Unknown && !check.decidesItself {
			d = plan.Deny
		}
		_, err := plan.DenyMutation(d, op.bound.Viewer)
		return err
	}
	if d != plan.Allow {
		return plan.ErrForbidden
	}
	return nil
}

// valueFor returns the value of a variable of a member's key: that of an argument of the field, or of its parent.
func (e *Engine) valueFor(ctx context.Context, fc *graphql.FieldContext, m *design.Member, name string) keys.Value {
	for _, a := range m.Arguments {
		if a.Name == name {
			variables := graphql.GetOperationContext(ctx).Variables
			return keys.ArgumentValue(a, fc.Field.ArgumentMap(variables)[name])
		}
	}
	if fc.Parent == nil {
		return keys.Value{}
	}
	return e.modelValue(ctx, fc.Parent.Result, name)
}

// modelValue returns the value of a field of a model; none if its key and its attribute disagree.
func (e *Engine) modelValue(ctx context.Context, model any, name string) keys.Value {
	if e.isContested(ctx, model, name) {
		return keys.Value{}
	}
	return e.design.ModelValue(model, name)
}

// ruledModel is an object of a type with a rule that a resolver has returned.
type ruledModel struct {
	rule *design.Rule
	plan.Model
}

// authorizeModels returns ErrForbidden if the viewer may not read what a resolver has returned, an object or all
// objects of a list, or the error of the Read of a member.
func (op *Operation) authorizeModels(ctx context.Context, result any) error {
	models := op.engine.ruledModels(ctx, nil, result)
	var members []keys.Key
	for _, m := range models {
		members = op.bound.AwaitedByModel(members, m.rule, m.Model)
	}
	if err := op.readMembersOf(members); err != nil {
		return err
	}
	for _, m := range models {
		if op.bound.DecideModel(m.rule, m.Model) != plan.Allow {
			return plan.ErrForbidden
		}
	}
	return nil
}

// ruledModels appends the objects with rules in what a resolver has returned.
func (e *Engine) ruledModels(ctx context.Context, to []ruledModel, result any) []ruledModel {
	if typ, _ := e.design.ModelOwner(result, ""); typ != "" {
		m := ruledModel{rule: e.design.Type(typ).Rule, Model: plan.Model{IsOwned: true}}
		if m.rule != nil && m.rule.Owner != "" {
			_, m.Owner = e.design.ModelOwner(result, m.rule.Owner)
		}
		m.Value = func(_ *design.Member, name string) keys.Value { return e.modelValue(ctx, result, name) }
		return append(to, m)
	}
	list := reflect.ValueOf(result)
	if list.Kind() != reflect.Slice {
		return to
	}
	for i := range list.Len() {
		to = e.ruledModels(ctx, to, list.Index(i).Interface())
	}
	return to
}

// readMembersOf reads members.
func (op *Operation) readMembersOf(members []keys.Key) error {
	if len(members) == 0 {
		return nil
	}
	// Fields that are resolved at the same time are usually decided by the same member.
	op.deciding.Lock()
	defer op.deciding.Unlock()
	r := &run{op: op}
	var states []*state
	for _, key := range members {
		if !op.bound.Members.Has(key) {
			states = append(states, r.member(key, false))
		}
	}
	r.all()
	for _, s := range states {
		if s.err != nil {
			return s.err
		}
	}
	return nil
}

func argumentOwner(value any) string {
	switch id := value.(type) {
	case keys.ID:
		return id.Value()
	case *keys.ID:
		return keys.IDOrNone(id).Value()
	default:
		return ""
	}
}
