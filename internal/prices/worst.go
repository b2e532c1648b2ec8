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
// valid, or has a field that is never read.
func Worst(o Operation, v contract.Version, now time.Time) (plan.Price, error) {
	w, err := newWorst(o, v, now)
	if err != nil {
		return plan.Price{}, err
	}
	return w.price()
}

// WorstParts returns what Worst does, and how the units divide between the table and its indexes with the variables
// that make the operation dearest.
func WorstParts(o Operation, v contract.Version, now time.Time) (plan.Price, []price.Part, error) {
	w, err := newWorst(o, v, now)
	if err != nil {
		return plan.Price{}, nil, err
	}
	most, err := w.price()
	if err != nil {
		return most, nil, err
	}
	bound, err := w.bind(w.values)
	if err != nil {
		return most, nil, err
	}
	if bound.Live != nil && compare(price.Of(bound.OfEvent()), price.Of(bound)) > 0 {
		bound = bound.OfEvent()
	}
	return most, price.Parts(bound), nil
}

func newWorst(o Operation, v contract.Version, now time.Time) (*worst, error) {
	document, err := o.document()
	if err != nil {
		return nil, err
	}
	if faults := validator.ValidateWithRules(v.API, document, rules.NewDefaultRules()); len(faults) > 0 {
		return nil, faults
	}
	w := &worst{
		schema: v.API, design: v.Design, document: document, operation: document.Operations[0],
		plans: plan.NewSchema(v.Design, v.API), now: now, values: map[string]any{}, inside: map[string]int{},
		constant: map[*ast.Position]bool{},
	}
	w.plans.IsWorst = true
	w.collect()
	return w, w.check()
}

// check returns an error for fields that are never read, because arguments without variables are wrong: a connection
// without the size of its page. Their price would be no price of what was meant.
func (w *worst) check() error {
	bound, err := w.bind(w.values)
	if err != nil {
		return err
	}
	var faults gqlerror.List
	for _, p := range bound.ArgumentProblems() {
		if w.constant[p.Position] {
			faults = append(faults, gqlerror.Errorf("%s: %v", p.Coordinate, p.Err))
		}
	}
	if faults != nil {
		return faults
	}
	return nil
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
	bound, err := w.bind(values)
	if err != nil {
		return plan.Price{}, err
	}
	most := price.Of(bound)
	if bound.Live != nil {
		most = greatest(most, price.Of(bound.OfEvent()))
	}
	return most, nil
}

func (w *worst) bind(values map[string]any) (*plan.Bound, error) {
	variables, err := validator.VariableValues(w.schema, w.operation, values)
	if err != nil {
		return nil, gqlerror.List{gqlerror.WrapIfUnwrapped(err)}
	}
	bound := w.plans.Compile(w.document, w.operation, variables).
		Bind(variables, nil, w.operation.Operation == ast.Mutation)
	bound.Now = w.now
	return bound, nil
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
