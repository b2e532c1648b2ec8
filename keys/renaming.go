package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

// Renaming are other names of values of an enum. A value that has none keeps its own.
type Renaming map[string]string

// Text returns the other name of a value.
func (r Renaming) Text(name string) string {
	if other, has := r[name]; has {
		return other
	}
	return name
}

// Value returns a value, or a list of values, with other names.
func (r Renaming) Value(v item.Value) item.Value {
	switch {
	case len(r) == 0:
		return v
	case v.Kind == item.List:
		elements := slices.Clone(v.Elements())
		for i := range elements {
			elements[i] = r.Value(elements[i])
		}
		if v.IsSet() {
			return item.SetValue(elements)
		}
		return item.ListValue(elements)
	case v.Kind == item.String && r[v.Text] != "":
		return item.StringValue(r[v.Text])
	}
	return v
}

// Inverse returns the renaming back.
func (r Renaming) Inverse() Renaming {
	out := make(Renaming, len(r))
	for name, other := range r {
		out[other] = name
	}
	return out
}

// ValueNames are how values of an enum are called in a table that has other names for some.
type ValueNames struct {
	// Stored are the stored names by those of the schema.
	Stored Renaming
	// Others are all forms that an item may have in their place: the stored names by those of the schema. Values of
	// several enums within one attribute have the same of them.
	Others []Renaming
	// Own are the names of the schema by all that may be stored.
	Own Renaming
}

func (n *ValueNames) stored(text string) string {
	if n == nil {
		return text
	}
	return n.Stored.Text(text)
}

func (n *ValueNames) own(text string) string {
	if n == nil {
		return text
	}
	return n.Own.Text(text)
}
