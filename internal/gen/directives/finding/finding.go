// Package finding has what is wrong with a schema, with its place and a fix, and likely names.
package finding

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/vektah/gqlparser/v2/ast"
)

// Finding is one fault of a design.
type Finding struct {
	// File, Line and Column are the place in the schema: Line counts from 1, and Column the line's characters from 1.
	File         string
	Line, Column int
	// Coordinate is the type or the field at fault, such as User.orders.
	Coordinate string
	// What is wrong, and how to Fix it: an instruction of one line or more.
	What, Fix string
}

// Findings are all faults of one run by file, line and column.
type Findings []Finding

// Error returns the finding in the format of a compiler's errors, with the fix indented below.
func (f Finding) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s\n    %s",
		f.File, f.Line, f.Column, f.Coordinate, f.What, strings.ReplaceAll(f.Fix, "\n", "\n    "))
}

// Offset returns the byte of the place in the text of its file.
func (f Finding) Offset(text string) int {
	at := 0
	for range f.Line - 1 {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	for range f.Column - 1 {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}

var place = regexp.MustCompile(`\S+\.graphqls:\d+:\d+`)

// Identity returns the finding without places in the text, which edits move.
func (f Finding) Identity() string { return f.Coordinate + place.ReplaceAllString(f.What, "") }

// Error returns all findings, one below the other.
func (fs Findings) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort sorts findings by their places in the schema.
func (fs Findings) Sort() {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// At returns the finding of a place, which may be nil.
func At(at *ast.Position, coordinate, what, fix string) Finding {
	f := Finding{Coordinate: coordinate, What: what, Fix: fix}
	if at != nil {
		f.Line, f.Column = at.Line, at.Column
		if at.Src != nil {
			f.File = at.Src.Name
		}
	}
	return f
}

// PlaceOf returns a place in the schema, as findings begin with it.
func PlaceOf(at *ast.Position) string {
	if at == nil || at.Src == nil {
		return "?"
	}
	return fmt.Sprintf("%s:%d:%d", at.Src.Name, at.Line, at.Column)
}

// IsLikely puts a likely name in front of what is wrong.
func IsLikely(name, what string) string { return name + " is the likely name: " + what }

// IsLikelyOr is IsLikely if there is such a name.
func IsLikelyOr(name, what string) string {
	if name == "" {
		return what
	}
	return IsLikely(name, what)
}

// longestName is how many bytes a name has at most that is compared with others: far more than any that a person wrote.
const longestName = 1 << 10

// Likely returns the candidate that a name is probably a misspelling of, or "". Upper and lower case count as
// alike. Of two that are equally near it is the one that begins alike, or else the first.
func Likely(name string, candidates []string) string {
	likely, least := "", 2*max(1, len(name)/3)+2
	for _, c := range candidates {
		if c == name || c == "" || name == "" || len(name) > longestName {
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
