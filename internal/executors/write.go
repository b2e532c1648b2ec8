package executors

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// TransactWriteItems implements loaders.Source.
func (m *Memory) TransactWriteItems(_ context.Context, t write.Transaction) (request.Result, error) {
	if err := m.arrive("TransactWriteItems", describe(t)); err != nil {
		return request.Result{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	failed := &write.ConditionError{}
	for i, a := range t.Actions {
		it := m.stored[a.Key]
		if slices.ContainsFunc(a.If, func(c write.Precondition) bool { return !c.Holds(it) }) {
			failed.Failed = append(failed.Failed, write.FailedCondition{Action: i, Item: it})
		}
	}
	if len(failed.Failed) > 0 {
		return request.Result{Cancelled: 1}, failed
	}
	result := request.Result{WriteUnits: float64(len(t.Actions))}
	stored := maps.Clone(m.stored)
	for _, a := range t.Actions {
		carryOut(stored, a)
	}
	m.set(stored)
	if t.IsSingle() && t.Actions[0].Kind == write.ActionUpdate {
		result.Items = []item.Item{stored[t.Actions[0].Key]}
	}
	return result, nil
}

// describe returns what a transaction does, without its token.
func describe(t write.Transaction) string {
	parts := make([]string, len(t.Actions))
	for i, a := range t.Actions {
		parts[i] = fmt.Sprint(a.Kind, a.Key, describeItem(a.Item), describeItem(a.Set), a.Remove, a.Add)
		for _, c := range a.If {
			parts[i] += fmt.Sprint(" if ", c.Kind, c.Name, describeValue(c.Value), describeItem(c.Values))
		}
	}
	return strings.Join(parts, "; ")
}

// describeItem returns the attributes of an item, sorted by their names.
func describeItem(it item.Item) string {
	parts := make([]string, len(it))
	for i, a := range it {
		parts[i] = a.Name + "=" + describeValue(a.Value)
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, " ") + "}"
}

func describeValue(v item.Value) string {
	switch v.Kind {
	case item.List:
		parts := make([]string, len(v.Elements()))
		for i, e := range v.Elements() {
			parts[i] = describeValue(e)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case item.Map:
		return describeItem(v.Fields())
	case item.String:
		return strconv.Quote(v.Text)
	case item.Null:
		return "null"
	default:
		return v.Text
	}
}

// carryOut carries out an action on items.
func carryOut(items map[keys.Key]item.Item, a write.Action) {
	switch a.Kind {
	case write.ActionPut:
		items[a.Key] = a.Item.WithoutNulls()
	case write.ActionDelete:
		delete(items, a.Key)
	case write.ActionUpdate:
		changed := slices.DeleteFunc(slices.Clone(items[a.Key]), func(have item.Attribute) bool {
			_, set := a.Set.Find(have.Name)
			return set || slices.Contains(a.Remove, have.Name)
		})
		changed = append(changed, a.Set...)
		for _, add := range a.Add {
			v, _ := changed.Get(add.Name)
			n, _ := item.AsInt(v) // 0 if the item lacks it
			changed = slices.DeleteFunc(changed, func(have item.Attribute) bool { return have.Name == add.Name })
			changed = append(changed, item.Attribute{Name: add.Name, Value: item.NumberValue(n + add.By)})
		}
		items[a.Key] = changed
	}
}

// set replaces all items.
func (m *Memory) set(stored map[keys.Key]item.Item) {
	m.stored, m.items = stored, map[string][]item.Item{}
	for _, it := range stored {
		for _, index := range m.indexes {
			if pk := it.Text(keys.IndexPK(index)); pk != "" {
				m.items[index+" "+pk] = append(m.items[index+" "+pk], it)
			}
		}
	}
	for name, part := range m.items {
		index, _, _ := strings.Cut(name, " ")
		slices.SortFunc(part, func(a, b item.Item) int { return compare(positionOf(index, a), positionOf(index, b)) })
	}
}

// Restore makes the table as it was at first.
func (m *Memory) Restore() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(m.first)
}

// Changes returns a line for each item that was written since Restore, sorted by their keys.
func (m *Memory) Changes() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var lines []string
	for key, it := range m.stored {
		if before := m.first[key]; before == nil || &before[0] != &it[0] {
			lines = append(lines, fmt.Sprintf("%s %s: %s", key.PK, key.SK, describeItem(it)))
		}
	}
	for key := range m.first {
		if m.stored[key] == nil {
			lines = append(lines, fmt.Sprintf("%s %s: deleted", key.PK, key.SK))
		}
	}
	slices.Sort(lines)
	return lines
}
