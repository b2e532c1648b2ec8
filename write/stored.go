package write

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// ItemsOf returns all items in which an object should be stored, in the order of Items, from one of
// them that was read and whose attributes are assumed to be right. Attributes that the type does
// not declare are kept on all of them. The size is not checked. If the attributes fit no object of
// the type, the error is a keys.InputError.
func ItemsOf(d *keys.Design, t *keys.Type, it item.Item) ([]item.Item, error) {
	attributes := make(item.Item, 0, len(it))
	for _, a := range it.WithoutNulls() {
		if !d.IsKeyAttribute(a.Name) {
			attributes = append(attributes, a)
		}
	}
	for _, a := range t.Attributes {
		v, ok := attributes.Get(a.Name)
		switch {
		case !ok && a.NonNull:
			return nil, inputError(a.Name, "%s is missing", a.Name)
		case ok && !stores(a.Kind, v):
			return nil, inputError(a.Name, "%s is not stored as what the schema declares, %s", a.Name, a.Kind)
		}
	}
	return stored(t, attributes)
}

// stores reports whether a value can be the stored value of a field of the kind.
func stores(k keys.Kind, v item.Value) bool {
	switch k {
	case keys.Int:
		_, err := item.AsInt(v)
		return err == nil && isInteger(v.Text)
	case keys.Int64:
		_, err := item.AsInt64(v)
		return err == nil && isInteger(v.Text)
	case keys.Boolean:
		return v.Kind == item.Bool
	case keys.Other:
		return true
	default:
		return v.Kind == item.String
	}
}

// isInteger reports whether the text is how DynamoDB writes a whole number.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || len(digits) == 1)
}

// IfUnchanged returns the conditions that the attributes of an item are as they were read. Counters
// are left out, because they change without a change of the object.
func IfUnchanged(d *keys.Design, it item.Item) []Precondition {
	t := d.Type(it.Type())
	return slices.DeleteFunc(unchanged(it), func(c Precondition) bool {
		if t != nil {
			for counter := range d.Counted(t) {
				if counter == c.Name {
					return true
				}
			}
		}
		return false
	})
}
