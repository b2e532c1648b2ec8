package plan

import (
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// CachePolicy returns the policy of an operation: the strictest of its fields, as @cacheControl declares them. A
// field's own hint overrides that of its type. A root field, or a field with a selection, has the maxAge 0 without a
// hint, unless it inherits that of the field above it. Other fields always inherit it.
//
// https://www.apollographql.com/docs/apollo-server/performance/caching
func (p *Plan) CachePolicy() CachePolicy { return p.cachePolicy() }

// newCachePolicy returns the function that computes the policy when it is first needed: most operations are not sent
// by GET.
func (p *Plan) newCachePolicy() func() CachePolicy {
	return sync.OnceValue(func() CachePolicy {
		w := &cacheWalk{schema: p.Schema.AST, walked: make([]bool, p.objects)}
		w.object(p.Root, true)
		return w.policy
	})
}

type cacheWalk struct {
	schema *ast.Schema
	walked []bool
	policy CachePolicy
	// limited is set if a field limits the age.
	limited bool
}

func (w *cacheWalk) object(o *Object, root bool) {
	if w.walked[o.Index] {
		return
	}
	w.walked[o.Index] = true
	for _, f := range o.Fields {
		if f.Kind == TypenameField {
			continue
		}
		w.restrict(w.hintOf(f, root))
		for _, child := range f.Children {
			w.object(child, false)
		}
	}
}

// restrict makes the policy as strict as a field's.
func (w *cacheWalk) restrict(h cacheHint) {
	if h.hasAge && (!w.limited || h.maxAge < w.policy.MaxAge) {
		w.policy.MaxAge, w.limited = max(h.maxAge, 0), true
	}
	w.policy.Private = w.policy.Private || h.private
}

func (w *cacheWalk) hintOf(f *Field, root bool) cacheHint {
	var h cacheHint
	inherits := false
	result := w.schema.Types[f.Definition.Type.Name()]
	if result.IsCompositeType() {
		h = readCacheHint(result.Directives)
		inherits = h.inherit
	}
	own := readCacheHint(f.Definition.Directives)
	if own.inherit && !h.hasAge {
		inherits = true
		own.hasAge = false
	}
	h.override(own)
	if !h.hasAge && (root || result.IsCompositeType() && !inherits) {
		h.hasAge = true // of zero seconds
	}
	return h
}

// cacheHint is the directive of a field or a type.
type cacheHint struct {
	maxAge          int // seconds, if hasAge is set
	hasAge          bool
	private, scoped bool
	inherit         bool
}

func readCacheHint(directives ast.DirectiveList) (h cacheHint) {
	directive := directives.ForName("cacheControl")
	if directive == nil {
		return h
	}
	arguments := directive.ArgumentMap(nil)
	if age, given := arguments["maxAge"].(int64); given {
		h.maxAge, h.hasAge = int(age), true
	}
	if scope, given := arguments["scope"].(string); given {
		h.scoped, h.private = true, scope == "PRIVATE"
	}
	h.inherit, _ = arguments["inheritMaxAge"].(bool)
	return h
}

// override replaces the parts of a hint that another one has.
func (h *cacheHint) override(other cacheHint) {
	if other.hasAge {
		h.maxAge, h.hasAge = other.maxAge, true
	}
	if other.scoped {
		h.scoped, h.private = true, other.private
	}
}
