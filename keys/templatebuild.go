package keys

import (
	"strings"

	"github.com/partita/partita/item"
)

// Describe returns the key value as a text for people: see KeyAttributes.Show. For a value that is unset or not allowed
// in a key, it contains the result of unknown.
func (t Template) Describe(values func(name string) Value, unknown func(name string) string) string {
	var b strings.Builder
	for i, s := range t.segments {
		if i > 0 && !s.Glued {
			b.WriteString(t.shownDelimiter())
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		text, err := "", error(nil)
		v := values(s.Variable)
		if v.IsSet() && v.bounds == nil {
			if text, err = s.Format(v, t.Delimiter()); s.number && err == nil {
				text = KeyNumber(text)
			}
		}
		if text == "" || err != nil {
			text = unknown(s.Variable)
		}
		b.WriteString(text)
	}
	return b.String()
}

// Build returns the key value with the values of the variables. It ends before the first one that is Optional and
// unset. The error is an InputError for another value that is unset, and for one that is not allowed in a key.
func (t Template) Build(values func(name string) Value) (string, error) {
	var b strings.Builder
	b.Grow(len(t.text) + 32)
	delimiter := t.Delimiter()
	for i := range t.segments {
		s := &t.segments[i]
		if i > 0 && !s.Glued {
			b.WriteString(delimiter)
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		v := values(s.Variable)
		if !v.IsSet() {
			if s.Optional {
				break
			}
			return "", InputErrorf(s.Variable, "%s must be given", s.Variable)
		}
		text, err := s.Format(v, delimiter)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Beginning returns the key value up to the first variable without a value that is allowed in a key.
func (t Template) Beginning(values func(name string) Value) string {
	var b strings.Builder
	for i, s := range t.segments {
		if i > 0 && !s.Glued {
			b.WriteString(t.Delimiter())
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		value, err := s.Format(values(s.Variable), t.Delimiter())
		if err != nil {
			break
		}
		b.WriteString(value)
	}
	return b.String()
}

// Agrees reports whether Build returns the text for the values of the item. It allocates nothing for values in the
// default format, because it is called for each item that is read. A value may contain the delimiter.
func (t Template) Agrees(text string, it item.Item) bool {
	for i := range t.segments {
		var ok bool
		s := &t.segments[i]
		if i > 0 && !s.Glued {
			if text, ok = strings.CutPrefix(text, t.Delimiter()); !ok {
				return false
			}
		}
		if s.Optional && !AttributeValue(it, s.Variable).IsSet() {
			return text == s.Literal
		}
		if text, ok = s.cut(text, it); !ok {
			return false
		}
	}
	return text == ""
}
