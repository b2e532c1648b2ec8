// Package scalar has the functions that gqlgen calls by name for scalars whose Go types are of
// other packages.
//
// # Why it is so
//
// An Int64 is a string in JSON, as in protobuf's, because JavaScript reads numbers from 2^53 without their last digits
// and without an error. Both are accepted.
package scalar

import (
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/keys"
)

// MarshalTime writes a time of the scalar Time in RFC 3339. The zero time is a time like any other, not null as gqlgen
// writes it: programs in Go store it.
func MarshalTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(t.Format(time.RFC3339Nano))) })
}

// UnmarshalTime reads a time of the scalar Time. The error is a keys.InputError for anything but a
// String in RFC 3339. Package plan accepts the same values.
func UnmarshalTime(v any) (time.Time, error) {
	text, _ := v.(string)
	return keys.ParseTime(text)
}

// MarshalInt64 writes a number of the scalar Int64 as a JSON string of digits. As a JSON number, JavaScript would round
// it from 2^53.
func MarshalInt64(n int64) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(strconv.FormatInt(n, 10))) })
}

// UnmarshalInt64 reads a number of the scalar Int64. The error is a keys.InputError for anything that keys.ParseInt64
// does not read. Package plan accepts the same values.
func UnmarshalInt64(v any) (int64, error) { return keys.ParseInt64(v) }
