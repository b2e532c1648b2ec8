package scalar_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/scalar"
)

func TestTime(t *testing.T) {
	want := time.Date(2026, 1, 31, 9, 30, 0, 250e6, time.UTC)
	for _, text := range []string{"2026-01-31T09:30:00.25Z", "2026-01-31T10:30:00.250+01:00"} {
		if got, err := scalar.UnmarshalTime(text); err != nil || !got.Equal(want) {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, bad := range []any{
		"", "2026-01-31", "2026-01-31 09:30:00", "2026-01-31T09:30:00", "2026-02-30T09:30:00Z",
		"2026-01-31T24:00:00Z", "10000-01-01T00:00:00Z",
		"9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01", int64(5), nil, true,
	} {
		var input *keys.InputError
		if got, err := scalar.UnmarshalTime(bad); !errors.As(err, &input) || !got.IsZero() {
			t.Errorf("%v: got %v, %v", bad, got, err)
		}
	}
}

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
