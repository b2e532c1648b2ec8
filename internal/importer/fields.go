package importer

import (
	"cmp"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// addFields adds the values that are only in the keys of a type, and its attributes.
func addFields(m *model, t *typ) {
	for _, v := range t.variables() {
		if isHidden(v.Variable) {
			t.fields = append(t.fields, hiddenField(m.layout, t, v.Variable))
		}
	}
	for _, attribute := range attributes(m.layout, t.entries()) {
		v := t.variable(attribute)
		switch {
		case v == nil && (isOwnKey(t, attribute) || addConstant(m.layout, t, attribute)):
			continue
		case v == nil && attribute == keys.AttributeDeletedAt:
			m.omit("%s of %s: it hides the items that have it. "+
				"To read them as well, add removedAt: Time @stored(name: %q)", attribute, t.name, attribute)
			continue
		}
		values := valuesOf(t.entries(), attribute)
		f := &field{variable: attribute, attribute: attribute, required: t.isInKey(attribute)}
		var why string
		if f.value, why = valueOf(m, t, attribute, values, v); why != "" {
			m.omit("attribute %s of %s: %s", attribute, t.name, why)
			if t.isInKey(attribute) {
				m.unfitInKeys = append(m.unfitInKeys, attribute)
				dropType(m, t, "attribute "+attribute+" is in its key, and "+why)
				return
			}
			continue
		}
		if expiry, ok := expiry(m.layout, attribute, values); ok {
			f.scalar, t.expires = expiry, f
		}
		f.name = freeName(t, t.fieldName(attribute), camel(attribute+"_value"))
		t.fields = append(t.fields, f)
	}
	dropUnnamed(m, t)
	identify(m, t)
	padTimes(m.layout, t)
}

// hiddenField returns the field of a hidden value: it may be a key attribute of the table.
func hiddenField(table *layout, t *typ, variable string) *field {
	label, _ := labelOf(variable)
	h, isInKey := t.hidden(label), t.isInKey(variable)
	if !isInKey && slices.Contains(attributes(table, t.entries()), label) {
		label += "Key" // The field would have the attribute.
	}
	f := &field{
		variable: variable, value: value{scalar: h.scalar, note: h.note}, required: isInKey, isKeyOnly: isInKey,
	}
	if attribute := wholeKey(table, t, variable); attribute != "" {
		f.attribute, f.isKeyOnly, label = attribute, false, t.fieldName(attribute)
		if table.numbers[attribute] && f.typ != "Time" && isText(table, t, variable) {
			f.scalar = scalar{typ: "String", format: keys.Number}
		}
	}
	f.name = freeName(t, label, camel(h.key))
	return f
}

// valueOf returns the type of the values of an attribute, which is v in keys, nil for one that no key has. Keys have
// times and numbers in an order, which decides the type: a number without padding has none. why is the reason if there
// is no type.
func valueOf(m *model, t *typ, attribute string, values []item.Value, v *keys.Segment) (of value, why string) {
	if v != nil && v.Width > 0 {
		of.scalar = numberOf(textsOf(values))
		if values[0].Kind == item.String {
			of.format = keys.NumberText
		}
		if isText(m.layout, t, attribute) {
			why = "keys have it padded and not padded"
		}
		return of, why
	}
	of, why = typeOfValues(m, t.name, attribute, values, true)
	if v == nil || why != "" {
		return of, why
	}
	inKey, isString := scalarOf(textsOf(values)), values[0].Kind == item.String
	if v.Bucket != 0 && inKey.format == keys.EpochSeconds && isString {
		inKey.format = keys.EpochSecondsText
	}
	if inKey.typ == "Time" && inKey.format.IsNumber() != isString {
		of.scalar = inKey // Whatever its name is.
	}
	isNumber := values[0].Kind == item.Number && slices.Contains([]string{"Int", "Int64", "Float"}, of.typ)
	if isNumber && (isIDName(attribute) || of.typ == "Float" || isText(m.layout, t, attribute)) {
		of.scalar = scalar{typ: "String", format: keys.Number}
	}
	if v.Case != keys.AsIs && (of.typ == "Time" || of.typ == "Date") {
		of.scalar, of.note = scalar{typ: "String"}, "A time, but keys have it in another case."
	}
	return of, ""
}

// freeName returns a name that no other field of a type has.
func freeName(t *typ, proposed, otherwise string) string {
	isTaken := func(name string) bool { return name == "id" || t.hasName(name) }
	proposed = cmp.Or(otherNames[proposed], proposed, "value")
	if isTaken(proposed) && otherwise != "" && !isTaken(otherwise) {
		return otherwise
	}
	return unused(proposed, isTaken)
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
func padTimes(table *layout, t *typ) {
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
		if !table.numbers[table.SK.String()] {
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
	if names := t.item().identity(); len(names) == 1 && t.item().pk[0].Literal != "" && !hasOwner(m.types, t) {
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
func hasOwner(types []*typ, t *typ) bool {
	return slices.ContainsFunc(types, func(other *typ) bool {
		return other != t && len(other.fields) > 0 && other.fields[0].variable != "" && other.fields[0].name == "id" &&
			samePattern(other.item().pk, t.item().pk)
	})
}

// isOwnKey reports whether an attribute is a key of an index of the type that consists of other values.
func isOwnKey(t *typ, attribute string) bool {
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		return slices.ContainsFunc(s.indexes, func(ix *index) bool { return slices.Contains(ix.own, attribute) })
	})
}

// addConstant makes the version of ElectroDB a constant of a type. It reports whether all items have the same one.
func addConstant(table *layout, t *typ, attribute string) bool {
	entries := t.entries()
	version := entries[0].Text(attribute)
	if attribute != electroVersion || !table.isElectro() ||
		slices.ContainsFunc(entries, func(e *entry) bool { return e.Text(attribute) != version }) {
		return false
	}
	t.constants = append(t.constants, constant(attribute, version))
	return true
}

// expiry returns the type of the values of the attribute of the time to live: a time if they are whole numbers, by
// which DynamoDB deletes items.
func expiry(table *layout, attribute string, values []item.Value) (scalar, bool) {
	isNumber := len(values) > 0 && values[0].Kind == item.Number
	if attribute != table.expires || !isNumber || numberOf(textsOf(values)).typ == "Float" {
		return scalar{}, false
	}
	return scalar{typ: "Time", format: keys.EpochSeconds}, true
}

// wholeKey returns the key attribute of the table that is the value of a variable in all items of a type, "" for none.
// The usual names of keys are no names of values.
func wholeKey(table *layout, t *typ, variable string) string {
	isWhole := func(parts template) bool {
		return len(parts) == 1 && parts[0] == keys.Segment{Variable: variable}
	}
	isValue := func(attribute string, usual []string, key func(*storedType) template) bool {
		isOther := func(s *storedType) bool { return !isWhole(key(s)) }
		return (table.numbers[attribute] || !slices.Contains(usual, attribute)) && !slices.ContainsFunc(t.stored, isOther)
	}
	switch pk, sk := table.PK.String(), table.SK.String(); {
	case isValue(pk, usualPK, func(s *storedType) template { return s.pk }):
		return pk
	case isValue(sk, usualSK, func(s *storedType) template { return s.sk }):
		return sk
	}
	return ""
}

// isText reports whether a sort key has a variable as a text that is not padded: the order is not that of numbers.
func isText(table *layout, t *typ, variable string) bool {
	isBare := func(p keys.Segment) bool {
		return p.Variable == variable && p.Width == 0 && p.Bucket == 0
	}
	isInIndex := func(ix *index) bool { return !ix.isNumber && slices.ContainsFunc(ix.sk, isBare) }
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		isInKey := !table.numbers[table.SK.String()] && slices.ContainsFunc(s.sk, isBare)
		return isInKey || slices.ContainsFunc(s.indexes, isInIndex)
	})
}
