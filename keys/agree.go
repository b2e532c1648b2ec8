package keys

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
)

// Agrees reports whether the key of an item of the type, under which the field has read it, follows from the item's
// attributes. It does not for a copy that names another owner than its key does. For a Query of an index, both the key
// of the entry and the primary key must follow, but in which shard the entry is does not matter: all shards are read.
func (f *Field) Agrees(t *Type, it item.Item) bool {
	at := KeyOf(it)
	switch {
	case f.Kind.IsByID():
		return t.Agrees(it)
	case f.Index != "":
		if !t.Agrees(it) {
			return false
		}
		at = Key{PK: PK(it.Text(IndexPK(f.Index))), SK: SK(it.Text(IndexSK(f.Index)))}
	}
	for i := range f.matches {
		if m := &f.matches[i]; m.Type == t && m.Shape.Agrees(at, it, m.Shards, m.Was...) {
			return true
		}
	}
	return false
}

// Agrees reports whether the primary key of an item of the type is that of a base item or of a copy with the item's
// attributes.
func (t *Type) Agrees(it item.Item) bool {
	key := KeyOf(it)
	return t.Item.Agrees(key, it, t.Shards) ||
		slices.ContainsFunc(t.Copies, func(c Copy) bool { return c.Agrees(key, it, 1) })
}

// Agrees reports whether the key is that of the shape with the values of the item, in any of the shards that there
// are or were.
func (s Shape) Agrees(key Key, it item.Item, shards int, was ...int) bool {
	if !s.SK.Agrees(string(key.SK), it) {
		return false
	}
	pk, IsSharded := string(key.PK), func(shards int) bool { return shards > 1 }
	whole, sharded := shards <= 1, shards > 1
	if len(was) > 0 {
		whole = whole || slices.Min(was) == 1
		sharded = sharded || slices.ContainsFunc(was, IsSharded)
	}
	if whole && s.PK.Agrees(pk, it) {
		return true
	}
	i := strings.LastIndex(pk, s.PK.Delimiter())
	return sharded && i >= 0 && s.PK.Agrees(pk[:i], it)
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

// cut returns what follows the segment with the values of the item in a text, and reports whether the text begins
// with that.
func (s *Segment) cut(text string, it item.Item) (rest string, ok bool) {
	text, ok = strings.CutPrefix(text, s.Literal)
	if !ok || s.Variable == "" {
		return text, ok
	}
	v, _ := it.Get(s.Variable)
	if v.Kind != item.String && v.Kind != item.Number && v.Kind != item.Bool || v.Text == "" {
		return text, s.Optional
	}
	value := v.Text
	switch {
	case s.Case != AsIs:
		return strings.CutPrefix(text, s.Case.Of(value))
	case s.Bucket > 0:
		if v.Kind != item.String || len(value) < int(s.Bucket) {
			return "", false
		}
		value = value[:s.Bucket]
	case s.number:
		number := textOf(s.as.ToStored(v))
		rest, ok = strings.CutPrefix(text, number)
		return rest, ok && number != ""
	case s.as != Plain:
		if value, ok = s.as.Text(value); !ok {
			return "", false
		}
		if s.Width > 0 {
			return s.cutNumber(text, item.Value{Kind: item.Number, Text: value})
		}
	case v.Kind == item.Number:
		return s.cutNumber(text, v)
	}
	return strings.CutPrefix(text, value)
}

// cutNumber is cut for a Number, which DynamoDB may have sent with an exponent.
func (s *Segment) cutNumber(text string, v item.Value) (rest string, ok bool) {
	if s.Width == 0 {
		if rest, ok = strings.CutPrefix(text, v.Text); ok {
			return rest, true
		}
	}
	rest = strings.TrimLeft(strings.TrimPrefix(text, "-"), "0123456789")
	n := len(text) - len(rest)
	digits := text[:n]
	if width := s.Width; width > 0 {
		if n != width {
			return "", false
		}
		if digits = strings.TrimLeft(digits, "0"); digits == "" {
			digits = "0"
		}
	}
	if v.Text == digits {
		return rest, true
	}
	whole, err := item.AsInt64(v)
	return rest, err == nil && strconv.FormatInt(whole, 10) == digits
}
