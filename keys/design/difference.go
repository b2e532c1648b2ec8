package design

import "github.com/partita/partita/item"

// Difference is a field of a type that is not stored: the difference of two of its attributes, which are numbers.
type Difference struct {
	Name string
	// Of is the attribute from which the attribute Less is subtracted.
	Of, Less string
}

func (d *Difference) String() string { return d.Of + " - " + d.Less }

// Value returns the value of the field for an item that has the attributes: see item.Difference.
func (d *Difference) Value(it item.Item) item.Value {
	of, _ := it.Find(d.Of)
	less, _ := it.Find(d.Less)
	return item.Difference(of, less)
}

// Difference returns the type's difference of that name, or nil.
func (t *Type) Difference(name string) *Difference {
	for i := range t.Differences {
		if t.Differences[i].Name == name {
			return &t.Differences[i]
		}
	}
	return nil
}
