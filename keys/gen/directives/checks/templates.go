package directives

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/partita/partita/keys"
)

// checkTemplates finds what cannot be a key.
func (r *checker) checkTemplates() {
	for _, u := range r.unreadable {
		d, name := u.directive, u.name
		switch {
		case u.hasNoSortKey:
			r.find(d.Position, u.coordinate, fmt.Sprintf("sk is %q, but the table has no sort key", u.text),
				"remove sk from @"+d.Name)
		case u.err != nil:
			r.find(d.Position, u.coordinate, fmt.Sprintf("%s %q: %v", name, u.text, u.err),
				r.rewritten(u.coordinate, name, u.text))
		case u.text == "":
			c := documentChecker{types: r.schema.Types}
			own := c.missingKey(name, d, u.coordinate)
			if _, err := r.parse(strings.Trim(own, `"`)); own == "" || err != nil {
				own = strconv.Quote(r.ownKey(u.coordinate))
			}
			r.find(d.Position, u.coordinate, name+" is empty: DynamoDB stores no empty key",
				fmt.Sprintf("write %s: %s, or another literal with the variables that identify an item", name, own))
		default:
			whole := u.text
			if d.Name != "query" || name != "sk" {
				whole = strings.TrimSuffix(u.text, r.names().Delimiter)
			}
			r.find(d.Position, u.coordinate, fmt.Sprintf("%s %q has an empty part", name, u.text),
				r.rewritten(u.coordinate, name, whole))
		}
	}
}

// rewritten returns the fix for a template that ParseTemplate returns an error for. A number keeps its width, or gets
// that of the largest one.
func (r *checker) rewritten(coordinate, name, text string) string {
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
func (r *checker) digitsOf(coordinate, variable string) int {
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
func (r *checker) delimited(text string) string {
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
func (r *checker) ownKey(coordinate string) string {
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

var (
	softDelimiter = regexp.MustCompile(`[-_.]+\{`)
	repeated      = regexp.MustCompile(`#+`)
	notInName     = regexp.MustCompile(`\W+`)
	formatted     = regexp.MustCompile(`\{\w+:[^{}]*\}`)
)
