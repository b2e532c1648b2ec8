package operation

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/99designs/gqlgen/graphql"
)

var errIntTooLarge = errors.New("gateway: a resolver has returned an Int of more than 32 bits")

// checkInts returns an error if a resolver has returned an Int of more than 32 bits, which gqlgen would write.
//
// https://spec.graphql.org/September2025/#sec-Int
func checkInts(ctx context.Context, result any) error {
	if !isTooLarge(result) || graphql.GetFieldContext(ctx).Field.Definition.Type.Name() != "Int" {
		return nil
	}
	return errIntTooLarge
}

// isTooLarge reports whether a value is an int of more than 32 bits, or a list with one.
func isTooLarge(result any) bool {
	exceeds := func(n int) bool { return n < math.MinInt32 || n > math.MaxInt32 }
	pointed := func(n *int) bool { return n != nil && exceeds(*n) }
	switch v := result.(type) {
	case int:
		return exceeds(v)
	case *int:
		return pointed(v)
	case []int:
		return slices.ContainsFunc(v, exceeds)
	case []*int:
		return slices.ContainsFunc(v, pointed)
	default:
		return false
	}
}
