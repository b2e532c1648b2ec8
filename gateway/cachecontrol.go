package gateway

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/viewer"
)

// The names of the directive by which a schema says how long answers may be kept, as Apollo Server defines it
// (https://www.apollographql.com/docs/apollo-server/performance/caching).
const (
	cacheDirective  = "cacheControl"
	argumentMaxAge  = "maxAge"
	argumentScope   = "scope"
	argumentInherit = "inheritMaxAge"
	scopePrivate    = "PRIVATE"
	cacheNothing    = "no-store"
	fieldTypename   = "__typename"
)

// A cachePolicy is how long an answer may be kept, and by whom. The zero policy is that of an answer that nothing has restricted: it
// must not be kept either.
type cachePolicy struct {
	maxAge  int // seconds, where limited
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

// A hint is what a schema says of a field or a type.
type hint struct {
	maxAge  int
	hasAge  bool
	scoped  bool
	private bool
	inherit bool
}

// override takes over what another hint says.
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

// cachePolicyOf gives the policy of a valid query: the strictest of its fields. A field's own hint comes before that of its type. A root field,
// or one that has fields, is not kept without a maxAge, unless it inherits that of the field above it; any other goes with that one.
func cachePolicyOf(schema *ast.Schema, operation *ast.OperationDefinition, variables map[string]any) cachePolicy {
	w := cacheWalk{schema: schema, variables: variables, spread: map[string]bool{}}
	w.selectionSet(operation.SelectionSet, true)
	return w.policy
}

type cacheWalk struct {
	schema    *ast.Schema
	variables map[string]any
	policy    cachePolicy
	spread    map[string]bool // fragments at the root and below it: another spread restricts nothing more
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

// cacheControl is the header of that name for an answer to a query. What a signed-in viewer gets is the viewer's own, whatever the hints say, and
// an answer with errors may be a better one the next time.
func (e *endpoint) cacheControl(r *http.Request, operation *ast.OperationDefinition, variables map[string]any, answer result) string {
	if r.Method == http.MethodPost || len(answer.errors) > 0 {
		return cacheNothing
	}
	for _, name := range e.config.RequestHeaders {
		if r.Header.Get(name) != "" {
			return cacheNothing
		}
	}
	policy := cachePolicyOf(e.config.Schema.Schema(), operation, variables)
	if policy.maxAge == 0 {
		return cacheNothing
	}
	scope := "public"
	if policy.private || !viewer.FromContext(r.Context()).IsAnonymous() || r.Header.Get("Authorization") != "" {
		scope = "private"
	}
	return scope + ", max-age=" + strconv.Itoa(policy.maxAge)
}

// setCaching sets the header Cache-Control. What others may get, too, does not tell of the caller's budget.
func (r *result) setCaching(header string) {
	r.caching = header
	if strings.HasPrefix(header, "public") {
		r.cost.ThrottleStatus = nil
	}
}

// vary names the request headers by which answers differ.
func (c Config) vary() string {
	return strings.Join(append([]string{"Accept", "Authorization"}, c.RequestHeaders...), ", ")
}
