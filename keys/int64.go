package keys

import (
	"encoding/json"
	"strconv"
)

// ParseInt64 reads a value of the GraphQL scalar Int64: a whole number of 64 bits, as a JSON number or as a text of
// digits. The error is an InputError for anything else, such as a number with a fraction or an exponent.
//
// https://protobuf.dev/programming-guides/json/ has the same representation of 64-bit integers.
func ParseInt64(v any) (int64, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case int:
		return int64(v), nil
	case json.Number:
		return parseInt64(v.String())
	case string:
		return parseInt64(v)
	default:
		return parseInt64("")
	}
}

func parseInt64(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, InputErrorf("", "an Int64 must be a whole number of 64 bits, such as \"9007199254740993\" or 42")
	}
	return n, nil
}
