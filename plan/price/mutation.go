package price

import (
	"strings"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
	"github.com/partita/partita/write"
)

// mutation prices a MutationField: what the mutation itself reads and writes for its input, and what is selected below
// its payload, which is read afterwards.
func (p *pricing) mutation(n *pricedField, g *plan.Group) {
	work := p.Arguments(n.Field).Workload()
	n.own.units, n.writes = work.ReadUnits, float64(work.Units())
	n.otherRequests = float64(work.Reads)
	if n.writes > 0 {
		n.otherRequests++
	}
	for _, o := range g.Children {
		n.children = append(n.children, pricedChild{1, o.Name, nil, p.object(o, nil, true)})
	}
}

// ExplainedWrite is an item that a mutation writes.
type ExplainedWrite struct {
	// Action is Put, Update or Delete.
	Action string `json:"action"`
	// Item is what the item is: the name of its type, Type (copy), Type.counter, or the claim of a unique value or of an
	// idempotency key.
	Item string `json:"item"`
	// Key is the item's key as templates.
	Key string `json:"key"`
	// Indexes are those in which the item has an entry.
	Indexes []string `json:"indexes,omitempty"`
	// Units are the write units, those of the index entries included.
	Units float64 `json:"units"`
}

// writes returns what a MutationField writes; nil for other fields.
func (x *explainer) writes(n *pricedField) []ExplainedWrite {
	if n.Mutation == nil {
		return nil
	}
	table := x.Schema.Design.Layout
	var all []ExplainedWrite
	for _, w := range x.Arguments(n.Field).Workload().Writes {
		all = append(all, ExplainedWrite{
			Action: actionNames[w.Kind], Item: itemName(w), Indexes: w.Indexes, Units: float64(w.Units),
			Key: table.DescribeShape(w.Shape),
		})
	}
	return all
}

var actionNames = map[write.ActionKind]string{
	write.ActionPut: "Put", write.ActionUpdate: "Update", write.ActionDelete: "Delete", write.ActionCheck: "Check",
}

func itemName(w write.ItemWrite) string {
	switch w.Part {
	case write.CopyPart:
		return w.Type + " (copy)"
	case write.CounterPart:
		return w.Type + "." + w.Attribute
	case write.ClaimPart, write.OncePart:
		return strings.TrimSpace(w.Type + " " + w.Attribute)
	default:
		return w.Type
	}
}

var mutationNames = map[design.MutationKind]string{
	design.CreateMutation: "Create", design.UpdateMutation: "Update", design.DeleteMutation: "Delete",
}
