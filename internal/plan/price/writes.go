package price

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/condition"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Written returns what a transaction has written, equal writes once. It has neither keys nor values, because the viewer
// may see neither: they are templates and {name}.
func Written(d *design.Design, t *write.Transaction) []ExplainedWrite {
	return MergeWrites(nil, explainWrites(d, write.WritesOf(d, t), hidden{}))
}

// MergeWrites adds writes to others, those that are equal to one as its Times.
func MergeWrites(all, more []ExplainedWrite) []ExplainedWrite {
	for _, w := range more {
		i := slices.IndexFunc(all, w.isSameAs)
		if i < 0 {
			all = append(all, w)
			continue
		}
		all[i].Times = max(1, all[i].Times) + max(1, w.Times)
	}
	return all
}

func (w ExplainedWrite) isSameAs(other ExplainedWrite) bool {
	return w.Action == other.Action && w.Item == other.Item && w.Key == other.Key &&
		slices.Equal(w.Indexes, other.Indexes) && slices.Equal(w.Conditions, other.Conditions)
}

func explainWrites(d *design.Design, all []write.ItemWrite, terms condition.Terms) []ExplainedWrite {
	var explained []ExplainedWrite
	for _, w := range all {
		conditions := condition.Writer{Design: d, Type: d.Type(w.Type), Terms: terms}
		one := ExplainedWrite{
			Action: actionNames[w.Kind], Item: itemName(w), Indexes: w.Indexes, Units: float64(w.Units), Times: w.Times,
			Conditions: conditions.Parts(w.If),
		}
		if w.Shape.PK.String() != "" {
			one.Key = d.Layout.DescribeShape(w.Shape)
		}
		explained = append(explained, one)
	}
	return explained
}

// planned are the terms of conditions of a plan: what is not known then is a placeholder.
type planned struct{}

// Name implements condition.Terms.
func (planned) Name(stored string) string { return stored }

// Value implements condition.Terms.
func (planned) Value(_ string, v item.Value) string {
	if v.Kind == item.String && !strings.HasPrefix(v.Text, "{") {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

// Expired implements condition.Terms.
func (planned) Expired() (from, to string) { return "{five years ago}", "{now}" }

// hidden are the terms of conditions of what was written. They have no values, because the caller may not see all.
type hidden struct{ planned }

// Value implements condition.Terms.
func (hidden) Value(stored string, v item.Value) string {
	if stored == "" {
		return strconv.Quote(v.Text)
	}
	return "{" + stored + "}"
}

var actionNames = map[write.ActionKind]string{
	write.ActionPut: "Put", write.ActionUpdate: "Update", write.ActionDelete: "Delete", write.ActionCheck: "Check",
}

func itemName(w write.ItemWrite) string {
	switch w.Part {
	case write.CopyPart:
		return w.Type + " (copy)"
	case write.CounterPart:
		return w.Type + "." + strings.Join(append([]string{w.Attribute}, w.Others...), ", ")
	case write.ClaimPart, write.OncePart:
		return strings.TrimSpace(w.Type + " " + w.Attribute)
	case write.DeletionPart:
		return "list of the sweep"
	default:
		return w.Type
	}
}
