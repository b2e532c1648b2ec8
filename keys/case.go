package keys

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Case is the case in which a key has a value.
type Case uint8

// AsIs is the value itself. Lower and Upper are what toLowerCase and toUpperCase of JavaScript return: without regard
// to a language, one letter may become several ("ß" is "SS"), and "Σ" depends on what is beside it.
// Folded is a text without case and accents, in which "Ångström" and "ANGSTROM" are equal: see fold.
//
// https://tc39.es/ecma262/#sec-string.prototype.tolowercase
const (
	AsIs Case = iota
	Lower
	Upper
	Folded
)

// caseNames are the formats {title:lower}, {title:upper} and {title:folded}.
var caseNames = map[string]Case{"lower": Lower, "upper": Upper, "folded": Folded}

// Of returns a text in the case.
func (c Case) Of(text string) string {
	switch c {
	case Lower:
		return inASCII(text, 'A', 'Z', func() string { return cases.Lower(language.Und).String(text) })
	case Upper:
		return inASCII(text, 'a', 'z', func() string { return cases.Upper(language.Und).String(text) })
	case Folded:
		return inASCII(text, 'A', 'Z', func() string { return fold(text) })
	default:
		return text
	}
}

// fold returns a text without case and without the marks that Unicode composes with letters of the Latin, Greek and
// Cyrillic scripts: "é" is "e", but "ø" is a letter of its own. Marks of other scripts are letters to their readers,
// and stay. Folding a folded text changes nothing.
//
// https://www.unicode.org/charts/PDF/U0300.pdf
func fold(text string) string {
	isMark := func(r rune) bool { return r >= 0x0300 && r <= 0x036f }
	bare := strings.Map(func(r rune) rune {
		if isMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
	return norm.NFC.String(cases.Fold().String(bare))
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
