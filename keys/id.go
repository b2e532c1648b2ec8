package keys

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/partita/partita/item"
)

// ID is the GraphQL scalar ID: a Relay global ID. Its text is Type:value[:value] with the values of
// the variables of the type's @item templates, Type: if there are none. A ':' or '%' in a value is
// percent-encoded. Callers see it as base64url without padding. An ID without a type is an opaque
// text that the schema uses as an id.
//
// https://relay.dev/graphql/objectidentification.htm
type ID string

// maxIDBytes limits the text of an ID from a caller: a key has at most MaxPKBytes + MaxSKBytes, and
// base64 and escapes make them at most three times as long.
const maxIDBytes = 3 * (MaxPKBytes + MaxSKBytes)

var (
	escapeIDValue   = strings.NewReplacer("%", "%25", ":", "%3A")
	unescapeIDValue = strings.NewReplacer("%25", "%", "%3A", ":")
)

// NewID returns the global ID of the object of the type with these key values.
func NewID(typ string, values ...string) ID {
	if len(values) == 1 && !strings.ContainsAny(values[0], ":%") {
		return ID(typ + ":" + values[0])
	}
	var b strings.Builder
	b.WriteString(typ)
	if len(values) == 0 {
		b.WriteByte(':')
	}
	for _, v := range values {
		b.WriteByte(':')
		_, _ = escapeIDValue.WriteString(&b, v)
	}
	return ID(b.String())
}

func untypedID(text string) ID { return NewID("", text) }

// Type returns the GraphQL type that the ID names, or "".
func (id ID) Type() string {
	typ, _, _ := strings.Cut(string(id), ":")
	return typ
}

// Values returns the key values of the ID. No key has one that is empty, so that Type: has none.
func (id ID) Values() []string { return id.AppendValues(nil) }

// AppendValues appends the key values of the ID.
func (id ID) AppendValues(values []string) []string {
	_, rest, _ := strings.Cut(string(id), ":")
	for more := rest != ""; more; {
		var v string
		if v, rest, more = strings.Cut(rest, ":"); strings.IndexByte(v, '%') >= 0 {
			v = unescapeIDValue.Replace(v)
		}
		values = append(values, v)
	}
	return values
}

// Value returns the key value of an ID that has exactly one, or "".
func (id ID) Value() string {
	v, _ := id.Single()
	return v
}

// Single returns the key value of an ID that has exactly one, and reports whether it has.
func (id ID) Single() (string, bool) {
	_, rest, ok := strings.Cut(string(id), ":")
	if !ok || strings.IndexByte(rest, ':') >= 0 {
		return "", false
	}
	if strings.IndexByte(rest, '%') >= 0 {
		rest = unescapeIDValue.Replace(rest)
	}
	return rest, true
}

// Encode returns the text of the ID as callers see it.
func (id ID) Encode() string {
	if strings.HasPrefix(string(id), ":") {
		return id.Value()
	}
	return base64.RawURLEncoding.EncodeToString([]byte(id))
}

// ParseID reads a global ID that names a type. The error is an InputError for any text that Encode
// does not return.
func ParseID(text string) (ID, error) {
	if len(text) <= maxIDBytes && !strings.ContainsAny(text, "\r\n") {
		var room [usualBytes]byte
		raw, err := idEncoding.AppendDecode(room[:0], []byte(text))
		if id := ID(raw); err == nil && id.wellFormed() {
			return id, nil
		}
	}
	return "", InputErrorf("", "this is not an id of this API; pass an id exactly as a response gave it")
}

// decode reads base64url without padding, and accepts only what the encoder writes: Go's decoder
// skips line breaks.
func decode(text string) ([]byte, bool) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	b, err := idEncoding.DecodeString(text)
	return b, err == nil
}

var idEncoding = base64.RawURLEncoding.Strict()

func (id ID) wellFormed() bool {
	typ, rest, ok := strings.Cut(string(id), ":")
	if !ok || !isName(typ) || !utf8.ValidString(rest) {
		return false
	}
	return strings.IndexByte(rest, '%') < 0 || NewID(typ, id.Values()...) == id
}

// isName reports whether s is a GraphQL Name.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// coerceID returns a global ID, or for any other text an ID without a type. Which of both a field
// needs is checked where the value is used.
func coerceID(text string) (ID, error) {
	if id, err := ParseID(text); err == nil {
		return id, nil
	}
	return untypedID(text), CheckIDText(text)
}

// CheckIDText returns an InputError if a text is too long for an ID.
func CheckIDText(text string) error {
	if len(text) > maxIDBytes {
		return InputErrorf("", "an id has at most %d bytes; pass an id exactly as a response gave it", maxIDBytes)
	}
	return nil
}

// MarshalGQL writes the encoded ID as a JSON string.
func (id ID) MarshalGQL(w io.Writer) {
	quoted, err := json.Marshal(id.Encode())
	if err != nil {
		quoted = []byte(`""`)
	}
	_, _ = w.Write(quoted)
}

// UnmarshalGQL reads an ID from a String or an Int.
//
// https://spec.graphql.org/draft/#sec-ID
func (id *ID) UnmarshalGQL(v any) error {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case int64:
		text = strconv.FormatInt(v, 10)
	case int:
		text = strconv.Itoa(v)
	case json.Number:
		text = v.String()
	default:
		return InputErrorf("", "an id must be a String")
	}
	got, err := coerceID(text)
	*id = got
	return err
}

// IDAttribute returns an ID as write.Items expects it.
func IDAttribute(id ID) item.Value { return item.TextValue(id) }

// AsID returns the function that reads a stored ID: the raw value of an object of the type, or with
// "" an opaque text.
func AsID(typ string) func(item.Value) (ID, error) {
	return func(v item.Value) (ID, error) {
		raw, err := item.AsString(v)
		return NewID(typ, raw), err
	}
}

// EncodedID returns an ID whose type is not known from the schema, such as one in a list. It is
// stored as callers see it, and AsID("") reads it.
func EncodedID(id ID) item.Value { return item.StringValue(id.Encode()) }

// IDOrNone returns *id, or "" for nil.
func IDOrNone(id *ID) ID {
	if id == nil {
		return ""
	}
	return *id
}
