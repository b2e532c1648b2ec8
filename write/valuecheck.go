package write

import (
	"strconv"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// Check adds INVALID for each of the given attributes of an object that breaks the @check of its field. The attributes
// are those of [Items]. Mutate does so, and a mutation in Go that takes such values does it for itself.
func (e *UserErrors) Check(t *design.Type, given item.Item) {
	for _, a := range given {
		e.checkValue(t, a.Name, t.Attribute(a.Name), a.Value)
	}
}

// checkValue checks a value at a path of the input, and the values within it.
func (e *UserErrors) checkValue(t *design.Type, path string, a *design.Attribute, v item.Value) {
	switch {
	case a == nil:
	case v.Kind == item.List:
		for i, element := range v.Elements() {
			at := path + "." + strconv.Itoa(i)
			if v.IsSet() { // The input may have another order.
				at = path
			}
			e.checkValue(t, at, a, element)
		}
	case v.Kind == item.Map:
		object := t.Object(a.Object)
		for _, f := range v.Fields() {
			e.checkValue(t, path+"."+f.Name, object.Attribute(f.Name), f.Value)
		}
	case a.Check != nil:
		if fault := a.Check.Fault(v); fault != "" {
			e.Add(CodeInvalid, path, "%s %s", a.Name, fault)
		}
	}
}
