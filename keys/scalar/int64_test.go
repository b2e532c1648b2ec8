package scalar_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/scalar"
)

func TestInt64(t *testing.T) {
	for n, written := range map[int64]string{
		0: `"0"`, -1: `"-1"`, math.MaxInt64: `"9223372036854775807"`, math.MinInt64: `"-9223372036854775808"`,
		1<<53 + 1: `"9007199254740993"`,
	} {
		var b strings.Builder
		scalar.MarshalInt64(n).MarshalGQL(&b)
		if b.String() != written {
			t.Errorf("%d is written as %s", n, b.String())
		}
		digits := strings.Trim(written, `"`)
		for _, v := range []any{digits, json.Number(digits), n} {
			if got, err := scalar.UnmarshalInt64(v); err != nil || got != n {
				t.Errorf("%T %v: got %d, %v", v, v, got, err)
			}
		}
	}
	for _, bad := range []any{"", "1.0", "9223372036854775808", json.Number("1e3"), 1.5, nil, true} {
		var input *keys.InputError
		if got, err := scalar.UnmarshalInt64(bad); !errors.As(err, &input) || got != 0 {
			t.Errorf("%v: got %v, %v", bad, got, err)
		}
	}
}
