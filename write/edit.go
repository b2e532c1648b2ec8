package write

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// An edit turns the value of an input into the one to store in place of another. What the input does not mean stays as
// it is stored, because another program has written it so: attributes of Maps that no field declares, sets, and the
// digits of numbers. In an input, a field of an object that is NULL is not set, and one that is missing is not meant.
type edit struct {
	t *design.Type
	// problem is what is wrong with the input, in the words that follow the name of the attribute; "" for nothing.
	problem string
}

// edited returns the value of an attribute of the type after a change, from the one that is stored, which is NULL if
// there is none. It is NULL if the attribute is to be removed. The error is a keys.InputError.
func edited(t *design.Type, name string, stored, given item.Value) (item.Value, error) {
	e := edit{t: t}
	v := given
	if a := t.Attribute(name); a != nil {
		v = e.value(a, stored, given)
	}
	if e.problem != "" {
		return item.Value{}, inputError(name, "%s %s", name, e.problem)
	}
	return v, nil
}

// value returns the value of an attribute.
func (e *edit) value(a *design.Attribute, stored, given item.Value) item.Value {
	if given.Kind != item.List || a.As != keys.Set && !stored.IsSet() {
		isFloat := (a.Kind == keys.Other || a.Kind == keys.Float) && stored.Kind == item.Number
		if isFloat && isSameFloat(stored.Text, given) {
			return stored
		}
		return e.nested(e.t.Object(a.Object), stored, given)
	}
	if stored.IsSet() || stored.Kind != item.List {
		stored = item.SetValue(stored.Elements())
	}
	set := e.set(stored, given)
	switch {
	case len(set.Elements()) > 0 || a.As == keys.Set && a.NonNull:
		return set
	case a.NonNull:
		e.problem = "must not be empty: it is stored as a set, which has elements"
	}
	return item.Value{}
}

// nested returns a value whose objects are of the type o; nil if it has none.
func (e *edit) nested(o *design.Object, stored, given item.Value) item.Value {
	switch {
	case isSameNumber(stored, given):
		return stored
	case given.Kind == item.Map && o != nil:
		return item.FieldsValue(e.fields(o, stored.Fields(), given.Fields()))
	case given.Kind == item.List:
		if stored.IsSet() {
			return e.set(stored, given)
		}
		return e.list(o, stored.Elements(), given.Elements())
	case given.Kind == stored.Kind && given.Equal(stored):
		return stored
	default:
		return given
	}
}

// fields returns the attributes of an object.
func (e *edit) fields(o *design.Object, stored, given item.Item) item.Item {
	fields := make(item.Item, 0, len(stored)+len(given))
	for _, f := range stored {
		v, isMeant := given.Find(f.Name)
		a := o.Attribute(f.Name)
		switch {
		case a == nil || !isMeant || f.Value.Kind == item.Null && v.Kind == item.Null:
			fields = append(fields, f)
		case v.Kind != item.Null:
			if v = e.value(a, f.Value, v); v.Kind != item.Null {
				fields = append(fields, item.Attribute{Name: f.Name, Value: v})
			}
		}
	}
	for _, f := range given {
		if _, has := stored.Find(f.Name); has || f.Value.Kind == item.Null {
			continue
		}
		v := f.Value
		if a := o.Attribute(f.Name); a != nil {
			v = e.value(a, item.Value{}, v)
		}
		if v.Kind != item.Null {
			fields = append(fields, item.Attribute{Name: f.Name, Value: v})
		}
	}
	return fields
}

// list returns the elements of a list. An element is the stored one with the same declared values, preferably at the
// same place. If the length is the same, any other is what was stored at its place. What is stored and has no place any
// more was removed.
func (e *edit) list(o *design.Object, stored, given []item.Value) item.Value {
	elements := make([]item.Value, len(given))
	from := make([]int, len(given))
	isUsed := make([]bool, len(stored))
	take := func(i, j int) {
		from[i], isUsed[j] = j, true
	}
	places := map[string][]int{}
	for j := range stored {
		text := e.declaredText(o, stored[j])
		places[text] = append(places[text], j)
	}
	for i := range given {
		from[i] = -1
		if i < len(stored) && slices.Contains(places[e.declaredText(o, given[i])], i) {
			take(i, i)
		}
	}
	for i := range given {
		if from[i] >= 0 {
			continue
		}
		text := e.declaredText(o, given[i])
		for len(places[text]) > 0 && from[i] < 0 {
			j := places[text][0]
			places[text] = places[text][1:]
			if !isUsed[j] {
				take(i, j)
			}
		}
	}
	for i := range given {
		if from[i] < 0 && len(given) == len(stored) && !isUsed[i] {
			take(i, i)
		}
		was := item.Value{}
		if from[i] >= 0 {
			was = stored[from[i]]
		}
		elements[i] = e.nested(o, was, given[i])
	}
	return item.ListValue(elements)
}

// set returns the elements of a list as a set: each once. A number that the stored set has keeps its digits.
func (e *edit) set(stored, given item.Value) item.Value {
	var elements []item.Value
	for _, v := range given.Elements() {
		switch {
		case v.Kind == item.Null:
			e.problem = "must not contain null, because it is stored as a set"
		case v.Kind != item.String && v.Kind != item.Number && v.Kind != item.Binary:
			e.problem = "must contain texts or numbers only, because it is stored as a set"
		}
		isIt := func(w item.Value) bool {
			return v.Kind == w.Kind && v.Text == w.Text || isSameNumber(w, v)
		}
		if i := slices.IndexFunc(stored.Elements(), isIt); i >= 0 {
			v = stored.Elements()[i]
		}
		if !slices.ContainsFunc(elements, isIt) {
			elements = append(elements, v)
		}
	}
	return item.SetValue(elements)
}

// isSameNumber reports whether a Number that a caller has read as stored is the given one.
func isSameNumber(stored, given item.Value) bool {
	if stored.Kind != item.Number || given.Kind != item.Number {
		return false
	}
	m, errM := item.AsInt64(stored)
	n, errN := item.AsInt64(given)
	if errM == nil && errN == nil {
		return m == n
	}
	return isSameFloat(stored.Text, given)
}

// isSameFloat is isSameNumber for a Float, which has fewer digits than a Number may have.
func isSameFloat(stored string, given item.Value) bool {
	x, errX := strconv.ParseFloat(stored, 64)
	y, errY := strconv.ParseFloat(given.Text, 64)
	return stored == given.Text || errX == nil && errY == nil && x == y && item.FloatValue(y).Text == given.Text
}

// declaredText returns a text that is equal for values whose declared values are equal.
func (e *edit) declaredText(o *design.Object, v item.Value) string {
	switch v.Kind {
	case item.List:
		texts := make([]string, len(v.Elements()))
		for i, element := range v.Elements() {
			texts[i] = e.declaredText(o, element)
		}
		return "[" + strings.Join(texts, ",") + "]"
	case item.Map:
		var texts []string
		for _, f := range v.Fields() {
			if a := o.Attribute(f.Name); f.Value.Kind != item.Null && (o == nil || a != nil) {
				var of *design.Object
				if a != nil {
					of = e.t.Object(a.Object)
				}
				texts = append(texts, strconv.Quote(f.Name)+":"+e.declaredText(of, f.Value))
			}
		}
		slices.Sort(texts)
		return "{" + strings.Join(texts, ",") + "}"
	case item.Number:
		if n, err := item.AsInt64(v); err == nil {
			return strconv.FormatInt(n, 10)
		}
		f, _ := strconv.ParseFloat(v.Text, 64)
		return strconv.FormatFloat(f, 'g', -1, 64)
	default:
		return strconv.Itoa(int(v.Kind)) + strconv.Quote(v.Text)
	}
}
