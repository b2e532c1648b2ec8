package answer_test

import (
	"encoding/json"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// FuzzAnswer answers random operations while an attribute of some items has any value: each response is JSON, and that
// of gqlgen.
func FuzzAnswer(f *testing.F) {
	schema := testservice.Schema()
	g, c := schema.Generator(), schema.Compare(loaders.Options{})
	names := attributes(schema.Items)
	for seed := range uint64(32) {
		for _, value := range []string{
			"", "\x01text\x00\n\"\\", "\x027.0", "\x021E+3", "\x03", "\x05\x00\x02\x01a", "\x06\x02\x027\x02\x01a",
		} {
			f.Add(seed, uint8(seed), uint8(seed), []byte(value))
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, attribute, every uint8, data []byte) {
		name, value := names[int(attribute)%len(names)], fuzzedValue(data, 0)
		c.Memory.Alter = func(it item.Item) item.Item {
			h := fnv.New32a()
			_, _ = h.Write([]byte(it.Text(keys.AttributeSK)))
			if h.Sum32()%(1+uint32(every%4)) != 0 {
				return it
			}
			altered := slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return a.Name == name })
			return append(altered, item.Attribute{Name: name, Value: value})
		}
		header := http.Header{}
		gatewaytest.SetViewer(header, schema.Viewers[seed%uint64(len(schema.Viewers))])
		r, err := c.Both(header, g.Seeded(seed), nil)
		fatal.If(t, err)
		if !json.Valid([]byte(r.Body)) {
			t.Fatalf("the response is not JSON: %q", r.Body)
		}
	})
}

// attributes returns the names of all attributes that are not part of a key, and that of tombstones.
func attributes(items []item.Item) []string {
	known := map[string]bool{keys.AttributeDeletedAt: true}
	for _, it := range items {
		for _, a := range it {
			known[a.Name] = true
		}
	}
	maps.DeleteFunc(known, func(name string, _ bool) bool { return testservice.Design().IsKeyAttribute(name) })
	return slices.Sorted(maps.Keys(known))
}

// fuzzedValue reads a value from bytes: its kind, and its text or its parts.
func fuzzedValue(data []byte, depth int) item.Value {
	if len(data) == 0 {
		return item.Value{}
	}
	kind, rest := item.Kind(data[0]%7), data[1:]
	switch {
	case kind == item.Null:
		return item.Value{}
	case kind == item.Bool:
		return item.BoolValue(len(rest) > 0)
	case kind < item.List:
		return item.Value{Kind: kind, Text: string(rest)}
	case depth == 4:
		return item.Value{}
	}
	var elements []item.Value
	var fields item.Item
	for _, part := range split(rest) {
		element := fuzzedValue(part, depth+1)
		elements = append(elements, element)
		fields = append(fields, item.Attribute{
			Name:  []string{"amount", "currency", "lines", "town"}[len(fields)%4],
			Value: element,
		})
	}
	if kind == item.List {
		return item.ListValue(elements)
	}
	return item.FieldsValue(fields)
}

// split returns parts of data, each after a byte with its length.
func split(data []byte) [][]byte {
	var parts [][]byte
	for len(data) > 0 && len(parts) < 4 {
		n := min(int(data[0]), len(data)-1)
		parts = append(parts, data[1:1+n])
		data = data[1+n:]
	}
	return parts
}
