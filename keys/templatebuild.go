package keys

import (
	"slices"
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
	var room [usualBytes]byte
	text, err := t.appendTo(room[:0], values)
	return string(text), err
}

// BuildSK is Build for a sort key beside a partition key. The two are one text if they are equal, as they are of many
// items.
func (t Template) BuildSK(pk PK, values func(name string) Value) (SK, error) {
	var room [usualBytes]byte
	text, err := t.appendTo(room[:0], values)
	if string(text) == string(pk) {
		return SK(pk), err
	}
	return SK(text), err
}

// usualBytes is the room for a key value on the stack: few are longer.
const usualBytes = 96

// appendTo appends what Build returns. With an error, the result is nil.
func (t *Template) appendTo(b []byte, values func(name string) Value) ([]byte, error) {
	delimiter := t.Delimiter()
	for i := range t.segments {
		s := &t.segments[i]
		if i > 0 && !s.Glued {
			b = append(b, delimiter...)
		}
		b = append(b, s.Literal...)
		if s.Variable == "" {
			continue
		}
		v := values(s.Variable)
		if !v.IsSet() {
			if s.Optional {
				break
			}
			return nil, InputErrorf(s.Variable, "%s must be given", s.Variable)
		}
		text, err := s.Format(v, delimiter)
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return b, nil
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

// WithFormats returns the template with the kind and the format that of returns for each variable; ok is false for one
// that has none.
func (t Template) WithFormats(of func(variable string) (kind Kind, as Format, ok bool)) Template {
	t.segments = slices.Clone(t.segments)
	for i := range t.segments {
		s := &t.segments[i]
		kind, as, ok := of(s.Variable)
		if !ok {
			continue
		}
		s.kind, s.as = kind, as
		layout := as.KeyLayout(kind, s.Bucket)
		s.textWidth, s.fixed = len(layout), 0
		if s.delimiters = strings.Count(layout, t.Delimiter()); s.delimiters > 0 {
			s.fixed = len(layout)
		}
	}
	t.setUnknown()
	return t
}

// OfAttributes returns the template of a key with these attributes. field returns the variable that an attribute has as
// its value, and whether that is a Number. If the key has several attributes, each segment is the text of one. A value
// that is an attribute as it is may have the delimiter.
func (t Template) OfAttributes(k KeyAttributes, field func(stored string) (variable string, isNumber bool)) Template {
	if len(k) > 1 {
		t.separated = true
	} else if len(t.segments) > 1 {
		return t
	}
	t.segments = slices.Clone(t.segments)
	for i := range min(len(k), len(t.segments)) {
		s := &t.segments[i]
		if variable, isNumber := field(k[i].Name); variable != "" && s.Literal == "" && s.Variable == variable {
			s.number, t.separated = isNumber, true
		}
	}
	return t
}

// FormattedAs returns the template with the formats of one that it matches segment by segment. Variables that are
// stored have values of items, which may contain the delimiter.
func (t Template) FormattedAs(other Template, isStored func(variable string) bool) Template {
	t.delimiter, t.separated = other.delimiter, other.separated
	t.segments = slices.Clone(t.segments)
	for i := range t.segments {
		own := &t.segments[i]
		if own.Variable != "" {
			of := other.segments[i]
			own.as, own.number = of.as, of.number
			own.fixed, own.delimiters = of.fixed, of.delimiters
			own.kind, own.textWidth, own.unknown = of.kind, of.textWidth, of.unknown
			own.names, own.places = of.names, of.places
			own.stored = isStored(own.Variable)
		}
	}
	return t
}

// setUnknown sets Segment.unknown: of values in another case, and of those whose end or beginning cannot be found
// because another value of any length is in the same part between two delimiters.
func (t *Template) setUnknown() {
	if !t.open {
		return
	}
	for i := 0; i < len(t.segments); {
		part := t.segments[i:t.partEnd(i)]
		free := 0
		for k := range part {
			if part[k].isFree(part[k+1:]) {
				free++
			}
		}
		for k := range part {
			s := &part[k]
			s.unknown = s.Variable != "" && (s.Case != AsIs && s.kind != Boolean || free > 1 && s.isFree(part[k+1:]))
		}
		i += len(part)
	}
}
