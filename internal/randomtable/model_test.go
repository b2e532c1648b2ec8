package randomtable

import (
	"fmt"
	"slices"
	"strings"
)

// field is an attribute of a type.
type field struct {
	name, attr string
	kind       kind
	nullable   bool
	// onlyInKeys is set if items have no attribute for it.
	onlyInKeys bool
	// of is the type whose id an ID field has.
	of *typ
}

// part is what is between two delimiters of a template: a literal, a variable, or both.
type part struct {
	literal string
	field   *field
	// bucket is year, month, day, hour or "".
	bucket string
	// raw is set if the key is the attribute itself.
	raw bool
}

// template is the pattern of a key.
type template []part

// shape is a key of objects of a type: that of the base item or of a copy, or their entry in an index.
type shape struct {
	typ *typ
	// index is "" for an item.
	index *index
	// stored is the number of the stored item: 0 for the base item.
	stored int
	pk, sk template
	// shards is 0 for none.
	shards int
	was    []int
	// latest decides which object a copy holds; nil if its key identifies one.
	latest *field
}

// index is an index of the table.
type index struct {
	name, pk, sk string
	projection   string
	include      []string
	// own is set if the attributes are written for the index.
	own bool
}

// typ is a stored type.
type typ struct {
	name, value string
	isNode      bool
	fields      []*field
	// items are the base item and the copies, entries those in indexes.
	items, entries []*shape
	mutable        bool
	expires        bool
	softDelete     bool
	objects        []*object
}

// object is an object of a type. A field that is null has no value.
type object struct {
	typ    *typ
	values map[*field]*value
	// hidden is set if it is deleted or has expired.
	hidden bool
	// nulls are the fields with an attribute that is NULL.
	nulls map[*field]bool
	// expiry is the attribute that the type names, "" for none.
	expiry string
}

// tableModel is an existing table: how it is declared, and what is in it.
type tableModel struct {
	pk, sk, typeAttribute, delimiter string
	indexes                          []*index
	types                            []*typ
	patterns                         []*pattern
}

// pattern is a field that reads.
type pattern struct {
	// on is the type of the field, nil for Query.
	on   *typ
	name string
	// shape is what is read. A Get reads an item.
	shape *shape
	isGet bool
	// fixed is how many parts of the sort key are in the condition. partial is the literal of the next one if the
	// condition ends with it, and exact is set if the condition has no delimiter behind its last part.
	fixed   int
	partial bool
	// optional is from which variable of the sort key on the arguments are optional; -1 for none.
	optional int
	// ranged is the field behind the condition, or in the bucket, that has a range; nil for none.
	ranged *field
	// required is set if the range has to be given.
	required   bool
	descending bool
	// result is "one", "list" or "connection".
	result string
	types  []*typ
	// union is the name of the result; "" for a single type.
	union string
}

// fieldsOf returns the fields in a template.
func (t template) fields() []*field {
	var all []*field
	for _, p := range t {
		if p.field != nil && !slices.Contains(all, p.field) {
			all = append(all, p.field)
		}
	}
	return all
}

// identity are the fields of the type's key in their order.
func (t *typ) identity() []*field {
	all := t.items[0].pk.fields()
	for _, f := range t.items[0].sk.fields() {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

func (t *typ) isKey(f *field) bool { return slices.Contains(t.identity(), f) }

// text returns the template as the schema has it. The names of variables can be replaced.
func (t template) text(delimiter string, names map[*field]string) string {
	var parts []string
	for _, p := range t {
		text := p.literal
		if p.field != nil {
			name := p.field.name
			if names[p.field] != "" {
				name = names[p.field]
			}
			format := p.field.kind.variable()
			switch {
			case p.bucket != "":
				format = ":" + p.bucket
			case p.raw:
				format = ""
			}
			text += "{" + name + format + "}"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, delimiter)
}

var bucketLayouts = map[string]string{"year": "2006", "month": "2006-01", "day": "2006-01-02", "hour": hour}

// text returns what a key has in the place of the part; false if the object has no value for it.
func (p part) text(values map[*field]*value) (string, bool) {
	if p.field == nil {
		return p.literal, true
	}
	v := values[p.field]
	switch {
	case v == nil:
		return "", false
	case p.bucket != "":
		return p.literal + v.at.Format(bucketLayouts[p.bucket]), true
	case p.raw:
		for _, text := range v.stored {
			return fmt.Sprint(text), true
		}
	}
	return p.literal + v.key, true
}

// key returns the key of an object.
func (t template) key(delimiter string, values map[*field]*value) (string, bool) {
	var parts []string
	for _, p := range t {
		text, ok := p.text(values)
		if !ok {
			return "", false
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, delimiter), true
}

// globalID returns the text of the global ID of an object.
func (o *object) identity() []string {
	var values []string
	for _, f := range o.typ.identity() {
		values = append(values, o.values[f].id)
	}
	return values
}

func (o *object) String() string {
	text := o.typ.name
	for _, f := range o.typ.fields {
		if v := o.values[f]; v != nil {
			text += fmt.Sprintf(" %s=%q", f.name, v.id)
		}
	}
	return text
}
