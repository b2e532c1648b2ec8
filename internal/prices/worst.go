package prices

import (
	"cmp"
	"maps"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
)

// Worst returns what an operation costs at worst in a version of an API, which has a design: of a subscription, the
// greatest of each number for its first state and one event. The error is a gqlerror.List for an operation that is not
// valid.
func Worst(o Operation, v contract.Version, now time.Time) (plan.Price, error) {
	document, err := o.document()
	if err != nil {
		return plan.Price{}, err
	}
	if faults := validator.ValidateWithRules(v.API, document, rules.NewDefaultRules()); len(faults) > 0 {
		return plan.Price{}, faults
	}
	w := &worst{
		schema: v.API, design: v.Design, document: document, operation: document.Operations[0],
		plans: plan.NewSchema(v.Design, v.API), now: now, values: map[string]any{}, inside: map[string]int{},
	}
	w.plans.IsWorst = true
	w.collect()
	return w.price()
}

// price tries the choices one after the other, and keeps what costs more. What one of them adds seldom depends on
// another: they are about different fields. The result has the greatest of each number.
func (w *worst) price() (plan.Price, error) {
	most, err := w.priceWith(w.values)
	if err != nil {
		return plan.Price{}, err
	}
	kept := most
	for range 2 {
		for _, options := range w.choices {
			for _, option := range options {
				values := maps.Clone(w.values)
				maps.Copy(values, option)
				price, err := w.priceWith(values)
				if err != nil {
					return plan.Price{}, err
				}
				most = greatest(most, price)
				if compare(price, kept) > 0 {
					kept, w.values = price, values
				}
			}
		}
	}
	return most, nil
}

func (w *worst) priceWith(values map[string]any) (plan.Price, error) {
	variables, err := validator.VariableValues(w.schema, w.operation, values)
	if err != nil {
		return plan.Price{}, gqlerror.List{gqlerror.WrapIfUnwrapped(err)}
	}
	compiled := w.plans.Compile(w.document, w.operation, variables)
	bound := compiled.Bind(variables, nil, w.operation.Operation == ast.Mutation)
	bound.Now = w.now
	most := price.Of(bound)
	if compiled.Live != nil {
		most = greatest(most, price.Of(bound.OfEvent()))
	}
	return most, nil
}

func compare(a, b plan.Price) int {
	return cmp.Or(
		cmp.Compare(a.ReadUnits+a.WriteUnits, b.ReadUnits+b.WriteUnits), cmp.Compare(a.Requests, b.Requests),
		cmp.Compare(a.Waves, b.Waves), cmp.Compare(a.Objects, b.Objects),
	)
}

func greatest(a, b plan.Price) plan.Price {
	return plan.Price{
		ReadUnits: max(a.ReadUnits, b.ReadUnits), WriteUnits: max(a.WriteUnits, b.WriteUnits),
		Objects: max(a.Objects, b.Objects), Introspected: max(a.Introspected, b.Introspected),
		Requests: max(a.Requests, b.Requests), Waves: max(a.Waves, b.Waves),
	}
}
