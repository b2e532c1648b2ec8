package browse

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

const (
	// valueBytes is where values are cut.
	valueBytes = 16 << 10
	// lineBytes is the size of the longest list, map or set that is one line.
	lineBytes = 100
)

// attributeShown is a stored attribute.
type attributeShown struct {
	Name string `json:"name"`
	// Type is DynamoDB's name of the data type: S, N, B, BOOL, NULL, L, M, SS, NS or BS.
	Type string `json:"type"`
	// Value is the stored value: a text, base64 of a binary, or DynamoDB's JSON of what has further values.
	Value string `json:"value"`
	// Cut is set if Value is only the beginning.
	Cut bool `json:"cut,omitempty"`
	// Bytes is the size of name and value as DynamoDB counts it.
	Bytes int `json:"bytes"`
	// Field is the field whose value this is, and Format its stored format unless that is the default one. Means is the
	// value in the default format if that is another text.
	Field  string `json:"field,omitempty"`
	Format string `json:"format,omitempty"`
	Means  string `json:"means,omitempty"`
	// Key is set for a part of a key and for the type attribute.
	Key  bool  `json:"key,omitempty"`
	Link *link `json:"link,omitempty"`
}

// attributes returns the stored attributes of an item of a type, which may be nil: first the keys, then the others by
// name.
func (b *Browser) attributes(t *design.Type, it, stored item.Item) []attributeShown {
	keyNames := b.keyNames()
	all := make([]attributeShown, 0, len(stored))
	for _, a := range stored {
		shown := attributeShown{Name: a.Name, Type: typeName(a.Value), Bytes: item.Item{a}.Size()}
		shown.Value, shown.Cut = valueText(a.Value)
		shown.Key = slices.Contains(keyNames, a.Name)
		if field := fieldOf(t, a.Name); field != nil {
			shown.Field, shown.Format = t.Name+"."+field.Name, field.As.String()
			if v, _ := it.Find(field.Name); field.As != keys.Plain && v.Text != a.Value.Text {
				shown.Means, _ = valueText(v)
			}
			shown.Link = b.reference(t, field.Name, a.Value.Text)
		}
		all = append(all, shown)
	}
	slices.SortFunc(all, func(x, y attributeShown) int {
		switch {
		case x.Key && y.Key:
			return slices.Index(keyNames, x.Name) - slices.Index(keyNames, y.Name)
		case x.Key:
			return -1
		case y.Key:
			return 1
		}
		return strings.Compare(x.Name, y.Name)
	})
	return all
}

// keyNames returns the stored names of the primary key, the type and the keys of indexes.
func (b *Browser) keyNames() []string {
	l := b.design.Layout
	names := append(slices.Concat(l.PK.Names(), l.SK.Names()), l.Type)
	for _, name := range b.design.IndexNames() {
		ix := l.Index(name)
		names = append(append(names, ix.PK.Names()...), ix.SK.Names()...)
	}
	return names
}

// fieldOf returns the field of a type, which may be nil, with a stored name; nil if there is none.
func fieldOf(t *design.Type, name string) *design.Attribute {
	if t == nil {
		return nil
	}
	for i := range t.Attributes {
		if t.Attributes[i].StoredName() == name {
			return &t.Attributes[i]
		}
	}
	return nil
}

func typeName(v item.Value) string {
	if v.IsSet() {
		return typeName(v.Elements()[0]) + "S"
	}
	return [...]string{
		item.Null: "NULL", item.String: "S", item.Number: "N", item.Bool: "BOOL", item.Binary: "B", item.List: "L",
		item.Map: "M",
	}[v.Kind]
}

// valueText returns the text of a value, and reports whether it is cut.
func valueText(v item.Value) (string, bool) {
	switch v.Kind {
	case item.Null:
		return "", false
	case item.Binary:
		cut := len(v.Text) > valueBytes
		return base64.StdEncoding.EncodeToString([]byte(v.Text[:min(len(v.Text), valueBytes)])), cut
	case item.List, item.Map:
		text := encode(nested(v), "")
		if len(text) > lineBytes {
			text = encode(nested(v), "  ")
		}
		return cutText(text)
	default:
		return cutText(v.Text)
	}
}

// encode returns the JSON of what nested returns.
func encode(v any, indent string) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(v); err != nil {
		panic(err) // it has texts, lists and maps only
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// cutText cuts a text between two characters.
func cutText(text string) (string, bool) {
	if len(text) <= valueBytes {
		return text, false
	}
	n := valueBytes
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n], true
}

// nested returns what a list, a map or a set contains, in DynamoDB's JSON but for the value's own type.
func nested(v item.Value) any {
	switch {
	case v.IsSet():
		texts := make([]string, len(v.Elements()))
		for i, e := range v.Elements() {
			texts[i], _ = valueText(e)
		}
		return texts
	case v.Kind == item.List:
		elements := make([]any, len(v.Elements()))
		for i, e := range v.Elements() {
			elements[i] = typed(e)
		}
		return elements
	default:
		fields := make(map[string]any, len(v.Fields()))
		for _, f := range v.Fields() {
			fields[f.Name] = typed(f.Value)
		}
		return fields
	}
}

// typed returns a value in DynamoDB's JSON.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
func typed(v item.Value) map[string]any {
	var value any
	switch v.Kind {
	case item.Null:
		value = true
	case item.Bool:
		value = v.Text == "true"
	case item.List, item.Map:
		value = nested(v)
	default:
		value, _ = valueText(v)
	}
	return map[string]any{typeName(v): value}
}
