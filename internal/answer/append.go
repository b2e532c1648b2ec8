package answer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// appendOpaque appends a text in quotes as encoding/json does: package keys writes ids and dates with it.
func appendOpaque(out []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`"\\<>&`, c) >= 0 {
			quoted, _ := json.Marshal(text) // of a string cannot fail
			return append(out, quoted...)
		}
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"')
}

func appendIDValue(id []byte, raw string) []byte {
	id = append(id, ':')
	if !strings.ContainsAny(raw, ":%") {
		return append(id, raw...)
	}
	return append(id, keys.NewID("", raw)[1:]...)
}

// appendInt appends a Number that is an Int or an Int64.
func appendInt(out []byte, v *item.Value) []byte {
	if n := len(v.Text); n > 0 && n < 19 && v.Text[0] >= '1' && v.Text[0] <= '9' && isDigits(v.Text) {
		return append(out, v.Text...)
	}
	n, _ := item.AsInt64(*v)
	return strconv.AppendInt(out, n, 10)
}

// appendJSON appends a value that is stored as it is in JSON. The attributes of an object are sorted by their names,
// because a table does not keep their order.
func appendJSON(out []byte, v *item.Value) []byte {
	switch v.Kind {
	case item.Null:
		return append(out, "null"...)
	case item.Bool:
		return append(out, v.Text...)
	case item.Number:
		return appendNumber(out, v.Text)
	case item.List:
		out = append(out, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, &e)
		}
		return append(out, ']')
	case item.Map:
		fields := slices.SortedFunc(slices.Values(v.Fields()), func(a, b item.Attribute) int {
			return strings.Compare(a.Name, b.Name)
		})
		out = append(out, '{')
		for i, a := range fields {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendString(out, a.Name), ':')
			out = appendJSON(out, &a.Value)
		}
		return append(out, '}')
	default:
		return appendString(out, v.Text)
	}
}

// appendNumber appends a Number with all of its digits, if it is written as JSON requires.
func appendNumber(out []byte, text string) []byte {
	if json.Valid([]byte(text)) {
		return append(out, text...)
	}
	n, _ := strconv.ParseFloat(text, 64) // it can be read
	return strconv.AppendFloat(out, n, 'g', -1, 64)
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

func appendBool(out []byte, b bool) []byte { return strconv.AppendBool(out, b) }

// appendTime appends a stored time in RFC 3339, without zeros at the end of its fraction.
func appendTime(out []byte, text string) []byte {
	if len(text) != len(item.TimeLayout) || text[19] != '.' {
		t, _ := time.Parse(item.TimeLayout, text)
		return strconv.AppendQuote(out, t.Format(time.RFC3339Nano))
	}
	end := len(text) - 1
	for text[end-1] == '0' {
		end--
	}
	if text[end-1] == '.' {
		end--
	}
	out = append(out, '"')
	out = append(out, text[:end]...)
	return append(out, 'Z', '"')
}

const hexDigits = "0123456789ABCDEF"

// appendString appends a text in quotes as gqlgen does: only what JSON requires is escaped.
func appendString(out []byte, text string) []byte {
	out = append(out, '"')
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		out = append(out, text[start:i]...)
		switch c {
		case '\t':
			out = append(out, `\t`...)
		case '\r':
			out = append(out, `\r`...)
		case '\n':
			out = append(out, `\n`...)
		case '\\', '"':
			out = append(out, '\\', c)
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
		start = i + 1
	}
	out = append(out, text[start:]...)
	return append(out, '"')
}
