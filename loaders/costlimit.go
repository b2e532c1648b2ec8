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

// CodeCostLimit says that the operation's Estimate is above Options.MaxReadUnits,
// so it was not executed.
const CodeCostLimit = "COST_LIMIT"

// costError is why an operation is refused for its Estimate.
type costError string

func (e costError) Error() string { return string(e) }

// Code implements the gateway's form of errors that are meant for the caller.
func (e costError) Code() string { return CodeCostLimit }

// refuse says which field makes an operation too expensive, and with which page
// sizes it would pass.
func (e *Estimator) refuse(request *graphql.OperationContext, est Estimate, limit float64) *gqlerror.Error {
	chain := est.root.chain()
	message := fmt.Sprintf("The operation may take up to %s read units; %s is the most that one may take.", plain(est.ReadUnits), plain(limit))
	if len(chain) > 0 {
		message += fmt.Sprintf(" The most expensive field is %s with up to %s.", pathOf(chain), plain(min(est.root.costs, most)))
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

// plain writes units without an exponent.
func plain(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

// advice finds the largest pages that would pass: those on the way to the most
// expensive field, or else all.
func (e *Estimator) advice(request *graphql.OperationContext, chain []*step, limit float64) string {
	var sizes []string
	var paged []*ast.Field
	for _, s := range chain {
		if s.page >= 0 {
			paged = append(paged, s.group[0].Field)
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
		if n := largest(paged); n > 0 {
			for _, s := range chain {
				if s.page >= 0 {
					sizes = append(sizes, fmt.Sprintf("%s: %d", s.direction(), min(s.page, n)))
				}
			}
			return "With " + strings.Join(sizes, " and ") + " there it would pass."
		}
	}
	if n := largest(nil); n > 0 {
		return fmt.Sprintf("With no page larger than %d it would pass.", n)
	}
	return "Ask for less at once: split it into several operations."
}

// direction is the argument that a page's size stands in.
func (s *step) direction() string {
	if s.args["last"] != nil || s.args["before"] != nil {
		return "last"
	}
	return "first"
}

// chain leads from the root to the field that reads the most.
func (l *level) chain() []*step {
	var steps []*step
	for l != nil && l.costliest != nil && l.costs > 0 {
		s := l.costliest
		steps = append(steps, s)
		if s.own.units >= l.costs {
			return steps
		}
		costs := l.costs
		l = nil
		for _, b := range s.below {
			if bounded(b.items*b.level.costs) >= costs {
				l = b.level
			}
		}
	}
	return steps
}

// pathOf is how a person would write the way to a field.
func pathOf(chain []*step) string {
	names := make([]string, len(chain))
	for i, s := range chain {
		names[i] = s.name()
	}
	return strings.Join(names, ".")
}
