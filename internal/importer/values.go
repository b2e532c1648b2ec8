package importer

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// valueOf returns the type of the values of an attribute of a type. formats is set if the values can be stored in
// another format than the default. why is the reason if there is no type.
func valueOf(m *model, of, name string, values []item.Value, formats bool) (v value, why string) {
	if len(values) == 0 {
		return v, "it has no value"
	}
	kind, n := mostFrequent(values)
	if n < len(values) {
		if !isMost(n, len(values)) {
			return v, "its values have several DynamoDB types"
		}
		m.omit("%d of the %d values of attribute %s of %s, which have another DynamoDB type: "+
			"reads report their items as damaged", len(values)-n, len(values), name, of)
		values = slices.DeleteFunc(slices.Clone(values), func(v item.Value) bool { return v.Kind != kind })
	}
	texts := textsOf(values)
	switch kind {
	case item.Bool:
		v.typ = "Boolean"
	case item.Number:
		if slices.ContainsFunc(texts, isLong) {
			if !formats {
				return v, "its numbers have more digits than a Float"
			}
			v.typ, v.format, v.note = "String", keys.Number, "Numbers with more digits than a Float keeps."
			return v, ""
		}
		v.scalar = numberOf(texts)
		if s := scalarOf(texts); formats && s.typ == "Time" && timeName.MatchString(name) {
			v.scalar = s
		}
	case item.String:
		v.typ = "String"
		v.note = timeNote(texts)
		s := scalarOf(texts)
		if s.format == keys.EpochSeconds && timeName.MatchString(name) {
			s.format = keys.EpochSecondsText
		}
		isTime := s.typ == "Time" && (formats || s.format == keys.Plain) && !s.format.IsNumber()
		if isTime || s.typ == "Date" {
			v.scalar, v.note = s, ""
		}
	case item.List:
		return listOf(m, of, name, values)
	case item.Map:
		if haveFreeKeys(values) {
			return v, "its maps have no names in common: they are values"
		}
		v.object = objectOf(m, objectName(m, of+cmp.Or(upperFirst(camel(name)), "Value")), values)
		if len(v.object.fields) == 0 {
			return v, "its objects have no fields that GraphQL can name"
		}
		m.objects = append(m.objects, v.object)
	default:
		return v, "GraphQL has no type for its values"
	}
	return v, ""
}

// mostFrequent returns the kind that most values have, and how many.
func mostFrequent(values []item.Value) (kind item.Kind, n int) {
	count := map[item.Kind]int{}
	for _, v := range values {
		if count[v.Kind]++; count[v.Kind] > n {
			kind, n = v.Kind, count[v.Kind]
		}
	}
	return kind, n
}

func listOf(m *model, of, name string, lists []item.Value) (v value, why string) {
	var elements []item.Value
	for _, list := range lists {
		elements = append(elements, list.Elements()...)
	}
	if len(elements) == 0 {
		return v, "its lists are empty"
	}
	if elements[0].Kind == item.List {
		return v, "it has lists in lists"
	}
	v, why = valueOf(m, of, name, elements, false)
	v.list = true
	if !slices.ContainsFunc(lists, func(list item.Value) bool { return !list.IsSet() }) {
		v.format = keys.Set
	}
	return v, why
}

// maxObjectFields is how many fields an object may have; with more, its names are probably values.
const maxObjectFields = 60

// objectName returns a name that no other type has.
func objectName(m *model, proposed string) string {
	name := proposed
	for i := 2; slices.ContainsFunc(m.types, func(t *typ) bool { return t.name == name }) ||
		slices.ContainsFunc(m.objects, func(o *object) bool { return o.name == name }); i++ {
		name = proposed + strconv.Itoa(i)
	}
	return name
}

// objectOf returns the object type of maps.
func objectOf(m *model, name string, maps []item.Value) *object {
	o := &object{name: name}
	byName := map[string][]item.Value{}
	for _, v := range maps {
		for _, a := range v.Fields() {
			if a.Value.Kind != item.Null {
				byName[a.Name] = append(byName[a.Name], a.Value)
			}
		}
	}
	if len(byName) > maxObjectFields {
		return o
	}
	taken := map[string]bool{}
	for _, attribute := range sortedNames(byName) {
		v, why := valueOf(m, name, attribute, byName[attribute], true)
		if why != "" {
			m.omit("attribute %s of %s: %s", attribute, name, why)
			continue
		}
		f := &field{name: cmp.Or(camel(attribute), "value"), attribute: attribute, value: v}
		for i := 2; taken[f.name]; i++ {
			f.name = cmp.Or(camel(attribute), "value") + strconv.Itoa(i)
		}
		taken[f.name] = true
		o.fields = append(o.fields, f)
	}
	return o
}

// haveFreeKeys reports whether the names in maps are values, such as days or ids: hardly one is in half of the maps.
func haveFreeKeys(maps []item.Value) bool {
	count := map[string]int{}
	names := 0
	for _, m := range maps {
		fields := m.Fields()
		for _, a := range fields {
			count[a.Name]++
		}
		names += len(fields)
	}
	common := 0
	for _, n := range count {
		if n*2 >= len(maps) {
			common++
		}
	}
	return len(maps) > few && common == 0 && len(count)*2 > names
}
