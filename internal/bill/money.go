package bill

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Amount is an amount of money in billionths of the currency's unit, such as nano-dollars, at most 9 billion units. Its
// JSON is a decimal number of the unit.
type Amount int64

// Quantity is a number of units, of requests or of GB-months in thousandths: DynamoDB reports halves of units. Its JSON
// is a decimal number.
type Quantity int64

const (
	amountDigits   = 9
	quantityDigits = 3
)

// quantityOf returns the quantity of so many units, rounded to the nearest thousandth. It reports whether the quantity
// can be stored.
func quantityOf(units *big.Rat) (Quantity, bool) {
	n, fits := rounded(new(big.Rat).Mul(units, big.NewRat(1000, 1)))
	return Quantity(n), fits
}

// rounded returns the nearest integer, of two the one away from zero. It reports whether an int64 can have it.
func rounded(n *big.Rat) (int64, bool) {
	half := big.NewRat(int64(n.Sign()), 2)
	sum := new(big.Rat).Add(n, half)
	nearest := new(big.Int).Quo(sum.Num(), sum.Denom())
	return nearest.Int64(), nearest.IsInt64()
}

// amountOf returns the amount of so many units of the currency, rounded to the nearest billionth.
func amountOf(units *big.Rat) Amount {
	n, fits := rounded(new(big.Rat).Mul(units, big.NewRat(1e9, 1)))
	if !fits {
		return math.MaxInt64
	}
	return Amount(n)
}

// plus returns the sum, at most the largest amount.
func (a Amount) plus(other Amount) Amount { return other + min(a, math.MaxInt64-other) }

func (q Quantity) rat() *big.Rat { return big.NewRat(int64(q), 1000) }

// String returns a decimal number without zeros at its end.
func (q Quantity) String() string {
	return strings.TrimSuffix(strings.TrimRight(decimal(int64(q), quantityDigits), "0"), ".")
}

// MarshalJSON implements json.Marshaler.
func (q Quantity) MarshalJSON() ([]byte, error) { return []byte(q.String()), nil }

// String returns a decimal number with six digits after the point, rounded to the nearest one.
func (a Amount) String() string {
	millionths, _ := rounded(big.NewRat(int64(a), 1000))
	return decimal(millionths, 6)
}

// MarshalJSON implements json.Marshaler. It has all digits.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(decimal(int64(a), amountDigits)), nil }

// decimal returns n divided by a power of ten, with so many digits after the point.
func decimal(n int64, digits int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	text := strconv.FormatInt(n, 10)
	if missing := digits + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	return sign + text[:len(text)-digits] + "." + text[len(text)-digits:]
}

// parseDecimal returns a number that is written with digits and at most one point, and reports whether it is one.
func parseDecimal(text string) (*big.Rat, bool) {
	const most = 30 // digits of a number that anybody means
	if len(text) > most || strings.Trim(text, "0123456789.") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
