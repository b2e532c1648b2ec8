package fixes

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// Rewritten returns the fix for a template that ParseTemplate returns an error for. A number keeps its width, or gets
// that of the largest one.
func Rewritten(r *reading.Design, coordinate, name, text string) string {
	text = formatted.ReplaceAllStringFunc(text, func(s string) string {
		variable, format, _ := strings.Cut(strings.Trim(s, "{}"), ":")
		if _, err := keys.ParseTemplate(s); err == nil || r.DigitsOf(coordinate, variable) == 0 {
			return s
		}
		width, err := strconv.Atoi(format)
		if err != nil || width < 1 || width > reading.Digits(keys.Int64) {
			width = r.DigitsOf(coordinate, variable)
		}
		return keys.Segment{Variable: variable, Width: width}.String()
	})
	return fmt.Sprintf("write %s: %q", name, Delimited(r, text))
}

// Delimited returns the template that is probably meant by a text: with the delimiter between its parts, whole
// braces and formats that exist.
func Delimited(r *reading.Design, text string) string {
	delimiter := r.Names().Delimiter
	rest := sdl.Brace.ReplaceAllStringFunc(strings.ReplaceAll(text, delimiter, "#"), func(s string) string {
		name, format, hasFormat := strings.Cut(strings.Trim(s, "{}"), ":")
		if name = notInName.ReplaceAllString(name, ""); hasFormat {
			name += ":" + format
		}
		return "{" + name + "}"
	})
	open := strings.HasSuffix(rest, "#")
	var b strings.Builder
	for {
		at := sdl.Braced.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		inside := rest[at[0]:at[1]]
		if _, err := keys.ParseTemplate(inside); err != nil {
			inside = "{" + rest[at[2]:at[3]] + "}"
		}
		b.WriteString(sdl.ForeignDelimiter.ReplaceAllString(rest[:at[0]], "#"))
		b.WriteString(inside)
		if rest = rest[at[1]:]; rest != "" {
			rest = "#" + strings.TrimLeft(rest, "-_.")
		}
	}
	rest = strings.NewReplacer("{", "", "}", "").Replace(rest)
	b.WriteString(sdl.ForeignDelimiter.ReplaceAllString(rest, "#"))
	hashes := repeated.ReplaceAllString(softDelimiter.ReplaceAllString(b.String(), "#{"), "#")
	hashes = strings.Trim(hashes, "#")
	if open {
		hashes += "#"
	}
	return strings.ReplaceAll(hashes, "#", delimiter)
}

// OwnKey returns the template of the pk or sk, key, that identifies an object of a type, or of the type that a field
// returns.
func OwnKey(r *reading.Design, coordinate, key string) string {
	parent, field, isField := strings.Cut(coordinate, ".")
	def := r.Schema.Types[parent]
	if !isField {
		if name := r.FieldInKey(def); name != "" && key == "pk" {
			return "{" + name + "}"
		}
		name := "id"
		if def.Fields.ForName(name) == nil {
			name = def.Fields[0].Name
		}
		return sdl.ConstantCase(parent) + r.Names().Delimiter + "{" + name + "}"
	}
	f := def.Fields.ForName(field)
	name := "id"
	if len(f.Arguments) > 0 && !sdl.IsPaging(f.Arguments[0].Name) {
		name = f.Arguments[0].Name
	}
	return sdl.ConstantCase(f.Type.Name()) + r.Names().Delimiter + "{" + name + "}"
}

var (
	softDelimiter = regexp.MustCompile(`[-_.]+\{`)
	repeated      = regexp.MustCompile(`#+`)
	notInName     = regexp.MustCompile(`\W+`)
	formatted     = regexp.MustCompile(`\{\w+:[^{}]*\}`)
)
