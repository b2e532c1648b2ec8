package plan

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// declaredCost is the cost of a hand-written resolver as its field's @cost declares it.
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

// writes returns the write units for a field's arguments.
func (c *declaredCost) writes(arguments map[string]any) float64 {
	if c.of == "" {
		return c.writeUnits
	}
	return c.writeUnits + c.each*float64(lengthAt(arguments, c.of))
}

// requests returns how many DynamoDB requests the resolver is assumed to send: one to read, and one to write if there
// are any write units.
func (c *declaredCost) requests(writes float64) float64 {
	n := 0.0
	if c.readUnits > 0 {
		n++
	}
	if writes > 0 {
		n++
	}
	return n
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
