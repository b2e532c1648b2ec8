package loaders

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// ownCost is what a field's @cost says of a resolver that is written by hand.
type ownCost struct {
	readUnits, writeUnits float64
}

// costOf reads the field's @cost; nil for none.
func costOf(def *ast.FieldDefinition, args map[string]any) *ownCost {
	d := def.Directives.ForName("cost")
	if d == nil {
		return nil
	}
	given := d.ArgumentMap(nil)
	c := &ownCost{readUnits: number(given["readUnits"]), writeUnits: number(given["writeUnits"])}
	if of, ok := given["of"].(string); ok {
		c.writeUnits += number(given["writeUnitsEach"]) * float64(lengthAt(args, of))
	}
	return c
}

// requests is how many DynamoDB requests the resolver sends: one to read and one
// to write.
func (c *ownCost) requests() float64 {
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

// lengthAt is the length of the list at a path of an argument such as
// input.lines. A value that stands for a list is a list of one.
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
