package keys

// Values are the named values of a Condition or of a Key.
type Values []NamedValue

// NamedValue is the Value of one variable.
type NamedValue struct {
	Name  string
	Value Value
}

// Get returns the value of that name, unset when there is none.
func (vs Values) Get(name string) Value {
	for i := range vs {
		if vs[i].Name == name {
			return vs[i].Value
		}
	}
	return Value{}
}

// PartValue returns the Value of the i-th key value of a global ID that has several.
func PartValue(id ID, i int) Value {
	values := id.Values()
	if i >= len(values) {
		return Value{err: InputErrorf("", "this id names an object by fewer key values; pass the id of another type")}
	}
	return StringValue(values[i])
}

// Key returns the primary key of the object of the type with these identity values. The error is an
// InputError, such as that for the ID of another type.
func (t *Type) Key(values func(name string) Value) (Key, error) {
	for _, name := range t.Identity {
		a, v := t.Attribute(name), values(name)
		if _, isSet := v.Single(); isSet && a != nil && a.Kind == IDKind && v.IDType() != a.Ref {
			return Key{}, wrongID(name, a.Ref)
		}
	}
	return t.BaseKey(values)
}

func wrongID(name, ref string) error {
	if ref == "" {
		return InputErrorf(name, "%s must be an id of this table's own, not a global id", name)
	}
	return InputErrorf(name, "%s must be the id of a %s", name, ref)
}
