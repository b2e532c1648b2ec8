package price

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
)

// Of returns the worst-case cost of an operation. It does not depend on the viewer.
func Of(b *plan.Bound) plan.Price {
	return b.KeptPrice(func(b *plan.Bound) plan.Price { return newOperation(b).price(pageLimits{}) })
}

// OfField returns the worst-case cost of a field of an object by itself, see plan.Schema.CompileField. Of time buckets
// it is the cost of as many as a page may read.
func OfField(s *plan.Schema, parent, name string, arguments ...*ast.Argument) plan.Price {
	b := s.CompileField(parent, name, arguments...).Bind(nil, nil, false)
	b.Now = anyTime
	return Of(b)
}

// anyTime is when a page of time buckets without an upper end is priced: how many it reads does not depend on it.
var anyTime = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// CodeCostLimit is the code of an operation that was not executed because its Price exceeds a limit.
const CodeCostLimit = "COST_LIMIT"

// LimitError is the error of an operation whose Price exceeds a limit.
type LimitError struct {
	message string
	// Position is that of the most expensive field; nil if no field reads anything.
	Position *ast.Position
}

// Error returns the message for the caller. It names the most expensive field and the page sizes with which the
// operation would be executed.
func (e *LimitError) Error() string { return e.message }

// Code returns CodeCostLimit.
func (e *LimitError) Code() string { return CodeCostLimit }

// Limits are the limits of an operation's Price; 0 is no limit. That of Objects does not include the Introspected
// ones, which have a limit of their own that follows from the schema.
type Limits struct {
	ReadUnits, WriteUnits, Objects float64
}

func (l Limits) exceededBy(p plan.Price) bool {
	return exceeds(p.ReadUnits, l.ReadUnits) || exceeds(p.WriteUnits, l.WriteUnits) ||
		exceeds(p.Objects-p.Introspected, l.Objects)
}

func exceeds(n, limit float64) bool { return limit > 0 && n > limit }

// tooMuchIntrospection is the message for an operation whose result of introspection is larger than the limit.
const tooMuchIntrospection = "The operation asks for more of the schema than it has. " +
	"Select less of __schema and __type at once."

// Check returns a LimitError if the operation's Price exceeds one of the limits, or its introspection that of the
// schema.
func Check(b *plan.Bound, limits Limits) error {
	if f := b.IntrospectedTooMuch(); f != nil {
		return &LimitError{tooMuchIntrospection, f.Position}
	}
	price := Of(b)
	if !limits.exceededBy(price) {
		return nil
	}
	o := newOperation(b)
	what, answer := "The operation", "The answer"
	if b.IsEvent() {
		what, answer = "An event of the subscription", "An event"
	}
	e := &LimitError{}
	var chain []step
	var part float64
	switch {
	case exceeds(price.ReadUnits, limits.ReadUnits):
		chain, part = o.root.chain(), o.root.costs
		e.message = fmt.Sprintf("%s may take up to %s read units; %s is the most that one may take.",
			what, plain(price.ReadUnits), plain(limits.ReadUnits))
	case exceeds(price.Objects-price.Introspected, limits.Objects):
		chain, part = newAnswerSize(b, pageLimits{}).chain()
		e.message = fmt.Sprintf("%s may have up to %s objects; %s is the most that one may have.",
			answer, plain(price.Objects-price.Introspected), plain(limits.Objects))
	default:
		e.message = fmt.Sprintf("%s may take up to %s write units; %s is the most that one may take.",
			what, plain(price.WriteUnits), plain(limits.WriteUnits))
	}
	if len(chain) > 0 {
		e.message += fmt.Sprintf(" The most expensive field is %s with up to %s.",
			pathOf(chain), plain(min(part, most)))
		e.Position = chain[len(chain)-1].Position
	}
	e.message += " " + o.advice(chain, limits)
	return e
}

// plain formats units without an exponent.
func plain(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

// advice returns the largest page sizes that are within the limits: those of the fields on the way to the most
// expensive field, or else one size for all pages.
func (o *operation) advice(chain []step, limits Limits) string {
	var pages []step
	var fields []*ast.Position
	for _, n := range chain {
		if n.page >= 0 {
			pages, fields = append(pages, n), append(fields, n.Position)
		}
	}
	if len(pages) > 0 {
		if size := o.largestPage(limits, fields); size > 0 {
			sizes := make([]string, len(pages))
			for i, n := range pages {
				sizes[i] = fmt.Sprintf("%s: %d", n.direction(), min(n.page, size))
			}
			return "With " + strings.Join(sizes, " and ") + " there it would pass."
		}
	}
	if size := o.largestPage(limits, nil); size > 0 {
		return fmt.Sprintf("With no page larger than %d it would pass.", size)
	}
	return "Ask for less at once: split it into several operations."
}

// largestPage returns the largest size of the fields' pages, or of all pages if there are no fields, with which the
// operation is within the limits; 0 if there is none. A larger page never costs less.
func (o *operation) largestPage(limits Limits, fields []*ast.Position) int {
	exceeded := func(size int) bool { return limits.exceededBy(o.limited(pageLimits{size, fields})) }
	if exceeded(1) {
		return 0
	}
	return 1 + sort.Search(plan.MaxPage-1, func(more int) bool { return exceeded(2 + more) })
}
