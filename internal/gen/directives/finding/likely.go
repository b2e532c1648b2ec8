package finding

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// IsLikely puts a likely name in front of what is wrong.
func IsLikely(name, what string) string { return name + " is the likely name: " + what }

// Likely returns the candidate that a name is probably a misspelling of, or "". Upper and lower case count as
// alike. Of two that are equally near it is the one that begins alike, or else the first.
func Likely(name string, candidates []string) string {
	likely, least := "", 2*max(1, len(name)/3)+2
	for _, c := range candidates {
		if c == name || c == "" || name == "" {
			continue
		}
		d := 2 * Distance(strings.ToLower(name), strings.ToLower(c))
		if !strings.EqualFold(name[:1], c[:1]) {
			d++
		}
		if d < least {
			likely, least = c, d
		}
	}
	return likely
}

// Distance returns the number of letters that differ. Two neighbours that have changed places count as one.
func Distance(a, b string) int {
	d := levenshtein.ComputeDistance(a, b)
	if d != 2 || len(a) != len(b) {
		return d
	}
	for i := range len(a) - 1 {
		if a[:i]+a[i+1:i+2]+a[i:i+1]+a[i+2:] == b {
			return 1
		}
	}
	return d
}

// synonyms are names of scalars in other schemas, in lower case, with the scalar that is meant.
var synonyms = map[string]string{
	"datetime": "Time", "timestamp": "Time", "instant": "Time", "iso8601datetime": "Time", "awsdatetime": "Time",
	"localdatetime": "Time", "localdate": "Date", "awsdate": "Date", "iso8601date": "Date", "day": "Date",
	"long": "Int64", "bigint": "Int64", "awstimestamp": "Int64", "integer": "Int", "number": "Int", "bool": "Boolean",
	"double": "Float", "decimal": "Float", "text": "String", "uuid": "ID", "str": "String",
}

// Synonym returns the scalar that is meant by the name of another one, "" if none is.
func Synonym(name string) string { return synonyms[strings.ToLower(name)] }
