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
	case f.Kind == Node || f.Kind == Nodes:
		return t.Agrees(it)
	case f.Index != "":
		if !t.Agrees(it) {
			return false
		}
		at = Key{PK: PK(it.Text(IndexPK(f.Index))), SK: SK(it.Text(IndexSK(f.Index)))}
	}
	for i := range f.matches {
		if m := &f.matches[i]; m.Type == t && m.Shape.agrees(at, it, m.Shards) {
			return true
		}
	}
	return false
}

// Agrees reports whether the primary key of an item of the type is that of a base item or of a copy with the item's
// attributes.
func (t *Type) Agrees(it item.Item) bool {
	key := KeyOf(it)
	return t.Item.agrees(key, it, 1) ||
		slices.ContainsFunc(t.Copies, func(s Shape) bool { return s.agrees(key, it, 1) })
}

// agrees reports whether the key is that of the shape with the values of the item, in any of the shards.
func (s Shape) agrees(key Key, it item.Item, shards int) bool {
	pk := string(key.PK)
	if shards > 1 {
		i := strings.LastIndex(pk, Delimiter)
		if i < 0 {
			return false
		}
		pk = pk[:i]
	}
	return s.PK.agrees(pk, it) && s.SK.agrees(string(key.SK), it)
}

// agrees reports whether Build returns the text for the values of the item. It allocates nothing, because it is called
// for each item that is read.
func (t Template) agrees(text string, it item.Item) bool {
	if len(t.segments) == 0 {
		return text == ""
	}
	more := true
	for i := range t.segments {
		if !more {
			return false
		}
		var part string
		part, text, more = strings.Cut(text, Delimiter)
		if !t.segments[i].agrees(part, it) {
			return false
		}
	}
	return !more
}

func (s *Segment) agrees(part string, it item.Item) bool {
	value, ok := strings.CutPrefix(part, s.Literal)
	if !ok || s.Variable == "" {
		return ok && value == ""
	}
	v, _ := it.Get(s.Variable)
	switch {
	case value == "":
		return false
	case s.Bucket > 0:
		return v.Kind == item.String && len(v.Text) >= int(s.Bucket) && v.Text[:s.Bucket] == value
	case v.Kind == item.Number:
		return s.agreesWithNumber(value, v)
	case v.Kind == item.String || v.Kind == item.Bool:
		return v.Text == value
	default:
		return false
	}
}

// agreesWithNumber compares digits with a Number, which DynamoDB may have sent with an exponent.
func (s *Segment) agreesWithNumber(digits string, v item.Value) bool {
	if s.Width > 0 {
		if len(digits) != s.Width {
			return false
		}
		if digits = strings.TrimLeft(digits, "0"); digits == "" {
			digits = "0"
		}
	}
	if v.Text == digits {
		return true
	}
	n, err := item.AsInt64(v)
	return err == nil && strconv.FormatInt(n, 10) == digits
}
