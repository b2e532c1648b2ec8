package keys

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestNumberKeys: the texts of Number keys have the order of the numbers, and are read as these.
func TestNumberKeys(t *testing.T) {
	number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64}))
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		if (numberKey(a) < numberKey(b)) != (a < b) {
			t.Errorf("%d is %s, and %d is %s", a, numberKey(a), b, numberKey(b))
		}
		if n, ok := numberOf(numberKey(a)); !ok || n != a || KeyNumber(numberKey(a)) != strconv.FormatInt(a, 10) {
			t.Errorf("%d is read as %d, %v", a, n, ok)
		}
	})
	for text, want := range map[string]string{
		" ": "-9223372036854775808", "": "-9223372036854775808", "\U0010FFFF": "9223372036854775807",
	} {
		if got := KeyNumber(text); got != want {
			t.Errorf("the bound %q is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "7", "20000000000000000007", "1-000000000000000007", "1 000000000000000007"} {
		if n, ok := numberOf(text); ok {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}
