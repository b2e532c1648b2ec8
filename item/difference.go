package item

import (
	"math/big"
	"slices"
	"strconv"
)

// Difference returns a Number that is exactly of minus less, or NULL if one of them is. If one is no number, it is
// returned as it is, so that whoever reads the difference finds what is wrong.
func Difference(of, less Value) Value {
	if of.Kind == Null || less.Kind == Null {
		return Value{}
	}
	for _, v := range [...]Value{of, less} {
		if v.Kind != Number {
			return v
		}
	}
	a, errOf := strconv.ParseInt(of.Text, 10, 64)
	b, errLess := strconv.ParseInt(less.Text, 10, 64)
	if n := a - b; errOf == nil && errLess == nil && (n < a) == (b > 0) {
		return IntValue(n)
	}
	return exactDifference(of, less)
}

// exactDifference is Difference for Numbers that are not whole, have an exponent, or differ by more than 64 bits.
func exactDifference(of, less Value) Value {
	a, isOf := new(big.Rat).SetString(of.Text)
	b, isLess := new(big.Rat).SetString(less.Text)
	switch {
	case !isOf:
		return of
	case !isLess:
		return less
	}
	n := a.Sub(a, b)
	digits, _ := n.FloatPrec() // exact, because both are decimal
	return Value{Kind: Number, Text: n.FloatString(digits)}
}

// WithDifference returns the item with one more attribute, the Difference of two others.
func (it Item) WithDifference(name, of, less string) Item {
	a, _ := it.Find(of)
	b, _ := it.Find(less)
	return append(slices.Clip(it), Attribute{Name: name, Value: Difference(a, b)})
}
