package directives

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Likely returns the candidate that a name is probably a misspelling of, or "". Upper and lower case count as
// alike. Of two that are equally near it is the first.
func Likely(name string, candidates []string) string {
	likely, least := "", max(1, len(name)/3)+1
	for _, c := range candidates {
		if c == name {
			continue
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(c)); d < least {
			likely, least = c, d
		}
	}
	return likely
}
