package importer

import (
	"cmp"
	"maps"
	"slices"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// typeOfValues returns the type of the values of an attribute of a type. formats is set if the values can be stored in
// another format than the default. why is the reason if there is no type.
func typeOfValues(m *model, of, name string, values []item.Value, formats bool) (v value, why string) {
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
		v.object = objectOf(m, unused(of+cmp.Or(sdl.UpperFirst(camel(name)), "Value"), func(name string) bool {
			return hasType(m, name)
		}), values)
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
	v, why = typeOfValues(m, of, name, elements, false)
	if v.list = true; every(lists, item.Value.IsSet) {
		v.format = keys.Set
	}
	return v, why
}

// maxObjectFields is how many fields an object may have; with more, its names are probably values.
const maxObjectFields = 60

// objectOf returns the object type of maps.
func objectOf(m *model, name string, values []item.Value) *object {
	o := &object{name: name}
	byName := map[string][]item.Value{}
	for _, v := range values {
		for _, a := range v.Fields() {
			if a.Value.Kind != item.Null {
				byName[a.Name] = append(byName[a.Name], a.Value)
			}
		}
	}
	if len(byName) > maxObjectFields {
		return o
	}
	hasField := func(name string) bool {
		return slices.ContainsFunc(o.fields, func(f *field) bool { return f.name == name })
	}
	for _, attribute := range slices.Sorted(maps.Keys(byName)) {
		v, why := typeOfValues(m, name, attribute, byName[attribute], true)
		if why != "" {
			m.omit("attribute %s of %s: %s", attribute, name, why)
			continue
		}
		name := unused(cmp.Or(camel(attribute), "value"), hasField)
		o.fields = append(o.fields, &field{name: name, attribute: attribute, value: v})
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
