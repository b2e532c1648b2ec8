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

// ViewerVariable is the variable of a read's templates that is the id of the viewer.
const ViewerVariable = "viewer"

// ViewerValue returns the Value of ViewerVariable. It is unset for an anonymous viewer, so that
// nothing is read.
func ViewerValue(id string) Value {
	if id == "" {
		return Value{}
	}
	return StringValue(id)
}
