package importer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// delimiters are what may join the parts of a key; of two that are equally frequent, the first one.
var delimiters = []string{"#", "|", "::", "/", ":", "~", "^", "$", "+", "_", "-"}

// labelled matches a key that begins with a literal.
var labelled = regexp.MustCompile(`^[A-Za-z][A-Za-z_.]*`)

// timeText matches a time or a date in a key.
var timeText = regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d[:.]?\d\d([:.]?\d\d)?[\d.]*(Z|[+-]\d\d:?\d\d)?)?`)

// findDelimiter returns the delimiter that most often follows a literal at the beginning of a key. A sign that times in
// keys have cannot be one: it would cut them.
func findDelimiter(t *layout, items []item.Item) string {
	names := []string{t.PK.String(), t.SK.String()}
	for _, ix := range t.Indexes {
		names = append(append(names, ix.PK.Names()...), ix.SK.Names()...)
	}
	count, inTimes := map[string]int{}, map[string]int{}
	for _, it := range items {
		for _, name := range slices.Compact(names) {
			text := it.Text(name)
			if at := timeText.FindString(text); at != "" {
				for _, d := range delimiters {
					if strings.Contains(at, d) {
						inTimes[d]++
					}
				}
			}
			rest := strings.TrimPrefix(text, labelled.FindString(text))
			if rest == text {
				continue
			}
			i := slices.IndexFunc(delimiters, func(d string) bool { return strings.HasPrefix(rest, d) })
			if i >= 0 {
				count[delimiters[i]]++
			}
		}
	}
	best := keys.Delimiter
	for _, d := range delimiters {
		n := count[d]
		if inTimes[d]*tolerated > len(items) {
			continue
		}
		if d == "_" || d == "-" {
			n /= 4 // They are more often part of a literal or of a value.
		}
		if n > count[best] {
			best = d
		}
	}
	return best
}
