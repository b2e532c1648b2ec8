package loaders

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
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
	v := viewer.FromContext(ctx)
	if err := e.authorize(ctx, check, fc, &v); err != nil {
		return nil, err
	}
	result, err := next(ctx)
	if err == nil && check.checksResult && !e.allowsModel(&v, result) {
		return nil, plan.ErrForbidden
	}
	return result, err
}

// authorize returns a plan.AccessError if the viewer may not resolve the field.
func (e *Engine) authorize(
	ctx context.Context, check *accessCheck, fc *graphql.FieldContext, v *viewer.Viewer,
) error {
	if check.rule.IsPublic() {
		return nil
	}
	owner, known := "", true
	switch {
	case check.ownerIsArgument:
		owner = argumentOwner(fc.Args[check.rule.Owner])
	case check.isMutation && check.rule.Owner != "":
		known = false // The object has the owner: the resolver that replaces a generated one decides.
	case check.rule.Owner != "" && fc.Parent != nil:
		_, owner = e.design.ModelOwner(fc.Parent.Result, check.rule.Owner)
		if e.isContested(ctx, fc.Parent.Result, check.rule.Owner) {
			owner = ""
		}
	}
	if check.isMutation {
		_, err := plan.DecideMutation(check.rule, v, owner, known)
		return err
	}
	if plan.Decide(check.rule, v, owner, known) != plan.Allow {
		return plan.ErrForbidden
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

// allowsModel reports whether the viewer may read what a resolver has returned: an object, or all
// objects of a list.
func (e *Engine) allowsModel(v *viewer.Viewer, result any) bool {
	if typ, _ := e.design.ModelOwner(result, ""); typ != "" {
		t := e.design.Type(typ)
		owner := ""
		if t.Rule != nil && t.Rule.Owner != "" {
			_, owner = e.design.ModelOwner(result, t.Rule.Owner)
		}
		return plan.Decide(t.Rule, v, owner, true) == plan.Allow
	}
	list := reflect.ValueOf(result)
	if list.Kind() != reflect.Slice {
		return true
	}
	for i := range list.Len() {
		if !e.allowsModel(v, list.Index(i).Interface()) {
			return false
		}
	}
	return true
}
