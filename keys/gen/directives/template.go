package directives

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// template reads a directive's pk or sk, and finds what cannot be a key. It reports whether there
// is no fault.
func (r *reader) template(d *ast.Directive, coordinate, name string) (keys.Template, bool) {
	text := textArgument(d, name)
	t, err := keys.ParseDelimited(r.names().Delimiter, text)
	if err != nil {
		r.find(d.Position, coordinate, fmt.Sprintf("%s %q: %v", name, text, err), rewritten(name, text))
		return t, false
	}
	if text == "" && name == "sk" && d.Name == "index" && r.layout != nil {
		return t, true // An index may have no sort key: see checkDerivedKeys.
	}
	if text == "" && !(d.Name == "query" && name == "sk") {
		r.find(d.Position, coordinate, name+" is empty: DynamoDB stores no empty key",
			`write a literal and the variables that identify an item, such as "ORDER#{id}"`)
		return t, false
	}
	segments := t.Segments()
	for i, s := range segments {
		open := d.Name == "query" && name == "sk" && i == len(segments)-1
		if s.Literal == "" && s.Variable == "" && !open {
			r.find(d.Position, coordinate, fmt.Sprintf("%s %q has an empty part", name, text), rewritten(name, text))
			return t, false
		}
	}
	return t, true
}

var (
	foreignDelimiter = regexp.MustCompile(`[^\pL\pN_.#-]+`)
	softDelimiter    = regexp.MustCompile(`[-_.]+\{`)
	repeated         = regexp.MustCompile(`#+`)
	braced           = regexp.MustCompile(`\{(\w+)(?::[^{}]*)?\}`)
)

// rewritten returns the fix for a template that ParseTemplate returns an error for: '#' between its
// parts.
func rewritten(name, text string) string {
	var b strings.Builder
	rest := text
	for {
		at := braced.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		inside := rest[at[0]:at[1]]
		if _, err := keys.ParseTemplate(inside); err != nil {
			inside = "{" + rest[at[2]:at[3]] + "}"
		}
		b.WriteString(foreignDelimiter.ReplaceAllString(rest[:at[0]], "#"))
		b.WriteString(inside)
		if rest = rest[at[1]:]; rest != "" {
			rest = "#" + strings.TrimLeft(rest, "-_.")
		}
	}
	if strings.ContainsAny(rest, "{}") {
		return "write literals and {field}, with '#' between them"
	}
	b.WriteString(foreignDelimiter.ReplaceAllString(rest, "#"))
	hashes := repeated.ReplaceAllString(softDelimiter.ReplaceAllString(b.String(), "#{"), "#")
	return fmt.Sprintf("write %s: %q", name, strings.Trim(hashes, "#"))
}

func quote(text string) string { return `"` + text + `"` }

// rewrite returns the text of a template with each segment replaced.
func rewrite(t keys.Template, segment func(keys.Segment) keys.Segment) string {
	parts := make([]string, len(t.Segments()))
	for i, s := range t.Segments() {
		parts[i] = segmentText(segment(s))
	}
	return strings.Join(parts, t.Delimiter())
}

// shapeText returns the pattern of the keys of a template: with {} for each variable.
func shapeText(t keys.Template) string {
	return rewrite(t, func(s keys.Segment) keys.Segment {
		if s.Variable != "" {
			s.Variable, s.Width = "x", 0
		}
		return s
	})
}

func segmentText(s keys.Segment) string {
	if s.Variable == "" {
		return s.Literal
	}
	format := ""
	switch {
	case s.Width > 0:
		format = fmt.Sprintf(":0%d", s.Width)
	case s.Bucket == keys.Year:
		format = ":year"
	case s.Bucket == keys.Month:
		format = ":month"
	case s.Bucket == keys.Day:
		format = ":day"
	case s.Bucket == keys.Hour:
		format = ":hour"
	}
	return s.Literal + "{" + s.Variable + format + "}"
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsControl(r) }
