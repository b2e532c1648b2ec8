package edits

import (
	"regexp"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
)

// span is a definition in a text. body is where its fields or arguments begin, or where they would; typ and typEnd are
// around a field's type.
type span struct{ start, body, typ, typEnd, end int }

var readOf = regexp.MustCompile(`@(get|query)\b`)

// directiveAt returns where the directive at the finding begins, or that of the field at the finding; -1 for none.
func directiveAt(text string, f finding.Finding) int {
	at := f.Offset(text)
	if at > 0 && text[at-1] == '@' {
		return at - 1
	}
	read := readOf.FindStringIndex(masked(text)[at:])
	if read == nil {
		return -1
	}
	return at + read[0]
}

func directiveEnd(text string, at int) int {
	end := at + len(regexp.MustCompile(`^@\w+`).FindString(text[at:]))
	if end < len(text) && text[end] == '(' {
		end = closing(text, end) + 1
	}
	return end
}

// definition is the beginning of a definition, or of an extension.
var definition = regexp.MustCompile(`\b(?:extend|schema|type|interface|input|enum|union|scalar|directive)\s+[@\w]`)

func typeSpan(text, name string) (span, bool) {
	spans := typeSpans(text, name)
	if len(spans) == 0 {
		return span{}, false
	}
	return spans[0], true
}

// typeSpans returns the definition of a type and its extensions.
func typeSpans(text, name string) []span {
	text = masked(text)
	var spans []span
	for _, at := range regexp.MustCompile(`\b(?:type|interface|input|enum) `+name+`\b`).FindAllStringIndex(text, -1) {
		body := headEnd(text, at[1])
		s := span{start: at[0], body: body, end: body}
		if body < len(text) && text[body] == '{' {
			s.end = closing(text, body) + 1
		}
		spans = append(spans, s)
	}
	return spans
}

// headEnd returns where the body begins of a definition whose name ends there, or where it would.
func headEnd(text string, at int) int {
	end := len(text)
	if next := definition.FindStringIndex(text[at:]); next != nil {
		end = at + next[0]
	}
	for body := at; body < end; body++ {
		switch text[body] {
		case '{':
			return body
		case '(':
			body = closing(text, body)
		}
	}
	return at + len(strings.TrimRight(text[at:end], " \t\r\n"))
}

func fieldSpan(text, typ, name string) (span, bool) {
	for _, t := range typeSpans(text, typ) {
		if s, ok := fieldWithin(masked(text), t, name); ok {
			return s, true
		}
	}
	return span{}, false
}

var nextDirective = regexp.MustCompile(`^\s*@`)

func fieldWithin(text string, t span, name string) (span, bool) {
	isField := regexp.MustCompile(`^` + name + `\s*[(:]`)
	for at := t.body + 1; at < t.end; at++ {
		if text[at] == '(' {
			at = closing(text, at)
			continue
		}
		if isField.MatchString(text[at:]) && !regexp.MustCompile(`\w`).MatchString(text[at-1:at]) {
			return fieldAt(text, at, len(name)), true
		}
	}
	return span{}, false
}

// fieldAt returns the field whose name is there.
func fieldAt(text string, at, name int) span {
	s := span{start: at, body: at + name, typ: at + name}
	if text[s.body] == '(' {
		s.typ = closing(text, s.body) + 1
	}
	s.typ += len(regexp.MustCompile(`^\s*:\s*`).FindString(text[s.typ:]))
	s.typEnd = s.typ + len(regexp.MustCompile(`^[\w\[\]!]+`).FindString(text[s.typ:]))
	s.end = s.typEnd
	for {
		next := nextDirective.FindString(text[s.end:])
		if next == "" {
			return s
		}
		s.end = directiveEnd(text, s.end+len(next)-1)
	}
}

// described returns where the description begins of what begins there, or the same place.
func described(text string, at int) int {
	before := len(strings.TrimRight(masked(text)[:at], " \t\r\n,"))
	if description := strings.IndexByte(text[before:at], '"'); description >= 0 {
		return before + description
	}
	return at
}

// closing returns where the bracket is closed that text has at a position. Brackets in texts do not count.
func closing(text string, at int) int {
	depth := 0
	quoted := false
	for i := at; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("({[", c) >= 0:
			depth++
		case strings.IndexByte(")}]", c) >= 0:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text) - 1
}
