package loaders

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// declaredCost is the cost of a hand-written resolver as its field's @cost declares it.
type declaredCost struct {
	readUnits, writeUnits float64
}

// declaredCostOf returns the cost that the field's @cost declares, or nil if it has none.
func declaredCostOf(def *ast.FieldDefinition, args map[string]any) *declaredCost {
	d := def.Directives.ForName("cost")
	if d == nil {
		return nil
	}
	declared := d.ArgumentMap(nil)
	c := &declaredCost{readUnits: number(declared["readUnits"]), writeUnits: number(declared["writeUnits"])}
	if of, ok := declared["of"].(string); ok {
		c.writeUnits += number(declared["writeUnitsEach"]) * float64(lengthAt(args, of))
	}
	return c
}

// requests returns how many DynamoDB requests the resolver is assumed to send: one to read and one
// to write.
func (c *declaredCost) requests() float64 {
	n := 0.0
	if c != nil && c.readUnits > 0 {
		n++
	}
	if c != nil && c.writeUnits > 0 {
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
