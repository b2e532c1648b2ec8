package directives

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// parse reads a template with the table's delimiter. Only the keys of an existing table may have values without a
// delimiter between them: one that Partita fills needs none.
func (r *reader) parse(text string) (keys.Template, error) {
	t, err := keys.ParseDelimited(r.names().Delimiter, text)
	if err != nil || r.layout != nil {
		return t, err
	}
	for i, s := range t.Segments() {
		if s.Glued {
			return t, fmt.Errorf("there must be a '%s' between {%s} and %q: it is the only delimiter",
				t.Delimiter(), t.Segments()[i-1].Variable, s)
		}
	}
	return t, nil
}

// template reads a directive's pk or sk, and finds what cannot be a key. It reports whether there
// is no fault.
func (r *reader) template(d *ast.Directive, coordinate, name string) (keys.Template, bool) {
	text := textArgument(d, name)
	isOfTable := d.Name != "index" && (d.Name != "query" || textArgument(d, "index") == "")
	if name == "sk" && isOfTable && !r.names().HasSortKey() {
		return keys.Template{}, r.hasNoSortKey(d, coordinate, text)
	}
	t, err := r.parse(text)
	if err != nil {
		r.find(d.Position, coordinate, fmt.Sprintf("%s %q: %v", name, text, err), r.rewritten(coordinate, name, text))
		return t, false
	}
	if text == "" && name == "sk" && d.Name == "index" && r.layout != nil {
		return t, true // An index may have no sort key: see checkDerivedKeys.
	}
	if text == "" && !(d.Name == "query" && name == "sk") {
		c := documentChecker{types: r.schema.Types}
		own := c.missingKey(name, d, coordinate)
		if _, err := r.parse(strings.Trim(own, `"`)); own == "" || err != nil {
			own = strconv.Quote(r.ownKey(coordinate))
		}
		r.find(d.Position, coordinate, name+" is empty: DynamoDB stores no empty key",
			fmt.Sprintf("write %s: %s, or another literal with the variables that identify an item", name, own))
		return t, false
	}
	segments := t.Segments()
	for i, s := range segments {
		isLast := i == len(segments)-1
		open := d.Name == "query" && name == "sk" && isLast
		// Other programs begin keys with the delimiter to sort them first (#PROFILE), or end them with it (ACCOUNT#).
		foreign := r.layout != nil && len(segments) > 1 && (i == 0 || isLast)
		if s.Literal == "" && s.Variable == "" && !s.Glued && !open && !foreign {
			whole := text
			if d.Name != "query" || name != "sk" {
				whole = strings.TrimSuffix(text, t.Delimiter())
			}
			r.find(d.Position, coordinate, fmt.Sprintf("%s %q has an empty part", name, text),
				r.rewritten(coordinate, name, whole))
			return t, false
		}
	}
	return t, true
}

// hasNoSortKey finds a sort key in a table without one, and reports whether there is none.
func (r *reader) hasNoSortKey(d *ast.Directive, coordinate, sk string) bool {
	if sk != "" {
		r.find(d.Position, coordinate, fmt.Sprintf("sk is %q, but the table has no sort key", sk),
			"remove sk from @"+d.Name)
	}
	return sk == ""
}

var (
	foreignDelimiter = regexp.MustCompile(`[^\pL\pN_.#-]+`)
	softDelimiter    = regexp.MustCompile(`[-_.]+\{`)
	repeated         = regexp.MustCompile(`#+`)
	brace            = regexp.MustCompile(`\{[^{}#]*\}?`)
	notInName        = regexp.MustCompile(`\W+`)
	formatted        = regexp.MustCompile(`\{\w+:[^{}]*\}`)
	braced           = regexp.MustCompile(`\{(\w+)(?::[^{}]*)?\}`)
)

// rewritten returns the fix for a template that ParseTemplate returns an error for. A number keeps its width, or gets
// that of the largest one.
func (r *reader) rewritten(coordinate, name, text string) string {
	text = formatted.ReplaceAllStringFunc(text, func(s string) string {
		variable, format, _ := strings.Cut(strings.Trim(s, "{}"), ":")
		if _, err := keys.ParseTemplate(s); err == nil || r.digitsOf(coordinate, variable) == 0 {
			return s
		}
		width, err := strconv.Atoi(format)
		if err != nil || width < 1 || width > digits(keys.Int64) {
			width = r.digitsOf(coordinate, variable)
		}
		return keys.Segment{Variable: variable, Width: width}.String()
	})
	return fmt.Sprintf("write %s: %q", name, r.delimited(text))
}

// digitsOf returns how many digits a number has at most that is an argument of a field, or a field of its parent or of
// a type, otherwise 0.
func (r *reader) digitsOf(coordinate, variable string) int {
	typ, field, _ := strings.Cut(coordinate, ".")
	def := r.schema.Types[typ]
	if f := def.Fields.ForName(field); f != nil && f.Arguments.ForName(variable) != nil {
		return digits(r.kind(f.Arguments.ForName(variable).Type))
	}
	if f := def.Fields.ForName(variable); f != nil {
		return digits(r.kind(f.Type))
	}
	return 0
}

// delimited returns the template that is probably meant by a text: with the delimiter between its parts, whole
// braces and formats that exist.
func (r *reader) delimited(text string) string {
	delimiter := r.names().Delimiter
	rest := brace.ReplaceAllStringFunc(strings.ReplaceAll(text, delimiter, "#"), func(s string) string {
		name, format, hasFormat := strings.Cut(strings.Trim(s, "{}"), ":")
		if name = notInName.ReplaceAllString(name, ""); hasFormat {
			name += ":" + format
		}
		return "{" + name + "}"
	})
	open := strings.HasSuffix(rest, "#")
	var b strings.Builder
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
	hashes = strings.Trim(hashes, "#")
	if open {
		hashes += "#"
	}
	return strings.ReplaceAll(hashes, "#", delimiter)
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
		return constantCase(parent) + r.names().Delimiter + "{" + name + "}"
	}
	f := def.Fields.ForName(field)
	name := "id"
	if len(f.Arguments) > 0 && !isPaging(f.Arguments[0].Name) {
		name = f.Arguments[0].Name
	}
	return constantCase(f.Type.Name()) + r.names().Delimiter + "{" + name + "}"
}

func quote(text string) string { return `"` + text + `"` }

// rewrite returns the text of a template with each segment replaced.
func rewrite(t keys.Template, segment func(keys.Segment) keys.Segment) string {
	segments := slices.Clone(t.Segments())
	for i, s := range segments {
		segments[i] = segment(s)
	}
	return keys.Join(segments, t.Delimiter())
}

// samePattern reports whether the keys of two templates have the same pattern, whatever their variables are.
func samePattern(a, b keys.Template) bool {
	return a.Delimiter() == b.Delimiter() && slices.EqualFunc(a.Segments(), b.Segments(), func(x, y keys.Segment) bool {
		return x.Glued == y.Glued && x.Literal == y.Literal && (x.Variable == "") == (y.Variable == "") &&
			x.Bucket == y.Bucket
	})
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsControl(r) }
