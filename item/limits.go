package item

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxBytes is the size of the largest item that DynamoDB stores, attribute names
// included.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const MaxBytes = 400 << 10

// DynamoDB's limits of values: significant digits of a number, the decimal
// exponents of the smallest and the largest one, and how deep lists and maps may
// be within each other.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	MaxDigits   = 38
	MinExponent = -130
	MaxExponent = 125
	MaxDepth    = 32
)

// ValueError is a value that DynamoDB does not store.
type ValueError struct {
	// Attribute is the item's attribute that is or holds the value.
	Attribute string
	// Problem goes on from the attribute's name, as in "must be a number".
	Problem string
}

func (e *ValueError) Error() string { return "item: " + e.Attribute + " " + e.Problem }

// Check finds a value that DynamoDB does not store, whatever it is stored under: a
// number that is none, such as NaN, or beyond the limits, and what is nested too
// deep. Its error is a *ValueError.
func (it Item) Check() error {
	for i := range it {
		if problem := it[i].Value.problem(0); problem != "" {
			return &ValueError{it[i].Name, problem}
		}
	}
	return nil
}

// problem is what is wrong with a value so many lists and maps deep, "" for
// nothing.
func (v Value) problem(depth int) string {
	switch v.Kind {
	case Number:
		return numberProblem(v.Text)
	case List, Map:
		if depth++; depth > MaxDepth {
			return fmt.Sprintf("must not be nested deeper than %d levels", MaxDepth)
		}
	}
	for i := range v.Elements {
		if problem := v.Elements[i].problem(depth); problem != "" {
			return problem
		}
	}
	for i := range v.Fields {
		if problem := v.Fields[i].Value.problem(depth); problem != "" {
			return problem
		}
	}
	return ""
}

// numberProblem takes a decimal number apart: digits, perhaps a point, perhaps an
// exponent.
func numberProblem(text string) string {
	const none = "must be a number"
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	digits := whole + fraction
	if len(mantissa)-len(strings.TrimLeft(mantissa, "+-")) > 1 || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return none
	}
	significant := strings.TrimLeft(digits, "0")
	power := len(whole) - (len(digits) - len(significant)) - 1 // of the first significant digit
	significant = strings.TrimRight(significant, "0")
	if hasExponent {
		n, err := strconv.Atoi(exponent)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return none
		}
		// Beyond int, n is the end that is nearest; twice of it would not fit.
		power += max(min(n, math.MaxInt32), math.MinInt32)
	}
	switch {
	case len(significant) == 0:
		return ""
	case len(significant) > MaxDigits:
		return fmt.Sprintf("must have at most %d significant digits", MaxDigits)
	case power < MinExponent || power > MaxExponent:
		return fmt.Sprintf("must be 0 or from 1E%d to 9.9E+%d, positive or negative", MinExponent, MaxExponent)
	}
	return ""
}
