package scalar

import (
	"io"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/keys"
)

// MarshalInt64 writes a number of the scalar Int64 as a JSON string of digits. As a JSON number, JavaScript would round
// it from 2^53.
func MarshalInt64(n int64) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(strconv.FormatInt(n, 10))) })
}

// UnmarshalInt64 reads a number of the scalar Int64. The error is a keys.InputError for anything that keys.ParseInt64
// does not read. Package plan accepts the same values.
func UnmarshalInt64(v any) (int64, error) { return keys.ParseInt64(v) }
