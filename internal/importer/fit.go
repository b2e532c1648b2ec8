package importer

import (
	"cmp"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// fit returns the part that makes each text from the value of an attribute at the same place. The score is 0 if there
// is none, and higher the closer text and value are.
func fit(name string, texts []string, values []item.Value) (keys.Segment, int) {
	all := func(match func(text string, v item.Value) bool) bool {
		for i := range texts {
			if !match(texts[i], values[i]) {
				return false
			}
		}
		return true
	}
	if all(func(text string, v item.Value) bool { return text == v.Text }) {
		return keys.Segment{Variable: name}, 4
	}
	if width := padding(texts, values, 0); width > 0 {
		return keys.Segment{Variable: name, Width: width}, 3
	}
	for _, letters := range [...]keys.Case{keys.AsIs, keys.Lower, keys.Upper} {
		literal, ok := strings.CutSuffix(texts[0], letters.Of(values[0].Text))
		isLiteral := beforeVariable.MatchString(literal) || labelIn(literal+"x", name) == literal
		if ok && (literal == "" || isLiteral) && (letters == keys.AsIs || values[0].Kind == item.String) &&
			all(func(text string, v item.Value) bool { return text == literal+letters.Of(v.Text) }) {
			return keys.Segment{Literal: literal, Variable: name, Case: letters}, 2
		}
	}
	literal := strings.TrimRight(texts[0], "0123456789")
	if width := padding(texts, values, len(literal)); width > 0 && beforeVariable.MatchString(literal) &&
		all(func(text string, _ item.Value) bool { return strings.HasPrefix(text, literal) }) {
		return keys.Segment{Literal: literal, Variable: name, Width: width}, 2
	}
	for _, b := range buckets {
		if all(func(text string, v item.Value) bool { return len(text) == int(b) && text == cut(v, b) }) {
			return keys.Segment{Variable: name, Bucket: b}, 1
		}
	}
	return keys.Segment{}, 0
}

// padding returns the width to which the numbers are padded with zeros after skip bytes, 0 if they are not.
func padding(texts []string, values []item.Value, skip int) int {
	padded := false
	for i, text := range texts {
		if len(text) != len(texts[0]) || len(text) <= skip {
			return 0
		}
		digits := text[skip:]
		if strings.Trim(digits, "0123456789") != "" || cmp.Or(strings.TrimLeft(digits, "0"), "0") != values[i].Text {
			return 0
		}
		padded = padded || digits != values[i].Text
	}
	if width := len(texts[0]) - skip; padded && width <= 19 {
		return width
	}
	return 0
}
