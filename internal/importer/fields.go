package importer

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// addFields adds the attributes of a type, and the values that are only in its keys.
func addFields(m *model, t *typ) {
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
			if !isInKey && slices.Contains(attributes(m, entries), label) {
				label += "Key" // The field would have the attribute.
			}
			f := &field{
				variable: v.Variable, value: value{scalar: h.scalar, note: h.note}, required: isInKey, isKeyOnly: isInKey,
			}
			if attribute := wholeKey(m, t, v.Variable); attribute != "" {
				f.attribute, f.isKeyOnly, label = attribute, false, t.fieldName(attribute)
				if m.numbers[attribute] && f.typ != "Time" && isText(m, t, v.Variable) {
					f.scalar = scalar{typ: "String", format: keys.Number}
				}
			}
			f.name = name(label, camel(h.key))
			t.fields = append(t.fields, f)
		}
	}
	for _, attribute := range attributes(m, entries) {
		v := t.variable(attribute)
		if v == nil && (isOwnKey(m, t, attribute) || addConstant(m, t, attribute)) {
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
			if isText(m, t, attribute) {
				why = "keys have it padded and not padded"
			}
		default:
			f.value, why = valueOf(m, t.name, attribute, values, true)
			inKey := scalarOf(textsOf(values))
			if v != nil && v.Bucket != 0 && inKey.format == keys.EpochSeconds && values[0].Kind == item.String {
				inKey.format = keys.EpochSecondsText
			}
			if isText := !inKey.format.IsNumber(); v != nil && why == "" && inKey.typ == "Time" &&
				isText == (values[0].Kind == item.String) {
				f.scalar = inKey // Whatever its name is: a number without padding has no order in a key.
			}
			if isNumber := f.typ == "Int" || f.typ == "Int64" || f.typ == "Float"; v != nil && why == "" && isNumber &&
				values[0].Kind == item.Number && (isIDName(attribute) || f.typ == "Float" || isText(m, t, attribute)) {
				f.scalar = scalar{typ: "String", format: keys.Number}
			}
			if v != nil && v.Case != keys.AsIs && (f.typ == "Time" || f.typ == "Date") {
				f.scalar, f.note = scalar{typ: "String"}, "A time, but keys have it in another case."
			}
		}
		if expiry, ok := expiry(m, attribute, values); ok && why == "" {
			f.scalar, t.expires = expiry, f
		}
		if why != "" {
			m.omit("attribute %s of %s: %s", attribute, t.name, why)
			if t.isInKey(attribute) {
				m.unfitInKeys = append(m.unfitInKeys, attribute)
				dropType(m, t, "attribute "+attribute+" is in its key, and "+why)
				return
			}
			continue
		}
		f.name = name(t.fieldName(attribute), camel(attribute+"_value"))
		t.fields = append(t.fields, f)
	}
	dropUnnamed(m, t)
	identify(m, t)
	padTimes(m, t)
}

// fieldName returns the name that the field of an attribute should have: id is that of the object.
func (t *typ) fieldName(attribute string) string {
	if label := cmp.Or(libraryNames[attribute], camel(attribute)); label != "id" && label != "" {
		return label
	}
	return lowerFirst(t.name) + "Id"
}

// dropUnnamed leaves out the entries in indexes whose keys have an attribute without a field.
func dropUnnamed(m *model, t *typ) {
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
	orderCopies(m, t)
}

// padTimes gives the times in sort keys that are stored as numbers the width of their digits.
func padTimes(m *model, t *typ) {
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
func identify(m *model, t *typ) {
	id := &field{name: "id", value: value{scalar: scalar{typ: "ID"}}, required: true}
	if names := t.item().identity(); len(names) == 1 && t.item().pk[0].Literal != "" && !hasOwner(m, t) {
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
func hasOwner(m *model, t *typ) bool {
	return slices.ContainsFunc(m.types, func(other *typ) bool {
		return other != t && len(other.fields) > 0 && other.fields[0].variable != "" && other.fields[0].name == "id" &&
			samePattern(other.item().pk, t.item().pk)
	})
}

// isOwnKey reports whether an attribute is a key of an index of the type that consists of other values.
func isOwnKey(m *model, t *typ, attribute string) bool {
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		return slices.ContainsFunc(s.indexes, func(ix *index) bool { return slices.Contains(ix.own, attribute) })
	})
}

// addConstant makes the version of ElectroDB a constant of a type. It reports whether all items have the same one.
func addConstant(m *model, t *typ, attribute string) bool {
	entries := t.entries()
	version := entries[0].Text(attribute)
	if attribute != electroVersion || !m.isElectro() ||
		slices.ContainsFunc(entries, func(e *entry) bool { return e.Text(attribute) != version }) {
		return false
	}
	t.constants = append(t.constants, constant(attribute, version))
	return true
}

// expiry returns the type of the values of the attribute of the time to live: a time if they are whole numbers, by
// which DynamoDB deletes items.
func expiry(m *model, attribute string, values []item.Value) (scalar, bool) {
	isNumber := len(values) > 0 && values[0].Kind == item.Number
	if attribute != m.expires || !isNumber || numberOf(textsOf(values)).typ == "Float" {
		return scalar{}, false
	}
	return scalar{typ: "Time", format: keys.EpochSeconds}, true
}

// wholeKey returns the key attribute of the table that is the value of a variable in all items of a type, "" for none.
// The usual names of keys are no names of values.
func wholeKey(m *model, t *typ, variable string) string {
	isWhole := func(parts template) bool {
		return len(parts) == 1 && parts[0] == keys.Segment{Variable: variable}
	}
	isValue := func(attribute string, usual []string, key func(*storedType) template) bool {
		isOther := func(s *storedType) bool { return !isWhole(key(s)) }
		return (m.numbers[attribute] || !slices.Contains(usual, attribute)) && !slices.ContainsFunc(t.stored, isOther)
	}
	switch pk, sk := m.PK.String(), m.SK.String(); {
	case isValue(pk, usualPK, func(s *storedType) template { return s.pk }):
		return pk
	case isValue(sk, usualSK, func(s *storedType) template { return s.sk }):
		return sk
	}
	return ""
}

// isText reports whether a sort key has a variable as a text that is not padded: the order is not that of numbers.
func isText(m *model, t *typ, variable string) bool {
	isBare := func(p keys.Segment) bool {
		return p.Variable == variable && p.Width == 0 && p.Bucket == 0
	}
	isInIndex := func(ix *index) bool { return !ix.isNumber && slices.ContainsFunc(ix.sk, isBare) }
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		isInKey := !m.numbers[m.SK.String()] && slices.ContainsFunc(s.sk, isBare)
		return isInKey || slices.ContainsFunc(s.indexes, isInIndex)
	})
}
