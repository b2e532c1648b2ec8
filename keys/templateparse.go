package keys

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// ParseTemplate reads literals and {variable}, {variable:04}, {variable:day} or {variable:lower} joined by '#'. A
// variable that may be unset is {variable?}. The error is for the author of the schema.
func ParseTemplate(text string) (Template, error) { return ParseDelimited(Delimiter, text) }

// ParseDelimited is ParseTemplate with another delimiter, such as "|" or "::".
func ParseDelimited(delimiter, text string) (Template, error) {
	t := Template{text: text}
	if delimiter != Delimiter {
		t.delimiter = delimiter
	}
	if text == "" {
		return t, nil
	}
	for _, part := range splitSegments(text, delimiter) {
		first := len(t.segments)
		for part != "" || len(t.segments) == first {
			s, rest, err := parseSegment(part, delimiter)
			if err != nil {
				return Template{}, err
			}
			s.Glued = len(t.segments) > first
			t.open = t.open || s.IsOpen()
			t.segments, part = append(t.segments, s), rest
		}
	}
	t.setUnknown()
	return t, nil
}

// splitSegments splits at delimiters outside of braces: a format such as {n:04} may contain one.
func splitSegments(text, delimiter string) []string {
	var parts []string
	begin, inside := 0, false
	for i := 0; i < len(text); {
		switch {
		case !inside && strings.HasPrefix(text[i:], delimiter):
			parts = append(parts, text[begin:i])
			i += len(delimiter)
			begin = i
			continue
		case text[i] == '{':
			inside = true
		case text[i] == '}':
			inside = false
		}
		i++
	}
	return append(parts, text[begin:])
}

// MustTemplate is ParseTemplate for templates that have been checked, such as those in generated
// code. It panics on an error.
func MustTemplate(text string) Template { return MustDelimited(Delimiter, text) }

// MustDelimited is ParseDelimited for templates that have been checked. It panics on an error.
func MustDelimited(delimiter, text string) Template {
	t, err := ParseDelimited(delimiter, text)
	if err != nil {
		panic("keys: bug in generated code: " + err.Error())
	}
	return t
}

// parseSegment reads the segment at the beginning of a part between two delimiters. rest is what follows it.
func parseSegment(part, delimiter string) (s Segment, rest string, err error) {
	literal, rest, hasVariable := strings.Cut(part, "{")
	for _, r := range literal {
		if !isLiteral(r) {
			return Segment{}, "", fmt.Errorf("%q is not allowed in a key: "+
				"write literals and {field} variables, with '%s' between them", r, delimiter)
		}
	}
	if !hasVariable {
		return Segment{Literal: literal}, "", nil
	}
	inside, rest, closed := strings.Cut(rest, "}")
	if !closed {
		return Segment{}, "", fmt.Errorf("'{' without '}' in %q", part)
	}
	s, err = parseVariable(inside)
	s.Literal = literal
	return s, rest, err
}

// parseVariable reads what is between braces.
func parseVariable(inside string) (s Segment, err error) {
	name, format, hasFormat := strings.Cut(inside, ":")
	name, s.Optional = strings.CutSuffix(name, "?")
	if !isName(name) {
		return Segment{}, fmt.Errorf("{%s} does not name a field", inside)
	}
	s.Variable = name
	if !hasFormat {
		return s, nil
	}
	var known bool
	if s.Bucket, known = bucketNames[format]; known {
		return s, nil
	}
	if s.Case, known = caseNames[format]; known {
		return s, nil
	}
	width, err := strconv.Atoi(format)
	if err != nil || width < 1 || width > 19 || !strings.HasPrefix(format, "0") {
		return Segment{}, fmt.Errorf("{%s}: a format is a zero and a width of 1 to 19 digits, such as {%s:04}, "+
			"or year, month, day, hour, or lower, upper, folded", inside, name)
	}
	s.Width = width
	return s, nil
}

// isLiteral reports whether a literal may have the character: any that can be printed, except braces and a space.
func isLiteral(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '{' && r != '}'
}
