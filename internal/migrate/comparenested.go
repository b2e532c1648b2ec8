package migrate

import (
	"fmt"

	"github.com/partita/partita/keys/design"
)

// nested compares the objects within two attributes. They are parts of the attributes' values: a field that must not be
// null is proven to be stored, and what would change the value has no step.
func (d *Difference) nested(from, to *design.Type, b, a *design.Attribute) {
	c := &nestedComparison{Difference: d, from: from, to: to, seen: map[string]bool{}}
	c.objects(a.Name, b.Object, a.Object)
}

// nestedComparison is the comparison of the objects within one attribute.
type nestedComparison struct {
	*Difference
	from, to *design.Type
	// seen are the object types that have been compared: an object may have one of its own type.
	seen map[string]bool
}

func (c *nestedComparison) objects(path, former, later string) {
	b, a := c.from.Object(former), c.to.Object(later)
	if b == nil || a == nil || c.seen[later] {
		return
	}
	c.seen[later] = true
	for i := range a.Attributes {
		is := &a.Attributes[i]
		at := path + "." + is.Name
		was := b.Attribute(is.Name)
		p := Part{Kind: AttributeOf, Type: c.to.Name, Name: at}
		if was == nil {
			p.IsFree = !is.NonNull
			c.changed(p, "", storedText(is))
			continue
		}
		if isOtherwise(was, is) {
			p.Blocked = fmt.Sprintf("an object within an attribute is not changed: write another field beside %s", path)
			c.changed(p, storedText(was), storedText(is))
			continue
		}
		if is.NonNull && !was.NonNull {
			c.changed(p, is.Name, is.Name+"!")
		}
		c.values(c.to, at, c.valueType(later, is.Name))
		c.objects(at, was.Object, is.Object)
	}
}

// isOtherwise reports whether a value of the former attribute cannot be read as one of the later one.
func isOtherwise(was, is *design.Attribute) bool {
	return was.StoredName() != is.StoredName() || was.As != is.As || (was.Object == "") != (is.Object == "") ||
		was.Kind != is.Kind && !isConvertible(was, is)
}
