package keys

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
)

// A key attribute that is a Number is a text in a Design, so that the order of texts is that of the numbers: 1 and 19
// digits, or for a negative number 0 and the digits of its distance from the smallest one.
const numberKeyBytes = 20

// numberKey returns the text of a whole number of 64 bits.
func numberKey(n int64) string {
	if n < 0 {
		return fmt.Sprintf("0%019d", uint64(n)-1<<63)
	}
	return fmt.Sprintf("1%019d", n)
}

// numberOf returns the number of a text that numberKey returns; ok is false for any other text.
func numberOf(text string) (n int64, ok bool) {
	if len(text) != numberKeyBytes || text[0] != '0' && text[0] != '1' {
		return 0, false
	}
	digits, err := strconv.ParseInt(text[1:], 10, 64)
	if err != nil || digits < 0 {
		return 0, false
	}
	if text[0] == '0' {
		digits += math.MinInt64
	}
	return digits, true
}

// KeyNumber returns the Number of a key attribute from its text in a Design: the smallest one for a text that sorts
// below all of them, and the largest one for a text that sorts above.
func KeyNumber(text string) string {
	n, ok := numberOf(text)
	switch {
	case ok:
	case text < "0":
		n = math.MinInt64
	default:
		n = math.MaxInt64
	}
	return strconv.FormatInt(n, 10)
}

// ShowPK and ShowSK return the text of a key of the index as people know it: a Number without its place in the order.
func (ix *IndexLayout) ShowPK(pk PK) string { return show(string(pk), ix.PKNumber) }

// ShowSK is ShowPK for a sort key, or for a bound of sort keys.
func (ix *IndexLayout) ShowSK(sk SK) string { return show(string(sk), ix.SKNumber) }

func show(text string, number bool) string {
	if number {
		return KeyNumber(text)
	}
	return strings.ReplaceAll(text, "\U0010FFFF", `\U0010FFFF`)
}

// keyText returns the text of a key attribute of a stored item, "" if it is missing, of another type, or a Number that is
// no whole number of 64 bits.
func keyText(stored item.Item, name string, number bool) string {
	v, _ := stored.Get(name)
	switch {
	case !number && v.Kind == item.String:
		return v.Text
	case number && v.Kind == item.Number:
		if n, err := item.AsInt64(v); err == nil {
			return numberKey(n)
		}
	}
	return ""
}
