package keys

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
)

// numberDigits is how many digits before the decimal point the text of a Number key attribute has. That of a number
// with more begins with long, which sorts above digits, and their number in longWidth digits.
const (
	numberDigits = 19
	long         = ":"
	longWidth    = 3
)

// TextOfNumber returns the text of a Number key attribute in a Design: digits padded with zeros, or for a negative
// number a minus, the complement of each character, and one that sorts above digits and the decimal point. The order of
// texts is that of the numbers. ok is false for any other text than that of a Number without an exponent.
func TextOfNumber(number string) (text string, ok bool) {
	magnitude, negative := strings.CutPrefix(number, "-")
	whole, fraction, hasFraction := strings.Cut(magnitude, ".")
	if !isNumber(whole) || len(whole) > item.MaxExponent+1 || negative && magnitude == "0" ||
		len(strings.Trim(whole+fraction, "0")) > item.MaxDigits || hasFraction && !isDigits(fraction) {
		return "", false
	}
	if text = magnitude; len(whole) < numberDigits {
		text = strings.Repeat("0", numberDigits-len(whole)) + magnitude
	} else if len(whole) > numberDigits {
		text = fmt.Sprintf("%s%0*d%s", long, longWidth, len(whole), magnitude)
	}
	if negative {
		text = "-" + complement(text) + "~"
	}
	return text, true
}

// numberOf returns the Number with the text: it is the inverse of TextOfNumber.
func numberOf(text string) (number string, ok bool) {
	magnitude, negative := strings.CutPrefix(text, "-")
	if negative {
		magnitude = complement(strings.TrimSuffix(magnitude, "~"))
	}
	digits := numberDigits
	if rest, isLong := strings.CutPrefix(magnitude, long); isLong && len(rest) > longWidth {
		digits, _ = strconv.Atoi(rest[:longWidth])
		magnitude = rest[longWidth:]
	}
	whole, fraction, hasFraction := strings.Cut(magnitude, ".")
	if len(whole) != digits || !isDigits(whole) || hasFraction && !isDigits(fraction) {
		return "", false
	}
	number = strings.TrimLeft(magnitude, "0")
	if number == "" || number[0] == '.' {
		number = "0" + number
	}
	if negative {
		number = "-" + number
	}
	return number, true
}

// complement replaces each digit by what it lacks to nine, and long by what sorts below digits. It is its own inverse.
func complement(text string) string {
	return strings.Map(func(r rune) rune {
		if '/' <= r && r <= ':' {
			return '/' + ':' - r
		}
		return r
	}, text)
}

// largestNumber is the largest Number. The smallest is the same with a minus.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-data-types-number
const largestNumber = "9.9999999999999999999999999999999999999E+125"

// KeyNumber returns the text that a Number key attribute has in a Design as a Number: the smallest one for a text that
// sorts below all of them, and the largest one for a text that sorts above.
func KeyNumber(text string) string {
	if number, ok := numberOf(text); ok {
		return number
	}
	if text < "-" {
		return "-" + largestNumber
	}
	return largestNumber
}

// keyText returns the text of a key attribute of a stored item, "" if it is missing or of another type.
func keyText(stored item.Item, name string, number bool) string {
	v, _ := stored.Get(name)
	switch {
	case !number && v.Kind == item.String:
		return v.Text
	case number && v.Kind == item.Number:
		return textOf(v)
	}
	return ""
}

// textOf returns the text of a Number, which DynamoDB may have written with an exponent, "" if it has none.
func textOf(v item.Value) string {
	number, ok := decimal(v.Text)
	if !ok {
		return ""
	}
	text, _ := TextOfNumber(number)
	return text
}

// decimal returns the only text of a Number without an exponent and without zeros that it does not need: DynamoDB may
// have written it with an exponent, and other servers with such zeros. ok is false for any other text, and for a number
// that DynamoDB cannot store.
func decimal(text string) (number string, ok bool) {
	if item.CheckNumber(text) != nil {
		return "", false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa, negative := strings.CutPrefix(strings.TrimPrefix(mantissa, "+"), "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent) // 0 without one
	digits, point := whole+fraction, len(whole)+power
	zeros := len(digits) - len(strings.TrimLeft(digits, "0"))
	digits, point = strings.TrimRight(digits[zeros:], "0"), point-zeros
	if digits == "" {
		return "0", true
	}
	switch {
	case point <= 0:
		number = "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		number = digits + strings.Repeat("0", point-len(digits))
	default:
		number = digits[:point] + "." + digits[point:]
	}
	if negative {
		number = "-" + number
	}
	return number, true
}

// isNumber reports whether the text is a number from 0 without padding. No other text of the number
// is allowed, so that one object has one global ID.
func isNumber(text string) bool { return isDigits(text) && (text[0] != '0' || len(text) == 1) }

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
