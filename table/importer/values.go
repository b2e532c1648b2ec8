package importer

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// timeName matches the name of an attribute that can be a time as a number.
var timeName = regexp.MustCompile(`(?i:time|timestamp|date|epoch|expiry|expires|until|since|created|updated|joined)$` +
	`|(?i:^|_)(?i:at|on|ts|ms|ttl|seen|due)$|[a-z](At|On|Ts|Ms)$`)

// valueOf returns the type of the values of an attribute of a type. formats is set if the values can be stored in
// another format than the default. why is the reason if there is no type.
func (m *model) valueOf(of, name string, values []item.Value, formats bool) (v value, why string) {
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
		v.scalar = numberOf(texts)
		if s := scalarOf(texts); formats && s.typ == "Time" && timeName.MatchString(name) {
			v.scalar = s
		}
	case item.String:
		v.typ = "String"
		v.note = timeNote(texts)
		s := scalarOf(texts)
		isTime := s.typ == "Time" && !isDigits(texts[0]) && (formats || s.format == keys.Plain)
		if isTime || s.typ == "Date" {
			v.scalar, v.note = s, ""
		}
	case item.List:
		return m.listOf(of, name, values)
	case item.Map:
		v.object = m.objectOf(of+upperFirst(camel(name)), values)
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

func textsOf(values []item.Value) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.Text
	}
	return texts
}

// timeNote returns a comment for texts that are times in several formats.
func timeNote(texts []string) string {
	for _, text := range texts {
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			return ""
		}
	}
	return "Times in a format that Time does not have, or in several: their text order may not be their order."
}

func (m *model) listOf(of, name string, lists []item.Value) (v value, why string) {
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
	v, why = m.valueOf(of, name, elements, false)
	v.list = true
	return v, why
}

// maxObjectFields is how many fields an object may have; with more, its names are probably values.
const maxObjectFields = 60

var graphqlName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// objectOf returns the object type of maps. The names of its fields are as they are stored.
func (m *model) objectOf(name string, maps []item.Value) *object {
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
	for _, attribute := range sortedNames(byName) {
		if !graphqlName.MatchString(attribute) {
			m.omit("attribute %s of %s: GraphQL does not allow the name", attribute, name)
			continue
		}
		v, why := m.valueOf(name, attribute, byName[attribute], false)
		if why != "" {
			m.omit("attribute %s of %s: %s", attribute, name, why)
			continue
		}
		o.fields = append(o.fields, &field{
			name: attribute, attribute: attribute, value: v, required: !m.partial && len(byName[attribute]) == len(maps),
		})
	}
	return o
}

func sortedNames[V any](byName map[string]V) []string { return slices.Sorted(maps.Keys(byName)) }

// numberOf returns Int for integers of 32 bits, Int64 for those of 64 bits, or else Float.
func numberOf(texts []string) scalar {
	typ := "Int"
	for _, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return scalar{typ: "Float"}
		}
		if n > math.MaxInt32 || n < math.MinInt32 {
			typ = "Int64"
		}
	}
	return scalar{typ: typ}
}
