package design

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Objects within attributes are translated as items are: their fields have the names and formats of the schema in a
// Design, and others in the table. An attribute that no field declares is kept.

// translated returns the names of the object types whose values differ in the table: those with a field that has
// another name or format there, or a value of such a type.
func (t *Type) translated() map[string]bool {
	var found map[string]bool
	isOther := func(a Attribute) bool { return a.isStoredOtherwise() || found[a.Object] }
	for again := true; again; {
		again = false
		for _, o := range t.Objects {
			if found[o.Name] || !slices.ContainsFunc(o.Attributes, isOther) {
				continue
			}
			if found == nil {
				found = map[string]bool{}
			}
			found[o.Name], again = true, true
		}
	}
	return found
}

// fromStored returns the canonical value of an attribute of the type or of an object within.
func (t *Type) fromStored(a *Attribute, v item.Value) item.Value {
	switch {
	case a.Values != nil:
		return a.Values.Own.Value(a.As.FromStored(a.Kind, v))
	case a.Object == "":
		return a.As.FromStored(a.Kind, v)
	}
	return t.eachObject(a.Object, v, t.fieldsFromStored)
}

// toStored returns a canonical value of an attribute of the type or of an object within as it is stored.
func (t *Type) toStored(a *Attribute, v item.Value) item.Value {
	return t.toForm(a, v, func(names *keys.ValueNames) keys.Renaming { return names.Stored })
}

// toForm is toStored with other names of values.
func (t *Type) toForm(a *Attribute, v item.Value, of func(*keys.ValueNames) keys.Renaming) item.Value {
	switch {
	case a.Values != nil:
		return a.As.ToStored(of(a.Values).Value(v))
	case a.Object == "":
		return a.As.ToStored(v)
	}
	return t.eachObject(a.Object, v, func(o *Object, fields item.Item) item.Item { return t.fieldsToForm(o, fields, of) })
}

// OtherForms returns the stored forms that a canonical value of an attribute of the type has besides that of the
// Design: see keys.ValueNames.
func (t *Type) OtherForms(name string, v item.Value) []item.Value {
	a := t.attributeOrNil(name)
	if a == nil || t.stored == nil {
		return nil
	}
	forms := []item.Value{t.toStored(a, v)}
	for n := range t.stored.forms {
		form := t.toForm(a, v, func(names *keys.ValueNames) keys.Renaming {
			if n < len(names.Others) {
				return names.Others[n]
			}
			return names.Stored
		})
		if !slices.ContainsFunc(forms, form.Equal) {
			forms = append(forms, form)
		}
	}
	return forms[1:]
}

// otherForms returns how many other forms an attribute, or an object within, may have.
func (t *Type) otherForms() int {
	n := 0
	add := func(attributes []Attribute) {
		for i := range attributes {
			if names := attributes[i].Values; names != nil {
				n = max(n, len(names.Others))
			}
		}
	}
	add(t.Attributes)
	for _, o := range t.Objects {
		add(o.Attributes)
	}
	return n
}

// eachObject returns a value with each object in it translated.
func (t *Type) eachObject(name string, v item.Value, translate func(*Object, item.Item) item.Item) item.Value {
	if t.stored == nil || !t.stored.translated[name] {
		return v
	}
	switch {
	case v.Kind == item.Map:
		return item.FieldsValue(translate(t.Object(name), v.Fields()))
	case v.Kind == item.List && !v.IsSet():
		elements := make([]item.Value, len(v.Elements()))
		for i, e := range v.Elements() {
			elements[i] = t.eachObject(name, e, translate)
		}
		return item.ListValue(elements)
	default:
		return v
	}
}

// CanStore reports whether a canonical value of an attribute of the type has a stored form: a text that is stored as a
// Number is one, also in an object within. What another program wrote in another form stays as it is.
func (t *Type) CanStore(a *Attribute, v item.Value) bool {
	switch {
	case a.As == keys.Number && v.Kind == item.String:
		_, isForeign := v.Stored()
		_, ok := keys.Number.Text(v.Text)
		return ok || isForeign || strings.HasPrefix(v.Text, keys.ForeignMark)
	case v.Kind == item.List:
		return !slices.ContainsFunc(v.Elements(), func(e item.Value) bool { return !t.CanStore(a, e) })
	case v.Kind == item.Map && a.Object != "":
		return !slices.ContainsFunc(v.Fields(), func(f item.Attribute) bool {
			field := t.Object(a.Object).Attribute(f.Name)
			return field != nil && !t.CanStore(field, f.Value)
		})
	default:
		return true
	}
}

func (t *Type) fieldsFromStored(o *Object, stored item.Item) item.Item {
	out := make(item.Item, 0, len(stored))
	for _, f := range stored {
		if a := attributeStoredAs(o.Attributes, f.Name); a != nil {
			f.Name, f.Value = a.Name, t.fromStored(a, f.Value)
		} else if o.Attribute(f.Name) != nil {
			f.Name = keys.ForeignMark + f.Name
		}
		out = append(out, f)
	}
	return withMissing(out, o.Attributes)
}

func (t *Type) fieldsToForm(o *Object, fields item.Item, of func(*keys.ValueNames) keys.Renaming) item.Item {
	out := make(item.Item, 0, len(fields))
	for _, f := range fields {
		if a := o.Attribute(f.Name); a != nil {
			if a.IsEmptySet(f.Value) {
				continue
			}
			f.Name, f.Value = a.StoredName(), t.toForm(a, f.Value, of)
		} else {
			f.Name = strings.TrimPrefix(f.Name, keys.ForeignMark)
		}
		out = append(out, f)
	}
	return out
}

// Rounded returns a canonical value of an attribute of the type as it is read once it has been stored: a format may be
// less precise.
func (t *Type) Rounded(a *Attribute, v item.Value) item.Value {
	if a.Object == "" {
		return a.As.FromStored(a.Kind, a.As.ToStored(v))
	}
	return t.fromStored(a, t.toStored(a, v))
}
