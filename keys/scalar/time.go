// Package scalar binds GraphQL scalars to Go types that are not our own, for
// gqlgen to find by name.
package scalar

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/keys"
)

// MarshalTime writes a time of the scalar Time in RFC 3339.
func MarshalTime(t time.Time) graphql.Marshaler { return graphql.MarshalTime(t) }

// UnmarshalTime reads a time of the scalar Time. What the look-ahead would not
// read, this does not: anything but a String in RFC 3339 is a keys.InputError.
func UnmarshalTime(v any) (time.Time, error) {
	text, _ := v.(string)
	return keys.ParseTime(text)
}
