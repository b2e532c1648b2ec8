package loaders

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// guard is what is asked at a field before or after it is resolved.
type guard struct {
	// rule of the field; nil when it has none.
	rule *keys.Rule
	// argument is set when the owner is one of the field's arguments.
	argument bool
	// mutates is set on the fields of Mutation.
	mutates bool
	// checksResult is set when the field may return an object of a type with a rule,
	// and is not a page of the loaders, which has been judged when it was read.
	checksResult bool
}

// guards are by field and object type. Most names of fields stand in none.
type guards map[string]map[string]*guard

func newGuards(design *keys.Design, schema *ast.Schema) guards {
	all := guards{}
	pages := pageTypes(design, schema)
	for _, def := range schema.Types {
		if def.Kind != ast.Object || def.BuiltIn {
			continue
		}
		for _, f := range def.Fields {
			g := guard{rule: design.Rule(def.Name, f.Name), mutates: def == schema.Mutation}
			if g.mutates && g.rule == nil {
				g.rule = &keys.Rule{} // Nobody may do what nobody has been allowed to.
			}
			g.argument = g.rule != nil && f.Arguments.ForName(g.rule.Owner) != nil
			g.checksResult = !pages[def.Name] && mayBeRuled(design, schema, f.Type.Name())
			if !g.rule.IsPublic() || g.checksResult {
				if all[f.Name] == nil {
					all[f.Name] = map[string]*guard{}
				}
				all[f.Name][def.Name] = &g
			}
		}
	}
	return all
}

// pageTypes are the connection types that the loaders fill, and their edges.
func pageTypes(design *keys.Design, schema *ast.Schema) map[string]bool {
	pages := map[string]bool{}
	for _, fd := range design.Fields {
		if def := schema.Types[fd.Parent]; def != nil && fd.Result == keys.Connection {
			pages[fd.Edge] = true
			pages[def.Fields.ForName(fd.Name).Type.Name()] = true
		}
	}
	return pages
}

// mayBeRuled reports whether a value of the type may be an object of a type with
// a rule.
func mayBeRuled(design *keys.Design, schema *ast.Schema, name string) bool {
	def := schema.Types[name]
	if def == nil || !def.IsCompositeType() {
		return false
	}
	for _, object := range schema.GetPossibleTypes(def) {
		if t := design.Type(object.Name); t != nil && !t.Rule.IsPublic() {
			return true
		}
	}
	return false
}

// InterceptField keeps fields and objects from those whom their rules do not
// admit. What the loaders read they judge themselves, before they read it; this
// also holds for attributes, for mutations and for what resolvers return that are
// written by hand.
func (e *Engine) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	if len(e.guards) == 0 {
		return next(ctx)
	}
	fc := graphql.GetFieldContext(ctx)
	g := e.guards[fc.Field.Name][fc.Object]
	if g == nil {
		return next(ctx)
	}
	v := viewer.FromContext(ctx)
	if err := e.refusal(g, fc, &v); err != nil {
		return nil, err
	}
	result, err := next(ctx)
	if err == nil && g.checksResult && !e.seesModel(&v, result) {
		return nil, errForbidden
	}
	return result, err
}

// refusal is why the field may not be resolved for the viewer, or nil.
func (e *Engine) refusal(g *guard, fc *graphql.FieldContext, v *viewer.Viewer) error {
	if g.rule.IsPublic() {
		return nil
	}
	owner := ""
	switch {
	case g.argument:
		owner = argumentOwner(fc.Args[g.rule.Owner])
	case g.rule.Owner != "" && fc.Parent != nil:
		_, owner = e.design.ModelOwner(fc.Parent.Result, g.rule.Owner)
	}
	switch {
	case judge(g.rule, v, owner, true) == admitted:
		return nil
	case !g.mutates:
		return errForbidden
	case v.IsAnonymous():
		return errSignIn
	default:
		return errNotYours
	}
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

// seesModel reports whether the viewer may see what a resolver has returned: an
// object, or each one of a list.
func (e *Engine) seesModel(v *viewer.Viewer, result any) bool {
	if typ, _ := e.design.ModelOwner(result, ""); typ != "" {
		t := e.design.Type(typ)
		owner := ""
		if t.Rule != nil && t.Rule.Owner != "" {
			_, owner = e.design.ModelOwner(result, t.Rule.Owner)
		}
		return judge(t.Rule, v, owner, true) == admitted
	}
	list := reflect.ValueOf(result)
	if list.Kind() != reflect.Slice {
		return true
	}
	for i := range list.Len() {
		if !e.seesModel(v, list.Index(i).Interface()) {
			return false
		}
	}
	return true
}
