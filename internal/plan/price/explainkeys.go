package price

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// ExplainedKey is where the items of a Read are in the table. Of several keys or partitions, it is the first.
type ExplainedKey struct {
	// Index is the name of the index; "" for the table itself.
	Index string `json:"index,omitempty"`
	// PK is the partition.
	PK string `json:"pk"`
	// SK is the sort key of a Get. Of a Query it is what all sort keys of the range begin with: "" for a whole partition.
	SK string `json:"sk,omitempty"`
	// Descending is set for a Query whose page begins at the end of the range.
	Descending bool `json:"descending,omitempty"`
	// Of is how many keys or partitions are read; 0 for one.
	Of int `json:"of,omitempty"`
}

// key returns the key of a field in one of its waves; nil if no key condition is known.
func (x *explainer) key(n *field, known []design.Condition, wave int) *ExplainedKey {
	if n.isItem || len(known) == 0 {
		return nil
	}
	c := known[0]
	if n.read.Kind != design.Query {
		if c.Key == (keys.Key{}) {
			return nil
		}
		pk, sk := x.Schema.Design.Layout.ShowKey(c.Key)
		return &ExplainedKey{PK: pk, SK: sk, Of: severalOf(len(known))}
	}
	ix := x.Schema.Design.Layout.Index(n.read.Index)
	parts := n.partsOf(c.Partitions, wave)
	if len(parts) == 0 {
		return nil
	}
	return &ExplainedKey{
		Index: n.read.Index, PK: ix.ShowPK(parts[0].PK), SK: ix.ShowSK(commonPrefix(&c)),
		Descending: n.isDescending(), Of: severalOf(len(parts)),
	}
}

// partitionsText returns the part of the text of a Query's key condition about the partition key, which is pk if the
// condition is not known.
func (x *explainer) partitionsText(n *field, pk string, known []design.Condition, wave int) string {
	ix := x.Schema.Design.Layout.Index(n.read.Index)
	text := ix.PK.Describe(pk)
	switch partitions := n.partitionsOf(wave); {
	case len(known) == 0 && partitions > 1:
		return text + fmt.Sprintf(" in %d partitions", partitions)
	case len(known) == 0 || n.partitions <= 1:
		return text
	}
	parts := n.partsOf(known[0].Partitions, wave)
	text = ix.PK.Describe(ix.ShowPK(parts[0].PK))
	if len(parts) > 1 {
		text += " to " + ix.ShowPK(parts[len(parts)-1].PK)
	}
	return text
}

// rangeText returns the part about the sort key, with the comma before it; "" for a whole partition. sk is the
// beginning of the sort key if the condition is not known.
func (x *explainer) rangeText(n *field, sk string, known []design.Condition) string {
	ix := x.Schema.Design.Layout.Index(n.read.Index)
	if len(known) == 0 {
		switch {
		case sk != "" && len(ix.SK) > 1:
			return ", " + ix.SK.Describe(sk)
		case n.read.Extent() == keys.Tree:
			return fmt.Sprintf(", %s = %s or begins_with(%s, %s%s)", ix.SK, sk, ix.SK, sk, n.read.SK.Delimiter())
		case sk != "":
			return fmt.Sprintf(", begins_with(%s, %s)", ix.SK, sk)
		}
		return ""
	}
	switch c := &known[0]; {
	case len(ix.SK) > 1:
		if text := ix.SK.DescribeRange(c.Bounds()); text != "" {
			return ", " + text
		}
	case c.From != "":
		return fmt.Sprintf(", %s BETWEEN %s AND %s", ix.SK, ix.ShowSK(c.From), ix.ShowSK(c.To))
	case c.Prefix != "":
		return fmt.Sprintf(", begins_with(%s, %s)", ix.SK, c.Prefix)
	}
	return ""
}

// severalOf returns n, or 0 for one.
func severalOf(n int) int {
	if n == 1 {
		return 0
	}
	return n
}

// commonPrefix returns what all sort keys of a condition begin with.
func commonPrefix(c *design.Condition) keys.SK {
	if c.From == "" && c.To == "" {
		return c.Prefix
	}
	n := 0
	for n < min(len(c.From), len(c.To)) && c.From[n] == c.To[n] {
		n++
	}
	return c.From[:n]
}

// partsOf returns the partitions that a Query reads in one of its waves.
func (n *field) partsOf(parts []design.Partition, wave int) []design.Partition {
	if len(n.buckets) > 0 {
		return n.bucketsOf(parts, wave)
	}
	return parts
}

// partitionsOf returns how many partitions a Query reads in one of its waves.
func (n *field) partitionsOf(wave int) int {
	if len(n.buckets) > 0 {
		return n.buckets[wave]
	}
	return n.partitions
}

// bucketsOf returns the time buckets of one wave, in the order of reading.
func (n *field) bucketsOf(parts []design.Partition, wave int) []design.Partition {
	if n.isDescending() {
		parts = slices.Clone(parts)
		slices.Reverse(parts)
	}
	for _, before := range n.buckets[:wave] {
		parts = parts[before:]
	}
	return parts[:n.buckets[wave]]
}

// keysText returns the first keys as text, and how many more there are.
func keysText(l *stored.Layout, all []design.Condition) string {
	const shown = 3
	var parts []string
	for i, c := range all {
		if i == shown {
			parts = append(parts, fmt.Sprintf("%d more", len(all)-shown))
			break
		}
		pk, sk := l.ShowKey(c.Key)
		parts = append(parts, l.DescribeKey(pk, sk))
	}
	return strings.Join(parts, "; ")
}
