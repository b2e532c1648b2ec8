package designpage

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// firstDay is when the first example object was created; each next one is a day younger.
var firstDay = time.Date(2026, time.January, 5, 9, 30, 0, 0, time.UTC)

// maxNesting is how deep values of objects within objects, and of ids of objects with ids, are invented.
const maxNesting = 4

// inventor invents the values of example objects.
type inventor struct {
	*directives.Schema
	// samples are the examples in descriptions, by the name of what is described.
	samples map[string]string
	// offsets are what is added to the values that identify the objects of a type, whose keys would else be those of
	// another type's.
	offsets map[string]int
}

// sample is how a description gives an example.
var sample = regexp.MustCompile("(?i)(?:such as|for example|e\\.g\\.) `\"?([^`\"]+)\"?`")

func newInventor(s *directives.Schema) *inventor {
	in := &inventor{Schema: s, samples: map[string]string{}, offsets: map[string]int{}}
	note := func(name, description string) {
		if found := sample.FindStringSubmatch(description); found != nil && in.samples[name] == "" {
			in.samples[name] = found[1]
		}
	}
	for _, t := range s.Types {
		for _, f := range s.TypeDef(t.Name).Fields {
			note(t.Name+"."+f.Name, f.Description)
		}
		for _, o := range t.Objects {
			for _, f := range s.TypeDef(o.Name).Fields {
				note(o.Name+"."+f.Name, f.Description)
			}
		}
	}
	for _, f := range s.Fields {
		if def := s.FieldDef(f.Parent, f.Name); def != nil {
			for _, a := range def.Arguments {
				note(a.Name, a.Description)
			}
		}
	}
	return in
}

// sampleOf returns the example in the description of an attribute, or of an argument of its name; "" for none.
func (in *inventor) sampleOf(object, name string) string {
	text := in.samples[object+"."+name]
	if text == "" {
		text = in.samples[name]
	}
	if strings.Contains(text, in.Layout.Delimiter) {
		return "" // It could not be part of a key.
	}
	return text
}

// value returns the value of an attribute of the n-th example of an object type.
func (in *inventor) value(object string, a *design.Attribute, n, depth int) item.Value {
	def := in.FieldDef(object, a.Name)
	if def == nil {
		return in.scalar(object, a, nil, n)
	}
	single := in.single(object, a, def.Type, n, depth)
	switch {
	case def.Type.Elem == nil:
		return single
	case a.As == keys.Set:
		return item.SetValue([]item.Value{single})
	}
	return item.ListValue([]item.Value{single})
}

// single returns the value, or that of an element of a list.
func (in *inventor) single(object string, a *design.Attribute, t *ast.Type, n, depth int) item.Value {
	inner := in.innerObject(a)
	if inner == nil {
		return in.scalar(object, a, in.TypeDef(t.Name()), n)
	}
	var fields item.Item
	for i := range inner.Attributes {
		if depth < maxNesting {
			f := &inner.Attributes[i]
			fields = append(fields, item.Attribute{Name: f.Name, Value: in.value(inner.Name, f, n, depth+1)})
		}
	}
	return item.MapValue(fields)
}

// innerObject returns the object type of an attribute's value, or nil.
func (in *inventor) innerObject(a *design.Attribute) *design.Object {
	if a.Object == "" {
		return nil
	}
	for _, t := range in.Types {
		if o := t.Object(a.Object); o != nil {
			return o
		}
	}
	return nil
}

func (in *inventor) scalar(object string, a *design.Attribute, def *ast.Definition, n int) item.Value {
	text := in.sampleOf(object, a.Name)
	if t := in.Type(object); t != nil && slices.Contains(t.Identity, a.Name) {
		n += in.offsets[object]
	}
	if a.As == keys.Number {
		return item.StringValue(strconv.Itoa(n + 1)) // A text that is stored as a Number.
	}
	switch a.Kind {
	case keys.Int, keys.Int64, keys.Float:
		return in.number(a, text, n)
	case keys.Boolean:
		return item.BoolValue(false)
	case keys.Enum:
		if def != nil && len(def.EnumValues) > 0 {
			return item.StringValue(def.EnumValues[0].Name)
		}
	case keys.Time:
		return item.TimeValue(firstDay.AddDate(0, 0, n))
	case keys.Date:
		return item.StringValue(firstDay.AddDate(0, 0, n).Format(time.DateOnly))
	}
	switch {
	case text != "" && in.isDistinct(object, a.Name):
		return item.StringValue(next(text, n))
	case text != "":
		return item.StringValue(text)
	}
	return item.StringValue(a.Name + strconv.Itoa(n+1))
}

// isDistinct reports whether no two objects of a type have the same value of an attribute.
func (in *inventor) isDistinct(object, name string) bool {
	t := in.Type(object)
	return t != nil && (slices.Contains(t.Identity, name) ||
		slices.ContainsFunc(t.Uniques, func(u design.Unique) bool { return u.Attribute == name }))
}

// number returns the n-th number from the example on, or from the least one that is right.
func (in *inventor) number(a *design.Attribute, text string, n int) item.Value {
	if a.Check != nil && a.Check.Min != "" && text == "" {
		text = a.Check.Min
	}
	least, err := strconv.ParseInt(text, 10, 64)
	if err != nil || least == 0 {
		least = 1
	}
	return item.IntValue(least + int64(n))
}

var endDigits = regexp.MustCompile(`[0-9]{1,9}$`)

// next returns the n-th text after an example: one that differs, and looks alike.
func next(text string, n int) string {
	local, domain, isAddress := strings.Cut(text, "@")
	switch digits := endDigits.FindString(text); {
	case n == 0:
		return text
	case digits != "":
		number, _ := strconv.Atoi(digits)
		after := strconv.Itoa(number + n)
		padding := strings.Repeat("0", max(0, len(digits)-len(after)))
		return strings.TrimSuffix(text, digits) + padding + after
	case isAddress:
		return local + strconv.Itoa(n+1) + "@" + domain
	}
	return text + strconv.Itoa(n+1)
}
