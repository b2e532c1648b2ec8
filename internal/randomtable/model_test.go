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
	// noAttribute is set if the schema declares that as well, so that no write adds one.
	noAttribute bool
	// of is the type whose id an ID field has.
	of *typ
}

// part is what is between two delimiters of a template: a literal, a variable, or both.
type part struct {
	literal string
	field   *field
	// bucket is year, month, day, hour or "".
	bucket string
	// inCase is lower or upper if the key has the value in that case.
	inCase string
	// mayEnd is set if the key ends before a value that is unset.
	mayEnd bool
	// glued is set if no delimiter is between the part and the one before.
	glued bool
	// raw is set if the key is the attribute itself.
	raw bool
}

// shows reports whether the value of a field follows from each key of the shape.
func (s *shape) shows(f *field) bool {
	return slices.ContainsFunc([]template{s.pk, s.sk}, func(t template) bool {
		i := slices.IndexFunc(t, func(p part) bool { return p.field == f && p.bucket == "" && p.inCase == "" })
		return i >= 0 && t.canBeRead(i)
	})
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
	// isLocal is set for a local index.
	isLocal bool
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
	constants      []constant
	objects        []*object
}

// constant is an attribute that each item of a type has: as the schema has it, and in DynamoDB JSON.
type constant struct {
	name, literal string
	stored        map[string]any
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
	// layout are the kinds of the partition key and the sort key, if one is no text with literals.
	layout [2]keyKind
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
			if p.mayEnd {
				name += "?"
			}
			format := p.field.kind.variable()
			switch {
			case p.bucket != "":
				format = ":" + p.bucket
			case p.inCase != "":
				format = ":" + p.inCase
			case p.raw:
				format = ""
			}
			text += "{" + name + format + "}"
		}
		parts = append(parts, text)
	}
	return t.join(parts, delimiter)
}

// join returns the key with the texts of the first parts.
func (t template) join(parts []string, delimiter string) string {
	var b strings.Builder
	for i, text := range parts {
		if i > 0 && !t[i].glued {
			b.WriteString(delimiter)
		}
		b.WriteString(text)
	}
	return b.String()
}

// count returns how often a field is in a template, 0 for nil.
func (t template) count(f *field) int {
	n := 0
	for _, p := range t {
		if f != nil && p.field == f {
			n++
		}
	}
	return n
}

func (p part) isGlued() bool { return p.glued }

// canBeRead reports whether the value of a part follows from the key: all other values in its group have one width.
func (t template) canBeRead(i int) bool {
	first, last, free := i, i, 0
	for first > 0 && t[first].glued {
		first--
	}
	for last+1 < len(t) && t[last+1].glued {
		last++
	}
	for _, p := range t[first : last+1] {
		if p.field != nil && p.field.kind.width == 0 && p.field.kind.gql != "Time" && p.field.kind.gql != "Date" {
			free++
		}
	}
	return free <= 1
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
	return p.literal + inCase(v.key, p.inCase), true
}

// key returns the key of an object.
func (t template) key(delimiter string, values map[*field]*value) (string, bool) {
	parts, ok := t.parts(values)
	return t.join(parts, delimiter), ok
}

// parts returns the parts of the key of an object; false if it lacks a value that it needs.
func (t template) parts(values map[*field]*value) (parts []string, ok bool) {
	for i, p := range t {
		text, ok := p.text(values)
		switch {
		case ok:
			parts = append(parts, text)
		case !p.mayEnd:
			return nil, false
		default:
			return append(parts, p.literal), !slices.ContainsFunc(t[i:], func(p part) bool {
				return p.field != nil && !p.mayEnd && values[p.field] == nil
			})
		}
	}
	return parts, true
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
