package directives

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// template reads a directive's pk or sk, and finds what cannot be a key. It reports whether there
// is no fault.
func (r *reader) template(d *ast.Directive, coordinate, name string) (keys.Template, bool) {
	text := textArgument(d, name)
	t, err := keys.ParseTemplate(text)
	if err != nil {
		r.find(d.Position, coordinate, fmt.Sprintf("%s %q: %v", name, text, err), rewritten(name, text))
		return t, false
	}
	if text == "" && !(d.Name == "query" && name == "sk") {
		r.find(d.Position, coordinate, name+" is empty: DynamoDB stores no empty key",
			fmt.Sprintf("write %s: %q, or another literal with the variables that identify an item", name, r.ownKey(coordinate)))
		return t, false
	}
	segments := t.Segments()
	for i, s := range segments {
		if s.Variable != "" && s.Literal != strings.TrimRight(s.Literal, "-_.") {
			what := fmt.Sprintf("%s %q: %q is before {%s}, but '#' is the only delimiter",
				name, text, s.Literal[len(s.Literal)-1:], s.Variable)
			r.find(d.Position, coordinate, what, rewritten(name, text))
			return t, false
		}
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
	brace            = regexp.MustCompile(`\{[^{}#]*\}?`)
	notInName        = regexp.MustCompile(`\W+`)
	braced           = regexp.MustCompile(`\{(\w+)(?::[^{}]*)?\}`)
)

// rewritten returns the fix for a template that ParseTemplate returns an error for: '#' between its
// parts.
func rewritten(name, text string) string {
	var b strings.Builder
	rest := brace.ReplaceAllStringFunc(text, func(s string) string {
		name, format, hasFormat := strings.Cut(strings.Trim(s, "{}"), ":")
		if name = notInName.ReplaceAllString(name, ""); hasFormat {
			name += ":" + format
		}
		return "{" + name + "}"
	})
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
	rest = strings.NewReplacer("{", "", "}", "").Replace(rest)
	b.WriteString(foreignDelimiter.ReplaceAllString(rest, "#"))
	hashes := repeated.ReplaceAllString(softDelimiter.ReplaceAllString(b.String(), "#{"), "#")
	return fmt.Sprintf("write %s: %q", name, strings.Trim(hashes, "#"))
}

// ownKey returns the template of a key that identifies an object of a type, or of the type that a field returns.
func (r *reader) ownKey(coordinate string) string {
	parent, field, isField := strings.Cut(coordinate, ".")
	def := r.schema.Types[parent]
	if !isField {
		name := "id"
		if def.Fields.ForName(name) == nil {
			name = def.Fields[0].Name
		}
		return constantCase(parent) + keys.Delimiter + "{" + name + "}"
	}
	f := def.Fields.ForName(field)
	name := "id"
	if len(f.Arguments) > 0 {
		name = f.Arguments[0].Name
	}
	return constantCase(f.Type.Name()) + keys.Delimiter + "{" + name + "}"
}

func quote(text string) string { return `"` + text + `"` }

// rewrite returns the text of a template with each segment replaced.
func rewrite(t keys.Template, segment func(keys.Segment) keys.Segment) string {
	parts := make([]string, len(t.Segments()))
	for i, s := range t.Segments() {
		parts[i] = segmentText(segment(s))
	}
	return strings.Join(parts, keys.Delimiter)
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
