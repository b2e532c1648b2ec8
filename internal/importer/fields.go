package importer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// field is an attribute of a type, or a hidden value.
type field struct {
	element
	name string
	// variable is the name of its variable in keys.
	variable string
	// attribute is the stored name, "" for a hidden value.
	attribute string
	value
	// required is set if a primary key needs the value. Any other one may be missing in items to come, even if all of
	// an export have it.
	required bool
	// isKeyOnly is set if the value is in the primary key and has no attribute.
	isKeyOnly bool
	// unique is the directive @unique, "" for none.
	unique string
}

// value is the type of an attribute's values.
type value struct {
	scalar
	list   bool
	object *object
	// note is a comment for the person who reads the schema.
	note string
}

// object is an object type inside an item.
type object struct {
	name   string
	fields []*field
}

// text returns the GraphQL type without the sign for non-null.
func (v value) text() string {
	name := v.typ
	if v.object != nil {
		name = v.object.name
	}
	if v.list {
		return "[" + name + "!]"
	}
	return name
}

// addFields adds the attributes of a type, and the values that are only in its keys.
func (m *model) addFields(t *typ) {
	entries := t.entries()
	taken := map[string]bool{"id": true}
	name := func(proposed, otherwise string) string {
		proposed = cmp.Or(otherNames[proposed], proposed, "value")
		name := proposed
		if taken[name] {
			name = cmp.Or(otherwise, name)
		}
		for i := 2; taken[name]; i++ {
			name = proposed + strconv.Itoa(i)
		}
		taken[name] = true
		return name
	}
	used := t.variables()
	for _, v := range used {
		if label, isHidden := labelOf(v.Variable); isHidden {
			h := t.hidden(label)
			isInKey := t.isInKey(v.Variable)
			if !isInKey && slices.Contains(m.attributes(entries), label) {
				label += "Key" // The field would have the attribute.
			}
			f := &field{
				variable: v.Variable, value: value{scalar: h.scalar, note: h.note}, required: isInKey, isKeyOnly: isInKey,
			}
			if attribute := m.wholeKey(t, v.Variable); attribute != "" {
				f.attribute, f.isKeyOnly, label = attribute, false, t.fieldName(attribute)
				if m.numbers[attribute] && f.typ != "Time" && m.isText(t, v.Variable) {
					f.scalar = scalar{typ: "String", format: keys.Number}
				}
			}
			f.name = name(label, camel(h.key))
			t.fields = append(t.fields, f)
		}
	}
	for _, attribute := range m.attributes(entries) {
		v := t.variable(attribute)
		if v == nil && (m.isOwnKey(t, attribute) || m.addConstant(t, attribute)) {
			continue
		}
		if v == nil && attribute == keys.AttributeDeletedAt {
			m.omit("%s of %s: it hides the items that have it. "+
				"To read them as well, add removedAt: Time @stored(name: %q)", attribute, t.name, attribute)
			continue
		}
		values := valuesOf(entries, attribute)
		f := &field{variable: attribute, attribute: attribute, required: t.isInKey(attribute)}
		var why string
		switch {
		case v != nil && v.Width > 0:
			f.scalar = numberOf(textsOf(values))
			if values[0].Kind == item.String {
				f.format = keys.NumberText
			}
			if m.isText(t, attribute) {
				why = "keys have it padded and not padded"
			}
		default:
			f.value, why = m.valueOf(t.name, attribute, values, true)
			inKey := scalarOf(textsOf(values))
			if v != nil && v.Bucket != 0 && inKey.format == keys.EpochSeconds && values[0].Kind == item.String {
				inKey.format = keys.EpochSecondsText
			}
			if isText := !inKey.format.IsNumber(); v != nil && why == "" && inKey.typ == "Time" &&
				isText == (values[0].Kind == item.String) {
				f.scalar = inKey // Whatever its name is: a number without padding has no order in a key.
			}
			if isNumber := f.typ == "Int" || f.typ == "Int64" || f.typ == "Float"; v != nil && why == "" && isNumber &&
				values[0].Kind == item.Number && (isIDName(attribute) || f.typ == "Float" || m.isText(t, attribute)) {
				f.scalar = scalar{typ: "String", format: keys.Number}
			}
			if v != nil && v.Case != keys.AsIs && (f.typ == "Time" || f.typ == "Date") {
				f.scalar, f.note = scalar{typ: "String"}, "A time, but keys have it in another case."
			}
		}
		if expiry, ok := m.expiry(attribute, values); ok && why == "" {
			f.scalar, t.expires = expiry, f
		}
		if why != "" {
			m.omit("attribute %s of %s: %s", attribute, t.name, why)
			if t.isInKey(attribute) {
				m.unfitInKeys = append(m.unfitInKeys, attribute)
				m.dropType(t, "attribute "+attribute+" is in its key, and "+why)
				return
			}
			continue
		}
		f.name = name(t.fieldName(attribute), camel(attribute+"_value"))
		t.fields = append(t.fields, f)
	}
	m.dropUnnamed(t)
	m.identify(t)
	m.padTimes(t)
}

// fieldName returns the name that the field of an attribute should have: id is that of the object.
func (t *typ) fieldName(attribute string) string {
	if label := cmp.Or(libraryNames[attribute], camel(attribute)); label != "id" && label != "" {
		return label
	}
	return lowerFirst(t.name) + "Id"
}

// dropUnnamed leaves out the entries in indexes whose keys have an attribute without a field.
func (m *model) dropUnnamed(t *typ) {
	for _, s := range t.stored {
		s.indexes = slices.DeleteFunc(s.indexes, func(ix *index) bool {
			for _, v := range variablesOf(ix.pk, ix.sk) {
				if t.field(v.Variable) == nil {
					m.omit("entries of %s in index %s: attribute %s has no field", t.name, ix.name, v.Variable)
					return true
				}
			}
			return false
		})
	}
	m.orderCopies(t)
}

// padTimes gives the times in sort keys that are stored as numbers the width of their digits.
func (m *model) padTimes(t *typ) {
	pad := func(sk template) {
		for i, p := range sk {
			if p.Variable == "" || p.Bucket != 0 {
				continue
			}
			if f := t.field(p.Variable); f != nil {
				sk[i].Width = max(p.Width, f.format.Digits())
			}
		}
	}
	for _, s := range t.stored {
		if !m.numbers[m.SK.String()] {
			pad(s.sk)
		}
		for _, ix := range s.indexes {
			if !ix.isNumber {
				pad(ix.sk)
			}
		}
	}
}

// otherNames are the names of fields that would be arguments of all connections, or that have another meaning.
var otherNames = map[string]string{
	"first": "firstName", "last": "lastName", "after": "afterValue", "before": "beforeValue", "viewer": "viewerId",
	"entityType": "typeName", "deletedAt": "removedAt",
}

// identify makes the single text that identifies an object its id. Any other id consists of several values.
func (m *model) identify(t *typ) {
	id := &field{name: "id", value: value{scalar: scalar{typ: "ID"}}, required: true}
	if names := t.item().identity(); len(names) == 1 && t.item().pk[0].Literal != "" && !m.hasOwner(t) {
		f := t.field(names[0])
		if f != nil && f.typ == "String" && !f.list && (f.format == keys.Plain || f.format == keys.Number) {
			f.name, f.typ = id.name, id.typ
			t.fields = append([]*field{f}, slices.DeleteFunc(t.fields, func(g *field) bool { return g == f })...)
			return
		}
	}
	t.fields = append([]*field{id}, t.fields...)
}

// hasOwner reports whether another type has an id in the place of the type's identity. An ID can only be that of one.
func (m *model) hasOwner(t *typ) bool {
	return slices.ContainsFunc(m.types, func(other *typ) bool {
		return other != t && len(other.fields) > 0 && other.fields[0].variable != "" && other.fields[0].name == "id" &&
			samePattern(other.item().pk, t.item().pk)
	})
}

// variables returns those of all keys of the type.
func (t *typ) variables() template {
	var templates, entries []template
	for _, s := range t.stored {
		templates = append(templates, s.pk, s.sk)
		for _, ix := range s.indexes {
			entries = append(entries, ix.pk, ix.sk)
		}
	}
	return variablesOf(append(templates, entries...)...)
}

// variable returns the variable of an attribute in the type's keys: one with a width, if there is one.
func (t *typ) variable(attribute string) *keys.Segment {
	var found *keys.Segment
	for _, v := range t.variables() {
		if v.Variable == attribute && (found == nil || v.Width > 0) {
			found = &v
		}
	}
	return found
}

// hidden returns what is known of a hidden value of the type.
func (t *typ) hidden(label string) *hidden {
	i := slices.IndexFunc(t.stored, func(s *storedType) bool { return s.shape.hidden[label] != nil })
	return t.stored[i].shape.hidden[label]
}

// isInKey reports whether a variable is in a primary key of the type.
func (t *typ) isInKey(name string) bool {
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		return slices.ContainsFunc(s.variables(), func(v keys.Segment) bool { return v.Variable == name })
	})
}

// isOwnKey reports whether an attribute is a key of an index of the type that consists of other values.
func (m *model) isOwnKey(t *typ, attribute string) bool {
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		return slices.ContainsFunc(s.indexes, func(ix *index) bool { return slices.Contains(ix.own, attribute) })
	})
}

// attributes returns the names of the attributes that are not keys of the table, sorted.
func (m *model) attributes(entries []*entry) []string {
	names := map[string]bool{}
	for _, e := range entries {
		for _, a := range e.Item {
			names[a.Name] = a.Name != m.PK.String() && a.Name != m.SK.String() && a.Name != m.Type
		}
	}
	maps.DeleteFunc(names, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(names))
}

// valuesOf returns the values of an attribute in the entries that have it. NULL is no value.
func valuesOf(entries []*entry, attribute string) []item.Value {
	var values []item.Value
	for _, e := range entries {
		if v, ok := e.Get(attribute); ok && v.Kind != item.Null {
			values = append(values, v)
		}
	}
	return values
}

func (m *model) omit(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !slices.Contains(m.omitted, line) {
		m.omitted = append(m.omitted, strings.TrimSpace(line))
	}
}
