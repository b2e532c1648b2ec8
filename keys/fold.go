package keys

import (
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Case is the case in which a key has a value.
type Case uint8

// AsIs is the value itself. Lower and Upper are what toLowerCase and toUpperCase of JavaScript return: without regard
// to a language, one letter may become several ("ß" is "SS"), and "Σ" depends on what is beside it.
//
// https://tc39.es/ecma262/#sec-string.prototype.tolowercase
const (
	AsIs Case = iota
	Lower
	Upper
)

// caseNames are the formats {title:lower} and {title:upper}.
var caseNames = map[string]Case{"lower": Lower, "upper": Upper}

// Of returns a text in the case.
func (c Case) Of(text string) string {
	switch c {
	case Lower:
		return inASCII(text, 'A', 'Z', func() string { return cases.Lower(language.Und).String(text) })
	case Upper:
		return inASCII(text, 'a', 'z', func() string { return cases.Upper(language.Und).String(text) })
	default:
		return text
	}
}

// inASCII returns a text with the letters from first to last in the other case, and of a text that has other characters
// than ASCII what full returns.
func inASCII(text string, first, last byte, full func() string) string {
	n := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			return full()
		case first <= c && c <= last:
			n++
		}
	}
	if n == 0 {
		return text
	}
	b := []byte(text)
	for i, c := range b {
		if first <= c && c <= last {
			b[i] = c ^ ('a' - 'A')
		}
	}
	return string(b)
}
