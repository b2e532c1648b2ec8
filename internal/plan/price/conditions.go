package price

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// keyOnly returns the key-only attributes of an object that a field of an object with the key-only attributes parent
// returns.
func (x *explainer) keyOnly(n *field, typeName string, parent item.Item) item.Item {
	if n.read == nil || n.read.Kind == design.Query {
		return nil
	}
	var found []design.Condition
	for _, c := range x.conditions(n, parent) {
		if c.KeyOnly.Type() == typeName {
			found = append(found, c)
		}
	}
	if len(found) == 1 {
		return found[0].KeyOnly
	}
	if names := x.Schema.KeyNamesOfID(typeName); names != nil {
		return names.Item
	}
	return nil // Members decide about the item first, whatever its type is.
}

// conditions returns the key conditions of a field that has values for them: one, or for nodes one for each object.
func (x *explainer) conditions(n *field, parent item.Item) []design.Condition {
	if n.read == nil {
		return nil
	}
	if !n.read.Kind.IsByID() {
		if c, err := n.read.Bind(x.valuesOf(n, parent)).At(x.Now).Condition(); err == nil && !c.IsEmpty() {
			return []design.Condition{c}
		}
		return nil
	}
	var all []design.Condition
	for _, id := range x.Arguments(n.Field).IDs {
		c, err := x.Schema.Design.BindNode(n.read, id).Condition()
		if err == nil && !slices.ContainsFunc(all, func(o design.Condition) bool { return o.Key == c.Key }) {
			all = append(all, c)
		}
	}
	return all
}

// valuesOf returns the values of the variables of a field's key condition, as far as they are known.
func (x *explainer) valuesOf(n *field, parent item.Item) func(string) keys.Value {
	if n.isNode {
		return func(string) keys.Value { return keys.Value{} }
	}
	return x.Values(n.Field, parent)
}

func (n *field) kind() string {
	switch {
	case n.Mutation != nil:
		return mutationNames[n.Mutation.Kind]
	case n.read == nil && n.own.gets == 0:
		return "Resolver"
	case n.read != nil && n.read.Kind == design.Query:
		return "Query"
	}
	return "Get"
}

// condition returns the key condition of a field in one of its waves as an Explanation shows it. known are those with
// values.
func (x *explainer) condition(n *field, parent item.Item, known []design.Condition, wave int) string {
	read, layout := n.read, x.Schema.Design.Layout
	switch {
	case n.isItem:
		return strings.Join(slices.Concat(layout.PK.Names(), layout.SK.Names()), ", ") + " of the entry"
	case read == nil:
		return ""
	case read.Kind.IsByID():
		return keysText(layout, known)
	}
	placeholder := func(name string) string {
		if read.Argument(name) != nil {
			return "{" + name + "}"
		}
		return "{" + name + " of " + n.parent + "}"
	}
	values := x.valuesOf(n, parent)
	pk, sk := read.PK.Describe(values, placeholder), read.SK.Describe(values, placeholder)
	if read.Kind == design.Get {
		if len(read.Shards()) > 1 {
			pk += read.PK.Delimiter() + "{shard}"
		}
		return layout.DescribeKey(pk, sk)
	}
	text := x.partitionsText(n, pk, known, wave) + x.rangeText(n, sk, known)
	if n.isDescending() {
		text += ", descending"
	}
	text += fmt.Sprintf(", limit %d", n.limit)
	return text + filtersText(known)
}

// filtersText returns what selects among the items after they have been read.
func filtersText(known []design.Condition) string {
	if len(known) == 0 || !known[0].IsFiltered() {
		return ""
	}
	var texts []string
	for _, f := range known[0].Filters() {
		texts = append(texts, f.String())
	}
	return ", then " + strings.Join(texts, " and ")
}

// writes returns what a MutationField writes; nil for other fields.
func (x *explainer) writes(n *field) []ExplainedWrite {
	if n.Mutation == nil {
		return nil
	}
	return explainWrites(x.Schema.Design, x.ExplainedWorkload(n.Field).Writes, planned{})
}

// sweep returns what the sweep consumes after a MutationField that leaves something to it.
func (x *explainer) sweep(n *field) string {
	if n.Mutation == nil {
		return ""
	}
	var parts []string
	for _, u := range write.SweepUnitsOf(x.Schema.Design, n.Mutation) {
		parts = append(parts, fmt.Sprintf("%d for each %s", u.Units, u.Type))
	}
	return strings.Join(parts, ", ")
}

var mutationNames = map[design.MutationKind]string{
	design.CreateMutation: "Create", design.UpdateMutation: "Update", design.DeleteMutation: "Delete",
	design.ActionMutation: "Action",
}
