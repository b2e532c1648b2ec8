// Package condition writes the preconditions of an action as the condition expression of DynamoDB that says the same,
// in the names and formats of a table. The table sends it, and plans show it: so a plan cannot show another one.
package condition

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/write"
)

// Writer writes the conditions of an action.
type Writer struct {
	// Design is nil for a table without one.
	Design *design.Design
	// Type is the type of the action's item; nil if the Design does not have it, or translates nothing.
	Type *design.Type
	// IsRaw is set for an action whose attributes are those of the table.
	IsRaw bool
	Terms
}

// Terms are what names and values are in an expression, such as their placeholders.
type Terms interface {
	// Name returns what an attribute of the table is.
	Name(stored string) string
	// Value returns what a value is that is compared with an attribute; stored is "" for a word of DynamoDB.
	Value(stored string, v item.Value) string
	// Expired returns what the first and the last second are at which an item has expired.
	Expired() (from, to string)
}

// Parts returns the expressions that must all hold.
func (w *Writer) Parts(all []write.Precondition) []string {
	if len(all) == 0 {
		return nil
	}
	parts := make([]string, 0, len(all)+1)
	exists := false
	for _, c := range all {
		switch c.Kind {
		case write.PreconditionExists:
			expired := ""
			if w.expires() {
				expired = " AND NOT " + w.hasExpired()
			}
			parts = append(parts, w.isThere()+w.isNotDeleted()+expired)
		case write.PreconditionStored:
			parts = append(parts, w.isThere())
		case write.PreconditionMissing:
			condition := "attribute_not_exists(" + w.partitionKey() + ")"
			if w.expires() {
				condition = "(" + condition + " OR " + w.hasExpired() + ")"
			}
			parts = append(parts, condition)
		case write.PreconditionBelow:
			name, value := w.attribute(c.Name, c.Value)
			parts = append(parts, "(attribute_not_exists("+w.partitionKey()+") OR "+name+" < "+value+
				" OR (attribute_exists("+w.Name(keys.AttributeDeletedAt)+") AND "+name+" = "+value+"))")
		case write.PreconditionNotBelow:
			name, value := w.attribute(c.Name, c.Value)
			parts = append(parts, name+" >= "+value)
		case write.PreconditionEqualsOrUnset:
			exists = true
			name, value := w.attribute(c.Name, c.Value)
			parts = append(parts, "("+name+" = "+value+" OR "+w.isUnset(name)+")")
		case write.PreconditionHolds:
			parts = append(parts, w.holds(c.Values))
		case write.PreconditionOther:
			parts = append(parts, "NOT ("+w.holds(c.Values)+")")
		case write.PreconditionUnset:
			exists = true
			stored, _ := w.Design.StoredAttributes(w.Type, c.Name, item.Value{})
			for _, a := range stored {
				parts = append(parts, w.isUnset(w.Name(a.Name)))
			}
		case write.PreconditionCompares:
			exists = true
			parts = append(parts, w.comparison(c))
		case write.PreconditionAtMost:
			exists = true
			name, value := w.attribute(c.Name, c.Value)
			parts = append(parts, "("+w.isUnset(name)+" OR "+name+" <= "+value+")")
		case write.PreconditionAtLeast:
			name, value := w.attribute(c.Name, c.Value)
			condition := name + " >= " + value
			if n, err := item.AsInt(c.Value); err == nil && n <= 0 {
				exists = true
				condition = "(" + w.isUnset(name) + " OR " + condition + ")"
			}
			parts = append(parts, condition)
		default:
			stored, inKey := w.Design.StoredAttributes(w.Type, c.Name, c.Value)
			exists = exists || inKey || len(stored) == 0 || stored[0].Value.Kind == item.Null
			for _, a := range stored {
				parts = append(parts, w.equals(a, inKey, w.Type.OtherForms(c.Name, c.Value)))
			}
		}
	}
	if exists {
		parts = append(parts, w.isThere())
	}
	return parts
}

func (w *Writer) layout() *stored.Layout {
	if w.Design == nil {
		return stored.DefaultLayout()
	}
	return w.Design.Layout
}

func (w *Writer) partitionKey() string { return w.Name(w.layout().PK[0].Name) }

// isThere returns the condition that there is an item, which may be a tombstone.
func (w *Writer) isThere() string { return "attribute_exists(" + w.partitionKey() + ")" }

func (w *Writer) expires() bool { return w.Design.ExpiryAttribute() != "" }

// hasExpired returns the condition that an item has expired.
func (w *Writer) hasExpired() string {
	name := w.Name(w.Design.ExpiryAttribute())
	from, to := w.Expired()
	return "(" + name + " BETWEEN " + from + " AND " + to + ")"
}

// holds returns the condition that an item has all of the attributes with these values.
func (w *Writer) holds(values item.Item) string {
	equal := make([]string, len(values))
	for i, a := range values {
		stored, _ := w.Design.StoredAttributes(w.Type, a.Name, a.Value)
		if name := stored[0].Name; stored[0].Value.Kind == item.Null {
			equal[i] = "(" + w.isUnset(w.Name(name)) + " AND " + w.isThere() + ")"
			continue
		}
		name, value := w.attribute(a.Name, a.Value)
		values := []string{value}
		for _, v := range w.Type.OtherForms(a.Name, a.Value) {
			values = append(values, w.Value(stored[0].Name, v))
		}
		equal[i] = isOneOf(name, values)
	}
	return strings.Join(equal, " AND ")
}

// isNotDeleted returns the condition that an item is no tombstone, with AND before it. It is "" for a type with a field
// that has that attribute. In an existing table the attribute may be NULL.
func (w *Writer) isNotDeleted() string {
	if !w.Design.Translates() {
		return " AND attribute_not_exists(" + w.Name(keys.AttributeDeletedAt) + ")"
	}
	if w.Type != nil && slices.ContainsFunc(w.Type.Attributes, func(a design.Attribute) bool {
		return a.StoredName() == keys.AttributeDeletedAt
	}) {
		return ""
	}
	return " AND " + w.isUnset(w.Name(keys.AttributeDeletedAt))
}

// isUnset returns the condition that an item lacks the attribute of a name, or that it is NULL, as it may be in an
// existing table.
func (w *Writer) isUnset(name string) string {
	if w.IsRaw {
		return "attribute_not_exists(" + name + ")"
	}
	null := w.Value("", item.StringValue("NULL"))
	return "(attribute_not_exists(" + name + ") OR attribute_type(" + name + ", " + null + "))"
}

// attribute returns the name of an attribute that is not part of the item's key, and its value.
func (w *Writer) attribute(name string, v item.Value) (stored, value string) {
	a, _ := w.Design.StoredAttributes(w.Type, name, v)
	return w.Name(a[0].Name), w.Value(a[0].Name, a[0].Value)
}

// equals returns the condition that a stored attribute has its value or one of others, or with inKey that the item
// lacks it.
func (w *Writer) equals(stored item.Attribute, inKey bool, others []item.Value) string {
	if stored.Value.Kind == item.Null {
		return w.isUnset(w.Name(stored.Name))
	}
	name, values := w.Name(stored.Name), []string{}
	for _, v := range append([]item.Value{stored.Value}, others...) {
		if values = append(values, w.Value(stored.Name, v)); canBeSet(v) && !inKey {
			values = append(values, w.Value(stored.Name, item.SetValue(v.Elements())))
		}
	}
	condition := isOneOf(name, values)
	if inKey {
		return "(" + condition + " OR attribute_not_exists(" + name + "))"
	}
	return condition
}

// isOneOf returns the condition that an attribute has one of these values.
func isOneOf(name string, values []string) string {
	if len(values) == 1 {
		return name + " = " + values[0]
	}
	return name + " IN (" + strings.Join(values, ", ") + ")"
}

// canBeSet reports whether the List of a field may be a set in an existing table: its elements are Strings or Numbers,
// and no two are equal.
func canBeSet(v item.Value) bool {
	elements := v.Elements()
	if v.Kind != item.List || v.IsSet() || len(elements) == 0 {
		return false
	}
	for i, e := range elements {
		isTwice := slices.ContainsFunc(elements[:i], e.Equal)
		if e.Kind != elements[0].Kind || e.Kind != item.String && e.Kind != item.Number || isTwice {
			return false
		}
	}
	return true
}
