package plan

import (
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// CheckItem returns an item that a condition has read as it is shown, see design.Field.Reconcile, or an error if the
// item is damaged: its type is not one that the design declares for the condition, its key is not one of the type,
// or the viewer may read it only as the owner that its key names, and its attribute names another one. The message is
// for the log. It contains no value but the type.
func (b *Bound) CheckItem(c *design.Condition, it item.Item) (item.Item, error) {
	f, name := c.Field, it.Type()
	if !declares(c, name) {
		return nil, fmt.Errorf("%s has read an item with %s %.64q", f.Coordinate(), item.EntityType, name)
	}
	t := b.Schema.Design.Type(name)
	it, ok := f.Reconcile(t, it)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: the key is not one of the type", name)
	case t.Rule.IsPublic() || b.DecideItem(t.Rule, it) != Deny || b.decideType(c, t) != Allow:
		return it, nil
	default:
		if t.Rule.Owner == "" {
			return nil, fmt.Errorf("%s: the key and the attributes name different members", name)
		}
		return nil, fmt.Errorf("%s.%s: the key and the attribute name different owners", name, t.Rule.Owner)
	}
}

// CheckStored returns an error if an item that is read for a change has a key that does not follow from its attributes:
// the change would be written to another object. An item of a type that the design does not have, such as a claim, is
// no object and has no error.
func (s *Schema) CheckStored(it item.Item) error {
	if t := s.Design.Type(it.Type()); t != nil && !t.Agrees(it) {
		return fmt.Errorf("%s: the key does not follow from the attributes", t.Name)
	}
	return nil
}

// CheckAttributes returns the error of the first attribute of an item that cannot be read, whether it is selected or
// not, without the name of the type. An item of a type that the design does not have has none.
func (s *Schema) CheckAttributes(it item.Item) error {
	t := s.Design.Type(it.Type())
	if t == nil {
		return nil
	}
	return checkFields(s.types[t.Name].attributes, it)
}
