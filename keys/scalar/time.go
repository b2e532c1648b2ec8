// Package scalar has the functions that gqlgen calls by name for scalars whose Go types are of
// other packages.
package scalar

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/keys"
)

// MarshalTime writes a time of the scalar Time in RFC 3339.
func MarshalTime(t time.Time) graphql.Marshaler { return graphql.MarshalTime(t) }

// UnmarshalTime reads a time of the scalar Time. The error is a keys.InputError for anything but a
// String in RFC 3339. Package plan accepts the same values.
func UnmarshalTime(v any) (time.Time, error) {
	text, _ := v.(string)
	return keys.ParseTime(text)
}
