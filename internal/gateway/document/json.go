package document

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxNesting is how deep a JSON text may nest, as in encoding/json.
const maxNesting = 10_000

// A jsonReader reads one JSON text (RFC 8259) of valid UTF-8 in one pass. It accepts what encoding/json accepts, and
// returns the values that a [json.Decoder] with UseNumber returns for an any: the last one of a repeated name, and
// U+FFFD for half of a surrogate pair. Its methods report whether the text is valid so far.
//
// encoding/json needs a pass for each of: is the text valid, where are its properties, what are their values.
type jsonReader struct {
	text []byte
	at   int
	// limit is the position after which values are only checked, not returned.
	limit int
}

// end reports whether only white space is left.
func (r *jsonReader) end() bool {
	r.space()
	return r.at == len(r.text)
}

func (r *jsonReader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space; zero at the end.
func (r *jsonReader) peek() byte {
	r.space()
	return r.byte()
}

func (r *jsonReader) byte() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// accept skips white space, and c if it is next.
func (r *jsonReader) accept(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

func (r *jsonReader) keeps() bool { return r.at <= r.limit }

// value reads a value that is nested in depth lists and objects.
func (r *jsonReader) value(depth int) (any, bool) {
	switch c := r.peek(); c {
	case '{':
		return r.object(depth + 1)
	case '[':
		return r.list(depth + 1)
	case '"':
		keeps := r.keeps()
		text, ok := r.string()
		if !keeps {
			return nil, ok
		}
		return text, ok
	case 't':
		return true, r.literal("true")
	case 'f':
		return false, r.literal("false")
	case 'n':
		return nil, r.literal("null")
	default:
		return r.number()
	}
}

func (r *jsonReader) literal(text string) bool {
	if len(r.text)-r.at < len(text) || string(r.text[r.at:r.at+len(text)]) != text {
		return false
	}
	r.at += len(text)
	return true
}

func (r *jsonReader) object(depth int) (any, bool) {
	var object map[string]any
	if r.keeps() {
		object = map[string]any{}
	}
	ok := r.fields(depth, func(name string) bool {
		value, ok := r.value(depth)
		if r.keeps() {
			object[name] = value
		}
		return ok
	})
	return object, ok
}

// fields reads an object. After each name, it calls a function that reads the value.
func (r *jsonReader) fields(depth int, value func(name string) bool) bool {
	if depth > maxNesting || !r.accept('{') {
		return false
	}
	if r.accept('}') {
		return true
	}
	for {
		if r.peek() != '"' {
			return false
		}
		name, ok := r.string()
		if !ok || !r.accept(':') || !value(name) {
			return false
		}
		if !r.accept(',') {
			return r.accept('}')
		}
	}
}

func (r *jsonReader) list(depth int) (any, bool) {
	if depth > maxNesting || !r.accept('[') {
		return nil, false
	}
	list := []any{}
	for more := !r.accept(']'); more; {
		value, ok := r.value(depth)
		if !ok {
			return nil, false
		}
		if r.keeps() {
			list = append(list, value)
		}
		if more = r.accept(','); !more && !r.accept(']') {
			return nil, false
		}
	}
	if !r.keeps() {
		return nil, true
	}
	return list, true
}

func (r *jsonReader) number() (any, bool) {
	begin, keeps := r.at, r.keeps()
	if r.byte() == '-' {
		r.at++
	}
	if r.byte() == '0' {
		r.at++
	} else if !r.digits() {
		return nil, false
	}
	if r.byte() == '.' {
		r.at++
		if !r.digits() {
			return nil, false
		}
	}
	if c := r.byte(); c == 'e' || c == 'E' {
		r.at++
		if c := r.byte(); c == '+' || c == '-' {
			r.at++
		}
		if !r.digits() {
			return nil, false
		}
	}
	if !keeps {
		return nil, true
	}
	return json.Number(r.text[begin:r.at]), true
}

// digits reads one digit or more.
func (r *jsonReader) digits() bool {
	begin := r.at
	for c := r.byte(); '0' <= c && c <= '9'; c = r.byte() {
		r.at++
	}
	return r.at > begin
}

// string reads a string. The quotation mark has been seen.
func (r *jsonReader) string() (string, bool) {
	r.at++
	plain := r.plain()
	if r.byte() == '"' {
		r.at++
		if !r.keeps() {
			return "", true
		}
		return string(plain), true
	}
	var text strings.Builder
	text.Grow(len(plain) + max(0, bytes.IndexByte(r.text[r.at:], '"')))
	for {
		text.Write(plain)
		switch r.byte() {
		case '"':
			r.at++
			return text.String(), true
		case '\\':
			r.at++
			decoded, ok := r.escaped()
			if !ok {
				return "", false
			}
			text.WriteRune(decoded)
		default: // a control character, or the end
			return "", false
		}
		plain = r.plain()
	}
}

// plain skips the characters of a string up to the next quotation mark, escape sequence or control character.
func (r *jsonReader) plain() []byte {
	begin := r.at
	for r.at < len(r.text) && r.text[r.at] != '"' && r.text[r.at] != '\\' && r.text[r.at] >= ' ' {
		r.at++
	}
	return r.text[begin:r.at]
}

// escaped reads what follows the backslash of an escape sequence, or of two that are a surrogate pair.
func (r *jsonReader) escaped() (rune, bool) {
	letter := r.byte()
	if i := strings.IndexByte(`"\/bfnrt`, letter); i >= 0 {
		r.at++
		return rune("\"\\/\b\f\n\r\t"[i]), true
	}
	first, ok := r.hex()
	if !ok || !utf16.IsSurrogate(first) {
		return first, ok
	}
	pair := *r
	if pair.byte() == '\\' {
		pair.at++
		if second, ok := pair.hex(); ok {
			if decoded := utf16.DecodeRune(first, second); decoded != unicode.ReplacementChar {
				r.at = pair.at
				return decoded, true
			}
		}
	}
	return unicode.ReplacementChar, true
}

// hex reads uXXXX.
func (r *jsonReader) hex() (rune, bool) {
	const length = len("uXXXX")
	if r.byte() != 'u' || len(r.text)-r.at < length {
		return 0, false
	}
	code, err := strconv.ParseUint(string(r.text[r.at+1:r.at+length]), 16, 16)
	r.at += length
	return rune(code), err == nil
}
