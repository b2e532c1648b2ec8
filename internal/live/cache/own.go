package cache

import (
	"strings"
	"unsafe"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Bytes of memory of what is kept, beside its texts.
const (
	entryBytes     = 384 // of the map and the list, about
	attributeBytes = int64(unsafe.Sizeof(item.Attribute{}))
	valueBytes     = int64(unsafe.Sizeof(item.Value{}))
	nestedBytes    = 64 // of a List or a Map, about
)

// own returns copies that share no memory with the response that the item is a part of, and how many bytes they use.
func own(id itemID, it item.Item) (itemID, item.Item, int64) {
	o := owner{bytes: entryBytes}
	o.text.Grow(len(id.tenant) + len(id.key.PK) + len(id.key.SK) + textBytes(it))
	id = itemID{
		tenant: o.copy(id.tenant),
		key:    keys.Key{PK: keys.PK(o.copy(string(id.key.PK))), SK: keys.SK(o.copy(string(id.key.SK)))},
	}
	it = o.item(it)
	return id, it, o.bytes + int64(o.text.Cap())
}

// owner copies texts into one, which has room for all of them.
type owner struct {
	text  strings.Builder
	bytes int64
}

func (o *owner) copy(s string) string {
	from := o.text.Len()
	o.text.WriteString(s)
	return o.text.String()[from:]
}

func (o *owner) item(it item.Item) item.Item {
	if it == nil {
		return nil
	}
	c := make(item.Item, len(it))
	o.bytes += int64(len(it)) * attributeBytes
	for i, a := range it {
		c[i] = item.Attribute{Name: o.copy(a.Name), Value: o.value(a.Value)}
	}
	return c
}

func (o *owner) value(v item.Value) item.Value {
	switch v.Kind {
	case item.Map:
		o.bytes += nestedBytes
		return item.FieldsValue(o.item(v.Fields()))
	case item.List:
		o.bytes += nestedBytes + int64(len(v.Elements()))*valueBytes
		elements := make([]item.Value, len(v.Elements()))
		for i, e := range v.Elements() {
			elements[i] = o.value(e)
		}
		if v.IsSet() {
			return item.SetValue(elements)
		}
		return item.ListValue(elements)
	default:
		v.Text = o.copy(v.Text)
		return v
	}
}

// textBytes returns how many bytes the texts of an item have.
func textBytes(it item.Item) int {
	n := 0
	for _, a := range it {
		n += len(a.Name) + textBytesOf(a.Value)
	}
	return n
}

func textBytesOf(v item.Value) int {
	n := len(v.Text) + textBytes(v.Fields())
	for _, e := range v.Elements() {
		n += textBytesOf(e)
	}
	return n
}
