package table

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table/attribute"
	"github.com/partita/partita/write"
)

// expressions writes the expressions of one action, with the names and formats of the table. Every name and every value
// has a placeholder, because DynamoDB reserves hundreds of words.
type expressions struct {
	border
	// typ is the type of the action's item; nil if the design does not have it.
	typ    *design.Type
	names  map[string]string
	values map[string]types.AttributeValue
	// expired are the first and the last second of items that have expired.
	expired [2]int64
	// isRaw is set for an action in raw form: see Followed.
	isRaw bool
}

// expressions returns those of an action that is sent now.
func (b border) expressions(a write.Action, now time.Time) *expressions {
	oldest, newest := design.ExpiredBetween(now)
	return &expressions{border: b, typ: b.typeOf(a), expired: [2]int64{oldest, newest}}
}

func (e *expressions) name(name string) string {
	if e.names == nil {
		e.names = map[string]string{}
	}
	placeholder := "#n" + strconv.Itoa(len(e.names))
	e.names[placeholder] = name
	return placeholder
}

func (e *expressions) value(v item.Value) string {
	if e.values == nil {
		e.values = map[string]types.AttributeValue{}
	}
	placeholder := ":v" + strconv.Itoa(len(e.values))
	e.values[placeholder] = attribute.FromValue(v)
	return placeholder
}

// conditions returns the condition expression, nil for none.
func (e *expressions) conditions(all []write.Precondition) *string { return joined(e.parts(all)) }

// joined returns the condition that all parts hold, nil for none.
func joined(parts []string) *string {
	if len(parts) == 0 {
		return nil
	}
	return aws.String(strings.Join(parts, " AND "))
}

// parts returns the condition expressions that must hold.
func (e *expressions) parts(all []write.Precondition) []string {
	if len(all) == 0 {
		return nil
	}
	pk := e.schema.Layout().PK[0].Name
	var parts []string
	exists := false
	expires := e.schema.Design.ExpiryAttribute() != ""
	for _, c := range all {
		switch c.Kind {
		case write.PreconditionExists:
			condition := "attribute_exists(" + e.name(pk) +
				")" + e.isNotDeleted()
			if expires {
				condition += " AND NOT " + e.hasExpired()
			}
			parts = append(parts, condition)
		case write.PreconditionStored:
			parts = append(parts, "attribute_exists("+e.name(pk)+")")
		case write.PreconditionMissing:
			condition := "attribute_not_exists(" + e.name(pk) + ")"
			if expires {
				condition = "(" + condition + " OR " + e.hasExpired() + ")"
			}
			parts = append(parts, condition)
		case write.PreconditionBelow:
			name, value := e.attribute(c.Name, c.Value)
			parts = append(parts, "(attribute_not_exists("+e.name(pk)+") OR "+name+" < "+value+
				" OR (attribute_exists("+e.name(keys.AttributeDeletedAt)+") AND "+name+" = "+value+"))")
		case write.PreconditionNotBelow:
			name, value := e.attribute(c.Name, c.Value)
			parts = append(parts, name+" >= "+value)
		case write.PreconditionEqualsOrUnset:
			exists = true
			name, value := e.attribute(c.Name, c.Value)
			parts = append(parts, "("+name+" = "+value+" OR "+e.isUnset(name)+")")
		case write.PreconditionHolds:
			parts = append(parts, e.holds(c.Values))
		case write.PreconditionOther:
			parts = append(parts, "NOT ("+e.holds(c.Values)+")")
		case write.PreconditionUnset:
			exists = true
			stored, _ := e.schema.Design.StoredAttributes(e.typ, c.Name, item.Value{})
			for _, a := range stored {
				parts = append(parts, e.isUnset(e.name(a.Name)))
			}
		case write.PreconditionCompares:
			exists = true
			parts = append(parts, e.comparison(c))
		case write.PreconditionAtMost:
			exists = true
			name, value := e.attribute(c.Name, c.Value)
			parts = append(parts, "("+e.isUnset(name)+" OR "+name+" <= "+value+")")
		case write.PreconditionAtLeast:
			name, value := e.attribute(c.Name, c.Value)
			condition := name + " >= " + value
			if n, err := item.AsInt(c.Value); err == nil && n <= 0 {
				exists = true
				condition = "(" + e.isUnset(name) + " OR " + condition + ")"
			}
			parts = append(parts, condition)
		default:
			stored, inKey := e.schema.Design.StoredAttributes(e.typ, c.Name, c.Value)
			exists = exists || inKey || len(stored) == 0 || stored[0].Value.Kind == item.Null
			for _, a := range stored {
				parts = append(parts, e.equals(a, inKey, e.typ.OtherForms(c.Name, c.Value)))
			}
		}
	}
	if exists {
		parts = append(parts, "attribute_exists("+e.name(pk)+")")
	}
	return parts
}

// holds returns the condition that an item has all of the attributes with these values.
func (e *expressions) holds(values item.Item) string {
	equal := make([]string, len(values))
	for i, a := range values {
		stored, _ := e.schema.Design.StoredAttributes(e.typ, a.Name, a.Value)
		if name := stored[0].Name; stored[0].Value.Kind == item.Null {
			equal[i] = "(" + e.isUnset(e.name(name)) + " AND attribute_exists(" + e.name(e.schema.Layout().PK[0].Name) + "))"
			continue
		}
		name, value := e.attribute(a.Name, a.Value)
		values := []string{value}
		for _, v := range e.typ.OtherForms(a.Name, a.Value) {
			values = append(values, e.value(v))
		}
		equal[i] = isOneOf(name, values)
	}
	return strings.Join(equal, " AND ")
}

// isNotDeleted returns the condition that an item is no tombstone, with AND before it. It is "" for a type with a field
// that has that attribute. In an existing table the attribute may be NULL.
func (e *expressions) isNotDeleted() string {
	if !e.schema.Design.Translates() {
		return " AND attribute_not_exists(" + e.name(keys.AttributeDeletedAt) + ")"
	}
	if e.typ != nil && slices.ContainsFunc(e.typ.Attributes, func(a design.Attribute) bool {
		return a.StoredName() == keys.AttributeDeletedAt
	}) {
		return ""
	}
	return " AND " + e.isUnset(e.name(keys.AttributeDeletedAt))
}

// isUnset returns the condition that an item lacks the attribute of a placeholder, or that it is NULL, as it may be in
// an existing table.
func (e *expressions) isUnset(name string) string {
	if e.isRaw {
		return "attribute_not_exists(" + name + ")"
	}
	null := e.value(item.StringValue("NULL"))
	return "(attribute_not_exists(" + name + ") OR attribute_type(" + name + ", " + null + "))"
}

// hasExpired returns the condition that an item has expired.
func (e *expressions) hasExpired() string {
	from, to := item.IntValue(e.expired[0]), item.IntValue(e.expired[1])
	return "(" + e.name(e.schema.Design.ExpiryAttribute()) + " BETWEEN " + e.value(from) + " AND " + e.value(to) + ")"
}

// attribute returns the placeholders of an attribute that is not part of the item's key, and of its value.
func (e *expressions) attribute(name string, v item.Value) (placeholder, value string) {
	stored, _ := e.schema.Design.StoredAttributes(e.typ, name, v)
	return e.name(stored[0].Name), e.value(e.compared(stored[0].Name, stored[0].Value))
}

// equals returns the condition that a stored attribute has its value or one of others, or with inKey that the item
// lacks it.
func (e *expressions) equals(stored item.Attribute, inKey bool, others []item.Value) string {
	value := e.compared(stored.Name, stored.Value)
	if value.Kind == item.Null {
		return e.isUnset(e.name(stored.Name))
	}
	name, values := e.name(stored.Name), []string{}
	for _, v := range append([]item.Value{value}, others...) {
		if values = append(values, e.value(v)); canBeSet(v) && !inKey {
			values = append(values, e.value(item.SetValue(v.Elements())))
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

// stored returns attributes as they are in the table, each once: indexes may share some.
func (e *expressions) stored(attributes item.Item) item.Item {
	var all item.Item
	for _, a := range attributes {
		stored, _ := e.schema.Design.StoredAttributes(e.typ, a.Name, a.Value)
		for _, s := range stored {
			if _, has := all.Find(s.Name); !has {
				all = append(all, s)
			}
		}
	}
	return all
}

// isEmptySet reports whether an attribute of the action's item is a set without elements.
func (e *expressions) isEmptySet(a item.Attribute) bool {
	if e.typ == nil {
		return false
	}
	declared := e.typ.Attribute(a.Name)
	return declared != nil && declared.IsEmptySet(a.Value)
}

// update returns the update expression, "" if nothing changes in the table.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
func (e *expressions) update(a write.Action) string {
	changes := e.effect(a)
	var set, remove, add []string
	for _, s := range changes.set {
		set = append(set, e.name(s.Name)+" = "+e.value(s.Value))
	}
	for _, name := range changes.remove {
		remove = append(remove, e.name(name))
	}
	for _, i := range changes.add {
		add = append(add, e.name(i.Name)+" "+e.value(item.NumberValue(i.By)))
	}
	var clauses []string
	for _, clause := range []struct {
		keyword string
		parts   []string
	}{{"SET ", set}, {"REMOVE ", remove}, {"ADD ", add}} {
		if len(clause.parts) > 0 {
			clauses = append(clauses, clause.keyword+strings.Join(clause.parts, ", "))
		}
	}
	return strings.Join(clauses, " ")
}

// effect is what an Update does to the attributes of the table.
type effect struct {
	set    item.Item
	remove []string
	add    []write.Increment
}

func (e *expressions) effect(a write.Action) effect {
	var changes effect
	after := e.schema.Design.ToStored(a.After)
	removed := make(item.Item, len(a.Remove))
	for i, name := range a.Remove {
		removed[i].Name = name
	}
	for _, s := range a.Set {
		if e.isEmptySet(s) {
			removed = append(removed, item.Attribute{Name: s.Name})
		}
	}
	changes.set = e.stored(slices.DeleteFunc(slices.Clone(a.Set), e.isEmptySet))
	for i, s := range changes.set {
		changes.set[i].Value = e.written(s.Name, s.Value)
	}
	for _, s := range e.stored(removed) {
		if _, remains := after.Find(s.Name); !remains {
			changes.remove = append(changes.remove, s.Name)
		}
	}
	for _, i := range a.Add {
		stored, _ := e.schema.Design.StoredAttributes(e.typ, i.Name, item.Value{})
		changes.add = append(changes.add, write.Increment{Name: stored[0].Name, By: i.By})
	}
	return changes
}
