package table

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/internal/condition"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// expressions writes the expressions of one action, with the names and formats of the table. Every name and every value
// has a placeholder, because DynamoDB reserves hundreds of words.
type expressions struct {
	border
	// typ is the type of the action's item; nil if the design does not have it.
	typ *design.Type
	// names and values are those of the placeholders #n0, :v0 and so on.
	names  []string
	values []item.Value
	// expired are the first and the last second of items that have expired.
	expired [2]int64
	// isRaw is set for an action in raw form: see Followed.
	isRaw bool
	// nameRoom and valueRoom are the room for what most actions have.
	nameRoom  [4]string
	valueRoom [4]item.Value
}

// expressions returns those of an action that is sent now.
func (b border) expressions(a write.Action, now time.Time) *expressions {
	oldest, newest := design.ExpiredBetween(now)
	e := &expressions{border: b, typ: b.typeOf(a), expired: [2]int64{oldest, newest}}
	e.names, e.values = e.nameRoom[:0], e.valueRoom[:0]
	return e
}

// Name implements condition.Terms.
func (e *expressions) Name(name string) string {
	e.names = append(e.names, name)
	return placeholder(firstNames[:], "#n", len(e.names)-1)
}

// firstNames and firstValues are the placeholders that most actions have.
var (
	firstNames  = [...]string{"#n0", "#n1", "#n2", "#n3", "#n4", "#n5", "#n6", "#n7"}
	firstValues = [...]string{":v0", ":v1", ":v2", ":v3", ":v4", ":v5", ":v6", ":v7"}
)

func placeholder(first []string, prefix string, i int) string {
	if i < len(first) {
		return first[i]
	}
	return prefix + strconv.Itoa(i)
}

// Value implements condition.Terms.
func (e *expressions) Value(stored string, v item.Value) string {
	return e.value(e.compared(stored, v))
}

// Expired implements condition.Terms.
func (e *expressions) Expired() (from, to string) {
	return e.value(item.IntValue(e.expired[0])), e.value(item.IntValue(e.expired[1]))
}

func (e *expressions) value(v item.Value) string {
	e.values = append(e.values, v)
	return placeholder(firstValues[:], ":v", len(e.values)-1)
}

// conditions returns the condition expression, "" for none.
func (e *expressions) conditions(all []write.Precondition) string { return joined(e.parts(all)) }

// joined returns the condition that all parts hold, "" for none.
func joined(parts []string) string { return strings.Join(parts, " AND ") }

// parts returns the condition expressions that must hold.
func (e *expressions) parts(all []write.Precondition) []string {
	w := condition.Writer{Design: e.schema.Design, Type: e.typ, IsRaw: e.isRaw, Terms: e}
	return w.Parts(all)
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
	var b strings.Builder
	separate := func(i int, keyword string) {
		switch {
		case i > 0:
			b.WriteString(", ")
			return
		case b.Len() > 0:
			b.WriteByte(' ')
		}
		b.WriteString(keyword)
	}
	for i, s := range changes.set {
		separate(i, "SET ")
		b.WriteString(e.Name(s.Name))
		b.WriteString(" = ")
		b.WriteString(e.value(s.Value))
	}
	for i, name := range changes.remove {
		separate(i, "REMOVE ")
		b.WriteString(e.Name(name))
	}
	for i, added := range changes.add {
		separate(i, "ADD ")
		b.WriteString(e.Name(added.Name))
		b.WriteByte(' ')
		b.WriteString(e.value(item.NumberValue(added.By)))
	}
	return b.String()
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
