package item

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxBytes is the maximum size of an item, attribute names included.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const MaxBytes = 400 << 10

// DynamoDB's limits for values: the significant digits of a number, the decimal exponents of the
// smallest and the largest number, and the depth of nested lists and maps.
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
	// Attribute is the item's attribute that is or contains the value.
	Attribute string
	// Problem continues a sentence that begins with the attribute's name, as in "must be a number".
	Problem string
}

func (e *ValueError) Error() string { return "item: " + e.Attribute + " " + e.Problem }

// Check returns a *ValueError if DynamoDB cannot store a value: text that is no number, such as
// NaN, a number beyond the limits, or a value that is nested too deep.
func (it Item) Check() error {
	for i := range it {
		if problem := it[i].Value.problem(0); problem != "" {
			return &ValueError{it[i].Name, problem}
		}
	}
	return nil
}

// problem returns what is wrong with a value that is nested so deep, "" for nothing.
func (v Value) problem(depth int) string {
	switch v.Kind {
	case Number:
		return numberProblem(v.Text)
	case List, Map:
		if depth++; depth > MaxDepth {
			return fmt.Sprintf("must not be nested deeper than %d levels", MaxDepth)
		}
	}
	for _, e := range v.Elements() {
		if problem := e.problem(depth); problem != "" {
			return problem
		}
	}
	for _, a := range v.Fields() {
		if problem := a.Value.problem(depth); problem != "" {
			return problem
		}
	}
	return ""
}

// isDigits reports whether a text consists of digits alone, at least one.
func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// CheckNumber returns an error for a text that is no Number of DynamoDB.
func CheckNumber(text string) error {
	if problem := numberProblem(text); problem != "" {
		return errors.New("the number " + problem)
	}
	return nil
}

// numberProblem returns what is wrong with a decimal number, "" for nothing. It consists of digits,
// with an optional point and an optional exponent.
func numberProblem(text string) string {
	if len(text) <= MaxDigits && isDigits(text) {
		return ""
	}
	const none = "must be a number"
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	digits := whole + fraction
	signs := len(mantissa) - len(strings.TrimLeft(mantissa, "+-"))
	if signs > 1 || digits == "" || strings.Trim(digits, "0123456789") != "" {
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
		// For a number beyond int, Atoi returns the largest or smallest int. Adding to it would overflow.
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
