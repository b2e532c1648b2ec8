package document

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// numbersRule finds numbers of the schema's own scalars that have more than 64 bits. gqlparser's rule checks only the
// scalars of the specification, and gqlgen panics when it reads such an argument.
var numbersRule = core.Rule{Name: "Numbers", RuleFunc: func(observers *core.Events, addError core.AddErrFunc) {
	observers.OnValue(func(_ *core.Walker, value *ast.Value) {
		isNumber := value.Kind == ast.IntValue || value.Kind == ast.FloatValue
		if !isNumber || value.Definition == nil || value.Definition.OneOf("Int", "Float", "ID") {
			return
		}
		if _, err := value.Value(nil); err != nil {
			addError(core.Message(`Expected value of type "%s", found %s.`, value.ExpectedType, value), core.At(value.Position))
		}
	})
}}
