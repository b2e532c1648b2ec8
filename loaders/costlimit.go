package loaders

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// CodeCostLimit is the code of an operation that was not executed because its Estimate exceeds
// Options.MaxReadUnits.
const CodeCostLimit = "COST_LIMIT"

// costError is the error of an operation whose Estimate exceeds the limit.
type costError string

func (e costError) Error() string { return string(e) }

// Code returns CodeCostLimit. The gateway shows errors with a code to the caller.
func (e costError) Code() string { return CodeCostLimit }

// costLimitError returns the error of an operation that is too expensive. It names the most
// expensive field and the page sizes with which the operation would be executed.
func (e *Estimator) costLimitError(
	request *graphql.OperationContext, est Estimate, limit float64,
) *gqlerror.Error {
	chain := est.root.chain()
	message := fmt.Sprintf("The operation may take up to %s read units; %s is the most that one may take.",
		plain(est.ReadUnits), plain(limit))
	if len(chain) > 0 {
		message += fmt.Sprintf(" The most expensive field is %s with up to %s.",
			pathOf(chain), plain(min(est.root.costs, most)))
	}
	message += " " + e.advice(request, chain, limit)
	err := gqlerror.WrapIfUnwrapped(costError(message))
	if len(chain) > 0 {
		if at := chain[len(chain)-1].group[0].Position; at != nil {
			err.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
		}
	}
	return err
}

// plain formats units without an exponent.
func plain(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

// advice returns the largest page sizes that are within the limit: those of the fields on the way to
// the most expensive field, or else one size for all pages.
func (e *Estimator) advice(request *graphql.OperationContext, chain []*fieldNode, limit float64) string {
	var sizes []string
	var paged []*ast.Field
	for _, n := range chain {
		if n.page >= 0 {
			paged = append(paged, n.group[0].Field)
		}
	}
	largest := func(only []*ast.Field) int {
		return sort.Search(MaxPage, func(k int) bool {
			est := e.capped(request, func(f *ast.Field, page int) int {
				if only != nil && !slices.Contains(only, f) {
					return page
				}
				return min(page, k+1)
			})
			return est.ReadUnits > limit
		})
	}
	if len(paged) > 0 {
		if size := largest(paged); size > 0 {
			for _, n := range chain {
				if n.page >= 0 {
					sizes = append(sizes, fmt.Sprintf("%s: %d", n.direction(), min(n.page, size)))
				}
			}
			return "With " + strings.Join(sizes, " and ") + " there it would pass."
		}
	}
	if size := largest(nil); size > 0 {
		return fmt.Sprintf("With no page larger than %d it would pass.", size)
	}
	return "Ask for less at once: split it into several operations."
}

// direction returns the argument that has the page's size: first or last.
func (n *fieldNode) direction() string {
	if n.args["last"] != nil || n.args["before"] != nil {
		return "last"
	}
	return "first"
}

// chain returns the fields from the root to the one with the most read units of its own.
func (o *objectNode) chain() []*fieldNode {
	var chain []*fieldNode
	for o != nil && o.costliest != nil && o.costs > 0 {
		n := o.costliest
		chain = append(chain, n)
		if n.own.units >= o.costs {
			return chain
		}
		costs := o.costs
		o = nil
		for _, c := range n.children {
			if bounded(c.items*c.object.costs) >= costs {
				o = c.object
			}
		}
	}
	return chain
}

// pathOf returns the path to a field as a message shows it.
func pathOf(chain []*fieldNode) string {
	names := make([]string, len(chain))
	for i, n := range chain {
		names[i] = n.name()
	}
	return strings.Join(names, ".")
}
