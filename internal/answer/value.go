package answer

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// attribute writes an attribute of the object that is being written.
func (w *writer) attribute(f *plan.Field, v *item.Value) bool {
	if w.op.IsUnreadable() {
		if err := f.CheckValue(v); err != nil {
			return w.unreadable(f, err)
		}
	}
	return w.value(f, f.Format, v)
}

// unreadable writes null for a field that cannot be read because of an attribute of the object that is being written.
func (w *writer) unreadable(f *plan.Field, cause error) bool {
	w.fail(f, w.op.Unreadable(f, w.item, cause))
	return w.null()
}

// value writes a stored value that can be read.
func (w *writer) value(f *plan.Field, format *plan.Format, v *item.Value) bool {
	switch {
	case v.Kind == item.Null:
		return w.null()
	case format.Any:
		w.out = appendJSON(w.out, v)
		return true
	case format.Element != nil:
		return w.values(f, format, v.Elements())
	case format.Fields != nil:
		return w.nested(f.Children[0], v.Fields())
	case format.Float:
		n, _ := strconv.ParseFloat(v.Text, 64)
		w.out = strconv.AppendFloat(w.out, n, 'g', -1, 64)
		return true
	}
	switch format.Kind {
	case keys.Int:
		w.out = appendInt(w.out, v)
	case keys.Int64:
		w.out = append(appendInt(append(w.out, '"'), v), '"')
	case keys.Boolean:
		w.out = append(w.out, v.Text...)
	case keys.IDKind:
		w.id(format.Ref, v.Text)
	case keys.Date:
		w.out = appendOpaque(w.out, v.Text)
	case keys.Time:
		w.out = appendTime(w.out, v.Text)
	default:
		w.out = appendString(w.out, v.Text)
	}
	return true
}

// nested writes an object that is stored in an attribute. The rules of its fields have no owner.
func (w *writer) nested(node *plan.Object, fields item.Item) bool {
	return w.members(node.Fields, func(f *plan.Field) bool {
		switch {
		case f.Kind == plan.TypenameField:
			w.out = appendString(w.out, node.Name)
			return true
		case !w.bound.AllowsField(f, nil):
			return w.deny(f)
		}
		v, _ := fields.Find(f.Name)
		return w.attribute(f, &v)
	})
}

// values writes a list of stored values.
func (w *writer) values(f *plan.Field, format *plan.Format, elements []item.Value) bool {
	return w.array(len(elements), func(i int) bool { return w.element(f, format.Element, &elements[i]) })
}

// element writes an element of a list. It reports whether the list is valid.
func (w *writer) element(f *plan.Field, element *plan.Format, v *item.Value) bool {
	switch {
	case v.Kind != item.Null || !element.NonNull:
		return w.value(f, element, v) || !element.NonNull
	case element.Element != nil: // a list that is not null, as gqlgen writes a nil slice
		w.out = append(w.out, "[]"...)
		return true
	default:
		w.fail(nil, errNullElement)
		return w.null()
	}
}

// identity writes the global id of an object whose item has no id.
func (w *writer) identity(t *design.Type, it item.Item) {
	w.scratch = append(w.scratch[:0], t.Name...)
	for _, name := range t.Identity {
		w.scratch = appendIDValue(w.scratch, it.Text(name))
	}
	if len(t.Identity) == 0 {
		w.scratch = appendIDValue(w.scratch, "")
	}
	w.encoded()
}

// id writes a stored id: the global id of an object of the type, or with "" the opaque text.
func (w *writer) id(typ, raw string) {
	if typ == "" {
		w.out = appendOpaque(w.out, raw)
		return
	}
	w.scratch = appendIDValue(append(w.scratch[:0], typ...), raw)
	w.encoded()
}

// appendOpaque appends a text in quotes as encoding/json does: package keys writes ids and dates with it.
func appendOpaque(out []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`"\\<>&`, c) >= 0 {
			quoted, _ := json.Marshal(text) // of a string cannot fail
			return append(out, quoted...)
		}
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"')
}

// encoded writes the scratch as keys.ID does.
func (w *writer) encoded() {
	w.out = append(w.out, '"')
	w.out = base64.RawURLEncoding.AppendEncode(w.out, w.scratch)
	w.out = append(w.out, '"')
}

func appendIDValue(id []byte, raw string) []byte {
	id = append(id, ':')
	if !strings.ContainsAny(raw, ":%") {
		return append(id, raw...)
	}
	return append(id, keys.NewID("", raw)[1:]...)
}

// appendInt appends a Number that is an Int or an Int64.
func appendInt(out []byte, v *item.Value) []byte {
	if n := len(v.Text); n > 0 && n < 19 && v.Text[0] >= '1' && v.Text[0] <= '9' && isDigits(v.Text) {
		return append(out, v.Text...)
	}
	n, _ := item.AsInt64(*v)
	return strconv.AppendInt(out, n, 10)
}

// appendJSON appends a value that is stored as it is in JSON. The attributes of an object are sorted by their names,
// because a table does not keep their order.
func appendJSON(out []byte, v *item.Value) []byte {
	switch v.Kind {
	case item.Null:
		return append(out, "null"...)
	case item.Bool:
		return append(out, v.Text...)
	case item.Number:
		return appendNumber(out, v.Text)
	case item.List:
		out = append(out, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, &e)
		}
		return append(out, ']')
	case item.Map:
		fields := slices.SortedFunc(slices.Values(v.Fields()), func(a, b item.Attribute) int {
			return strings.Compare(a.Name, b.Name)
		})
		out = append(out, '{')
		for i, a := range fields {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendString(out, a.Name), ':')
			out = appendJSON(out, &a.Value)
		}
		return append(out, '}')
	default:
		return appendString(out, v.Text)
	}
}

// appendNumber appends a Number with all of its digits, if it is written as JSON requires.
func appendNumber(out []byte, text string) []byte {
	if json.Valid([]byte(text)) {
		return append(out, text...)
	}
	n, _ := strconv.ParseFloat(text, 64) // it can be read
	return strconv.AppendFloat(out, n, 'g', -1, 64)
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

func appendBool(out []byte, b bool) []byte { return strconv.AppendBool(out, b) }

// appendTime appends a stored time in RFC 3339, without zeros at the end of its fraction.
func appendTime(out []byte, text string) []byte {
	if len(text) != len(item.TimeLayout) || text[19] != '.' {
		t, _ := time.Parse(item.TimeLayout, text)
		return strconv.AppendQuote(out, t.Format(time.RFC3339Nano))
	}
	end := len(text) - 1
	for text[end-1] == '0' {
		end--
	}
	if text[end-1] == '.' {
		end--
	}
	out = append(out, '"')
	out = append(out, text[:end]...)
	return append(out, 'Z', '"')
}

const hexDigits = "0123456789ABCDEF"

// appendString appends a text in quotes as gqlgen does: only what JSON requires is escaped.
func appendString(out []byte, text string) []byte {
	out = append(out, '"')
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		out = append(out, text[start:i]...)
		switch c {
		case '\t':
			out = append(out, `\t`...)
		case '\r':
			out = append(out, `\r`...)
		case '\n':
			out = append(out, `\n`...)
		case '\\', '"':
			out = append(out, '\\', c)
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
		start = i + 1
	}
	out = append(out, text[start:]...)
	return append(out, '"')
}
