package condition

import (
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/predicate"
	"github.com/partita/partita/write"
)

// comparison returns the condition of a PreconditionCompares. It holds for an item exactly if Precondition.Holds says
// so: DynamoDB itself compares nothing with an attribute that an item lacks.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
func (w *Writer) comparison(c write.Precondition) string {
	parts := make([]string, len(c.Values))
	for i, other := range c.Values {
		switch c.Op {
		case predicate.Equal, predicate.In:
			parts[i] = w.isEqual(c.Name, other)
		case predicate.NotEqual:
			parts[i] = "NOT " + w.isEqual(c.Name, other)
		default:
			left, right := w.operands(c.Name, other)
			parts[i] = left + " " + c.Op.String() + " " + right
		}
	}
	if len(parts) == 1 { // DynamoDB rejects redundant parentheses.
		return parts[0]
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// isEqual returns the condition that an attribute has a value, or that of another attribute. Two that are not set are
// equal.
func (w *Writer) isEqual(name string, other item.Attribute) string {
	if other.Name == "" && other.Value.Kind == item.Null {
		return w.isUnset(w.storedName(name))
	}
	left, right := w.operands(name, other)
	if other.Name == "" {
		return left + " = " + right
	}
	return "(" + left + " = " + right + " OR (" + w.isUnset(left) + " AND " + w.isUnset(right) + "))"
}

// operands returns the name of an attribute, and the name or the value of what it is compared to.
func (w *Writer) operands(name string, other item.Attribute) (left, right string) {
	if other.Name != "" {
		return w.storedName(name), w.storedName(other.Name)
	}
	return w.attribute(name, other.Value)
}

// storedName returns the name of an attribute.
func (w *Writer) storedName(name string) string {
	stored, _ := w.Design.StoredAttributes(w.Type, name, item.Value{})
	return w.Name(stored[0].Name)
}
