package plan

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Declared is what the @cost of a hand-written resolver declares for its arguments.
type Declared struct {
	// ReadUnits and WriteUnits are capacity units.
	ReadUnits, WriteUnits float64
	// Requests is how many DynamoDB requests the resolver is assumed to send: one to read, and one to write if there are
	// any write units.
	Requests float64
}

// Declared returns the cost that the field's @cost declares; nil if it has none.
func (b *Bound) Declared(f *Field) *Declared {
	if f.cost == nil {
		return nil
	}
	d := &Declared{ReadUnits: f.cost.readUnits, WriteUnits: f.cost.writeUnits}
	if f.cost.of != "" {
		d.WriteUnits += f.cost.each * float64(lengthAt(f.ast.ArgumentMap(b.variables), f.cost.of))
	}
	for _, units := range [...]float64{d.ReadUnits, d.WriteUnits} {
		if units > 0 {
			d.Requests++
		}
	}
	return d
}

// declaredCost is the @cost of a field.
type declaredCost struct {
	readUnits, writeUnits float64
	// each is the write units for each element of the list at the path of.
	each float64
	of   string
}

// declaredCostOf returns the cost that the field's @cost declares, or nil if it has none.
func declaredCostOf(def *ast.FieldDefinition) *declaredCost {
	d := def.Directives.ForName("cost")
	if d == nil {
		return nil
	}
	declared := d.ArgumentMap(nil)
	of, _ := declared["of"].(string)
	return &declaredCost{
		number(declared["readUnits"]), number(declared["writeUnits"]), number(declared["writeUnitsEach"]), of,
	}
}

func number(raw any) float64 {
	switch raw := raw.(type) {
	case int64:
		return float64(raw)
	case float64:
		return raw
	}
	return 0
}

// lengthAt returns the length of the list at a path of an argument such as input.lines. A single
// value is coerced to a list of one.
//
// https://spec.graphql.org/September2025/#sec-List.Input-Coercion
func lengthAt(args map[string]any, path string) int {
	var at any = args
	for name := range strings.SplitSeq(path, ".") {
		object, ok := at.(map[string]any)
		if !ok {
			return 0
		}
		at = object[name]
	}
	switch at := at.(type) {
	case nil:
		return 0
	case []any:
		return len(at)
	default:
		return 1
	}
}
