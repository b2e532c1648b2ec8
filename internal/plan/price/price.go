package price

import (
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
