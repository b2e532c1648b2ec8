package reading

import (
	"fmt"
	"slices"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// Parse reads a template with the table's delimiter. Only the keys of an existing table may have values without a
// delimiter between them: one that Partita fills needs none.
func (r *Source) Parse(text string) (keys.Template, error) {
	t, err := keys.ParseDelimited(r.Names().Delimiter, text)
	if err != nil || r.Layout != nil {
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

// template reads a directive's pk or sk. It reports whether there is no fault; if there is one, it is noted.
func (r *Source) template(d *ast.Directive, coordinate, name string) (keys.Template, bool) {
	text := sdl.Text(d, name)
	fault := func(of unreadable) bool {
		of.Directive, of.Coordinate, of.Name, of.Text = d, coordinate, name, text
		r.Unreadable = append(r.Unreadable, of)
		return false
	}
	isOfTable := d.Name != "index" && (d.Name != "query" || sdl.Text(d, "index") == "")
	if name == "sk" && isOfTable && !r.Names().HasSortKey() {
		return keys.Template{}, text == "" || fault(unreadable{HasNoSortKey: true})
	}
	t, err := r.Parse(text)
	if err != nil {
		return t, fault(unreadable{Err: err})
	}
	if text == "" && name == "sk" && d.Name == "index" && r.Layout != nil {
		return t, true // An index may have no sort key: see checkDerivedKeys.
	}
	if text == "" && !(d.Name == "query" && name == "sk") {
		return t, fault(unreadable{})
	}
	segments := t.Segments()
	for i, s := range segments {
		isLast := i == len(segments)-1
		open := d.Name == "query" && name == "sk" && isLast
		// Other programs begin keys with the delimiter to sort them first (#PROFILE), or end them with it (ACCOUNT#).
		foreign := r.Layout != nil && len(segments) > 1 && (i == 0 || isLast)
		if s.Literal == "" && s.Variable == "" && !s.Glued && !open && !foreign {
			return t, fault(unreadable{})
		}
	}
	return t, true
}

// Rewrite returns the text of a template with each segment replaced.
func Rewrite(t keys.Template, segment func(keys.Segment) keys.Segment) string {
	segments := slices.Clone(t.Segments())
	for i, s := range segments {
		segments[i] = segment(s)
	}
	return keys.Join(segments, t.Delimiter())
}

// SamePattern reports whether the keys of two templates have the same pattern, whatever their variables are.
func SamePattern(a, b keys.Template) bool {
	return a.Delimiter() == b.Delimiter() && slices.EqualFunc(a.Segments(), b.Segments(), func(x, y keys.Segment) bool {
		return x.Glued == y.Glued && x.Literal == y.Literal && (x.Variable == "") == (y.Variable == "") &&
			x.Bucket == y.Bucket
	})
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsControl(r) }

// Join continues a template with a part.
func (r *Source) Join(template, part string) string {
	return sdl.Joined(template, part, r.Names().Delimiter)
}
