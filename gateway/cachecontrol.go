package gateway

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/viewer"
)

// The names of the directive that sets how long responses may be cached, as Apollo Server defines it.
//
// https://www.apollographql.com/docs/apollo-server/performance/caching
const (
	cacheDirective  = "cacheControl"
	argumentMaxAge  = "maxAge"
	argumentScope   = "scope"
	argumentInherit = "inheritMaxAge"
	scopePrivate    = "PRIVATE"
	cacheNothing    = "no-store"
	fieldTypename   = "__typename"
)

// A cachePolicy is how long a response may be cached, and whether by shared caches. The zero policy has no
// restriction by any field; such a response must not be cached either.
type cachePolicy struct {
	maxAge  int // seconds, if limited
	limited bool
	private bool
}

// restrict makes the policy as strict as a field's.
func (p *cachePolicy) restrict(h hint) {
	if h.hasAge && (!p.limited || h.maxAge < p.maxAge) {
		p.maxAge, p.limited = max(h.maxAge, 0), true
	}
	p.private = p.private || h.private
}

// A hint is the directive of a field or a type.
type hint struct {
	maxAge  int
	hasAge  bool
	scoped  bool
	private bool
	inherit bool
}

// override replaces the parts of a hint that another one has.
func (h *hint) override(other hint) {
	if other.hasAge {
		h.maxAge, h.hasAge = other.maxAge, true
	}
	if other.scoped {
		h.scoped, h.private = true, other.private
	}
}

func readHint(directives ast.DirectiveList) (h hint) {
	directive := directives.ForName(cacheDirective)
	if directive == nil {
		return h
	}
	arguments := directive.ArgumentMap(nil)
	if age, given := arguments[argumentMaxAge].(int64); given {
		h.maxAge, h.hasAge = int(age), true
	}
	if scope, given := arguments[argumentScope].(string); given {
		h.scoped, h.private = true, scope == scopePrivate
	}
	h.inherit, _ = arguments[argumentInherit].(bool)
	return h
}

// cachePolicyOf returns the policy of a valid query: the strictest of its fields. A field's own hint overrides that
// of its type. A root field, or a field with a selection, has the maxAge 0 without a hint, unless it inherits that of
// the field above it. Other fields always inherit it.
func cachePolicyOf(schema *ast.Schema, operation *ast.OperationDefinition, variables map[string]any) cachePolicy {
	w := cacheWalk{schema: schema, variables: variables, spread: map[string]bool{}}
	w.selectionSet(operation.SelectionSet, true)
	return w.policy
}

type cacheWalk struct {
	schema    *ast.Schema
	variables map[string]any
	policy    cachePolicy
	spread    map[string]bool // fragments, at the root and below it: another spread adds no restriction
}

func (w *cacheWalk) selectionSet(set ast.SelectionSet, root bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if w.includes(s.Directives) && s.Name != fieldTypename {
				w.field(s, root)
			}
		case *ast.InlineFragment:
			if w.includes(s.Directives) {
				w.selectionSet(s.SelectionSet, root)
			}
		case *ast.FragmentSpread:
			key := strconv.FormatBool(root) + s.Name
			if w.includes(s.Directives) && !w.spread[key] {
				w.spread[key] = true
				w.selectionSet(s.Definition.SelectionSet, root)
			}
		}
	}
}

func (w *cacheWalk) field(f *ast.Field, root bool) {
	var h hint
	inherits := false
	result := w.schema.Types[f.Definition.Type.Name()]
	if result.IsCompositeType() {
		h = readHint(result.Directives)
		inherits = h.inherit
	}
	own := readHint(f.Definition.Directives)
	if own.inherit && !h.hasAge {
		inherits = true
		own.hasAge = false
	}
	h.override(own)
	if !h.hasAge && (root || result.IsCompositeType() && !inherits) {
		h.hasAge = true // of zero seconds
	}
	w.policy.restrict(h)
	w.selectionSet(f.SelectionSet, false)
}

// includes evaluates @skip and @include.
func (w *cacheWalk) includes(directives ast.DirectiveList) bool {
	for name, excluded := range map[string]bool{"skip": true, "include": false} {
		if d := directives.ForName(name); d != nil && d.ArgumentMap(w.variables)["if"] == excluded {
			return false
		}
	}
	return true
}

// cacheControl returns the header Cache-Control for a response. A response with errors is not cached, because the
// next one may have none. A response to a viewer is private, whatever the hints are.
func (e *endpoint) cacheControl(r *http.Request, req request, answer result) string {
	if r.Method == http.MethodPost || len(answer.errors) > 0 {
		return cacheNothing
	}
	for _, name := range e.config.RequestHeaders {
		if r.Header.Get(name) != "" {
			return cacheNothing
		}
	}
	policy := cachePolicyOf(e.config.Schema.Schema(), req.operation, req.variables)
	if policy.maxAge == 0 {
		return cacheNothing
	}
	scope := "public"
	if policy.private || !viewer.FromContext(r.Context()).IsAnonymous() || r.Header.Get("Authorization") != "" {
		scope = "private"
	}
	return scope + ", max-age=" + strconv.Itoa(policy.maxAge)
}

// setCaching sets the header Cache-Control. A public response does not contain the caller's budget.
func (r *result) setCaching(header string) {
	r.caching = header
	if strings.HasPrefix(header, "public") {
		r.cost.ThrottleStatus = nil
	}
}

// vary returns the header Vary: the request headers on which responses depend.
func (c Config) vary() string {
	return strings.Join(append([]string{"Accept", "Authorization"}, c.RequestHeaders...), ", ")
}
