package design_test

import (
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
)

// value draws a text that is allowed in a key: ':' and '%' are the ID's own delimiters, space and
// '$' sort around the key's.
func value(t *rapid.T, label string) string {
	return rapid.StringMatching(`[ !"$%:a-zA-Z0-9äß€😀./~-]{1,12}`).Draw(t, label)
}

// instant draws a time of the years 0000 to 9999 in any zone, often close to
// another one.
func instant(t *rapid.T, label string) time.Time {
	const first, last = -62167219200, 253402300799
	seconds := rapid.OneOf(
		rapid.Int64Range(first, last), rapid.Int64Range(1767225600, 1767225602), rapid.Int64Range(-1, 1),
	).Draw(t, label)
	ns := rapid.OneOf(rapid.Int64Range(0, 999_999_999), rapid.Int64Range(0, 3_000_000)).Draw(t, label+" ns")
	zone := 60 * rapid.IntRange(-14*60, 14*60).Draw(t, label+" zone")
	return time.Unix(seconds, ns).In(time.FixedZone("", zone))
}

func build(t *rapid.T, template string, v keys.Value) string {
	text, err := keys.MustTemplate(template).Build(func(string) keys.Value { return v })
	if err != nil {
		t.Fatal(err)
	}
	return text
}
