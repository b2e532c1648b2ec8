package table

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
func (e *expressions) comparison(c write.Precondition) string {
	parts := make([]string, len(c.Values))
	for i, other := range c.Values {
		switch c.Op {
		case predicate.Equal, predicate.In:
			parts[i] = e.isEqual(c.Name, other)
		case predicate.NotEqual:
			parts[i] = "NOT " + e.isEqual(c.Name, other)
		default:
			left, right := e.operands(c.Name, other)
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
func (e *expressions) isEqual(name string, other item.Attribute) string {
	if other.Name == "" && other.Value.Kind == item.Null {
		return e.isUnset(e.storedName(name))
	}
	left, right := e.operands(name, other)
	if other.Name == "" {
		return left + " = " + right
	}
	return "(" + left + " = " + right + " OR (" + e.isUnset(left) + " AND " + e.isUnset(right) + "))"
}

// operands returns the placeholders of an attribute and of what it is compared to.
func (e *expressions) operands(name string, other item.Attribute) (left, right string) {
	if other.Name != "" {
		return e.storedName(name), e.storedName(other.Name)
	}
	return e.attribute(name, other.Value)
}

// storedName returns the placeholder of an attribute.
func (e *expressions) storedName(name string) string {
	stored, _ := e.schema.Design.StoredAttributes(e.typ, name, item.Value{})
	return e.name(stored[0].Name)
}
