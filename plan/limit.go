package plan

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// CodeCostLimit is the code of an operation that was not executed because its Price exceeds the limit.
const CodeCostLimit = "COST_LIMIT"

// LimitError is the error of an operation whose Price exceeds the limit.
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

// CheckPrice returns a LimitError if the operation's Price has more read units than the limit; 0 is no limit.
func (b *Bound) CheckPrice(limit float64) error {
	price := b.Price()
	if limit <= 0 || price.ReadUnits <= limit {
		return nil
	}
	o := b.priced(pageLimits{})
	chain := o.chain()
	e := &LimitError{message: fmt.Sprintf(
		"The operation may take up to %s read units; %s is the most that one may take.",
		plain(price.ReadUnits), plain(limit))}
	if len(chain) > 0 {
		e.message += fmt.Sprintf(" The most expensive field is %s with up to %s.",
			pathOf(chain), plain(min(o.costs, most)))
		e.Position = chain[len(chain)-1].Position
	}
	e.message += " " + b.advice(chain, limit)
	return e
}

// plain formats units without an exponent.
func plain(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

// advice returns the largest page sizes that are within the limit: those of the fields on the way to the most expensive
// field, or else one size for all pages.
func (b *Bound) advice(chain []*pricedField, limit float64) string {
	var pages []*pricedField
	var fields []*ast.Field
	for _, n := range chain {
		if n.page >= 0 {
			pages, fields = append(pages, n), append(fields, n.ast)
		}
	}
	if len(pages) > 0 {
		if size := b.largestPage(limit, fields); size > 0 {
			sizes := make([]string, len(pages))
			for i, n := range pages {
				sizes[i] = fmt.Sprintf("%s: %d", n.direction(), min(n.page, size))
			}
			return "With " + strings.Join(sizes, " and ") + " there it would pass."
		}
	}
	if size := b.largestPage(limit, nil); size > 0 {
		return fmt.Sprintf("With no page larger than %d it would pass.", size)
	}
	return "Ask for less at once: split it into several operations."
}

// largestPage returns the largest size of the fields' pages, or of all pages if there are no fields, with which the
// operation is within the limit; 0 if there is none. A larger page never costs less.
func (b *Bound) largestPage(limit float64, fields []*ast.Field) int {
	exceeds := func(size int) bool {
		return b.priced(pageLimits{size, fields}).price().ReadUnits > limit
	}
	if exceeds(1) {
		return 0
	}
	return 1 + sort.Search(MaxPage-1, func(more int) bool { return exceeds(2 + more) })
}

// direction returns the argument that has the page's size: first or last.
func (n *pricedField) direction() string {
	if n.backward {
		return "last"
	}
	return "first"
}

// name returns the name of the field as a message shows it, with the size of its page.
func (n *pricedField) name() string {
	if n.page < 0 {
		return n.Name
	}
	return fmt.Sprintf("%s(%s: %d)", n.Name, n.direction(), n.page)
}

// pathOf returns the path to a field as a message shows it.
func pathOf(chain []*pricedField) string {
	names := make([]string, len(chain))
	for i, n := range chain {
		names[i] = n.name()
	}
	return strings.Join(names, ".")
}
