package wire

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/partita/partita/item"
)

// maxSkip is how deep a member that is skipped can be nested. DynamoDB's values are at most 32 levels deep, two
// brackets each.
const maxSkip = 100

// errDepth is an error of a body that is JSON, but too deep for DynamoDB.
var errDepth = fmt.Errorf("values are nested deeper than %d levels", item.MaxDepth)

// scanner reads JSON. After an error it is at the end of the text, so that every loop over members ends.
type scanner struct {
	text string
	at   int
	err  error // the first
}

func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = fmt.Errorf("wire: byte %d of the response: %w", s.at, err)
	}
	s.at = len(s.text)
}

func (s *scanner) expected(what string) {
	if s.at >= len(s.text) {
		s.fail(errors.New("the response ends too early"))
		return
	}
	s.fail(fmt.Errorf("%q in place of %s", s.text[s.at], what))
}

// next returns the first byte that is not white space, 0 at the end.
func (s *scanner) next() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// open reads the beginning of an object or a list. It reports whether there is a member.
func (s *scanner) open(opening, closing byte) bool {
	if s.next() != opening {
		s.expected(string(rune(opening)))
		return false
	}
	s.at++
	if s.next() != closing {
		return s.err == nil
	}
	s.at++
	return false
}

// more reads what follows a member. It reports whether that is a further one.
func (s *scanner) more(closing byte) bool {
	switch s.next() {
	case ',':
		s.at++
		return true
	case closing:
		s.at++
	default:
		s.expected("a comma or " + string(rune(closing)))
	}
	return false
}

// name reads the name of an object's member.
func (s *scanner) name() string {
	if s.is('"') { // without escapes, and with the colon beside it
		if end := plain(s.text, s.at+1); strings.HasPrefix(s.text[end:], `":`) {
			name := s.text[s.at+1 : end]
			s.at = end + 2
			return name
		}
	}
	name := s.string()
	if s.next() != ':' {
		s.expected("a colon")
		return ""
	}
	s.at++
	return name
}

// literal reads a word if it is next.
func (s *scanner) literal(word string) bool {
	s.next()
	if !strings.HasPrefix(s.text[s.at:], word) {
		return false
	}
	s.at += len(word)
	return true
}

func (s *scanner) null() bool { return s.next() == 'n' && s.literal("null") }

func (s *scanner) bool() bool {
	if s.literal("true") {
		return true
	}
	if !s.literal("false") {
		s.expected("a Boolean")
	}
	return false
}

// number reads a number and returns its text.
func (s *scanner) number() string {
	s.next()
	begin := s.at
	if s.is('-') {
		s.at++
	}
	whole := s.at
	s.digits()
	if s.at-whole > 1 && s.text[whole] == '0' {
		s.fail(errors.New("a number begins with a zero"))
	}
	if s.is('.') {
		s.at++
		s.digits()
	}
	if s.is('e') || s.is('E') {
		s.at++
		if s.is('+') || s.is('-') {
			s.at++
		}
		s.digits()
	}
	if s.err != nil {
		return ""
	}
	return s.text[begin:s.at]
}

func (s *scanner) is(c byte) bool { return s.at < len(s.text) && s.text[s.at] == c }

// digits reads one or more.
func (s *scanner) digits() {
	begin := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	if s.at == begin {
		s.expected("a digit")
	}
}

// skip reads any value.
func (s *scanner) skip(depth int) {
	if depth > maxSkip {
		s.fail(errDepth)
		return
	}
	switch s.next() {
	case '{':
		for more := s.open('{', '}'); more; more = s.more('}') {
			s.name()
			s.skip(depth + 1)
		}
	case '[':
		for more := s.open('[', ']'); more; more = s.more(']') {
			s.skip(depth + 1)
		}
	case '"':
		s.string()
	case 't', 'f':
		s.bool()
	case 'n':
		if !s.literal("null") {
			s.expected("null")
		}
	default:
		s.number()
	}
}

// string reads a string. Without escapes, it is a part of the text.
func (s *scanner) string() string {
	if s.next() != '"' {
		s.expected("a string")
		return ""
	}
	begin := s.at + 1
	s.at = plain(s.text, begin)
	if s.is('"') {
		s.at++
		return s.text[begin : s.at-1]
	}
	return s.unescape(begin)
}

// plain returns the index of the first byte from i that is a quote, a backslash or a control character. It looks at
// eight bytes at a time: a subtraction sets the high bit of each byte that is too small, and of no byte before it.
func plain(text string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		part := text[i : i+8]
		eight := uint64(part[0]) | uint64(part[1])<<8 | uint64(part[2])<<16 | uint64(part[3])<<24 |
			uint64(part[4])<<32 | uint64(part[5])<<40 | uint64(part[6])<<48 | uint64(part[7])<<56
		quote, backslash := eight^ones*'"', eight^ones*'\\'
		found := (eight-ones*' ')&^eight | (quote-ones)&^quote | (backslash-ones)&^backslash
		if found &= highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
		i++
	}
	return i
}

// unescape reads a string that begins there, and that has a backslash at the current byte. As in encoding/json,
// invalid UTF-8 and lone surrogates become U+FFFD.
func (s *scanner) unescape(begin int) string {
	var b strings.Builder
	for from := begin; ; from = s.at {
		s.at = plain(s.text, from)
		for _, r := range s.text[from:s.at] {
			b.WriteRune(r)
		}
		switch {
		case s.is('"'):
			s.at++
			return b.String()
		case s.is('\\'):
			s.at++
			b.WriteRune(s.escape())
		default:
			s.expected("a character of a string")
			return ""
		}
	}
}

// escape reads what follows a backslash.
func (s *scanner) escape() rune {
	const letters, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if s.at >= len(s.text) {
		s.expected("an escape")
		return 0
	}
	if i := strings.IndexByte(letters, s.text[s.at]); i >= 0 {
		s.at++
		return rune(meanings[i])
	}
	high, ok := s.unit()
	if !ok {
		s.expected("an escape")
		return 0
	}
	if !utf16.IsSurrogate(high) {
		return high
	}
	after := s.at
	if s.is('\\') {
		s.at++
		if low, ok := s.unit(); ok {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r
			}
		}
	}
	s.at = after
	return utf8.RuneError
}

// unit reads a u with four hexadecimal digits, if it is next.
func (s *scanner) unit() (rune, bool) {
	if !s.is('u') || s.at+5 > len(s.text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.text[s.at+1 : s.at+5]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	s.at += 5
	return r, true
}
