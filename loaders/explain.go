package loaders

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/keys"
)

// Explanation is the worst-case plan of an operation, wave by wave.
type Explanation struct {
	ReadUnits  float64         `json:"estimatedReadUnits"`
	WriteUnits float64         `json:"estimatedWriteUnits"`
	Requests   int             `json:"requests"`
	Waves      []ExplainedWave `json:"waves"`
	// Cut is set if the plan has more fields than maxExplained; the rest is left out.
	Cut bool `json:"cut,omitempty"`
}

// ExplainedWave is what is sent in one wave.
type ExplainedWave struct {
	Requests  int             `json:"requests"`
	ReadUnits float64         `json:"readUnits"`
	Reads     []ExplainedRead `json:"reads"`
}

// ExplainedRead are the Reads of one field.
type ExplainedRead struct {
	// Field is its path from the root.
	Field string `json:"field"`
	// Kind is Get, Query, or Resolver for a hand-written resolver with a @cost.
	Kind string `json:"kind"`
	// Condition is the key condition, with {id of User} for a value that is not known until the
	// parent has been read.
	Condition string `json:"condition,omitempty"`
	// Times is for how many objects the field is read; ReadUnits and WriteUnits are those of one.
	Times      float64 `json:"times"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits,omitempty"`
}

// maxExplained limits the size of an Explanation: fragments can spread a selection at exponentially
// many places.
const maxExplained = 1000

// Explain returns the plan from which an operation's Estimate is computed.
func (e *Estimator) Explain(request *graphql.OperationContext) Explanation {
	est := e.Estimate(request)
	x := &Explanation{
		ReadUnits: est.ReadUnits, WriteUnits: est.WriteUnits, Requests: est.Requests, Waves: []ExplainedWave{},
	}
	for _, w := range est.root.waves {
		requests := int(min(w.requests(), most))
		x.Waves = append(x.Waves, ExplainedWave{Requests: requests, ReadUnits: min(w.units, most)})
	}
	explained := 0
	x.object(est.root, nil, 0, 1, &explained)
	x.Waves = slices.DeleteFunc(x.Waves, func(w ExplainedWave) bool { return len(w.Reads) == 0 })
	return *x
}

// object explains what is read below an object that is read in a wave and occurs in the answer the
// given number of times.
func (x *Explanation) object(o *objectNode, path []string, wave int, times float64, explained *int) {
	for _, n := range o.fields {
		if *explained++; *explained > maxExplained {
			x.Cut = true
			return
		}
		fieldPath := slices.Concat(path, []string{n.name()})
		at := wave + n.after
		if n.own != (readCapacity{}) || n.writes > 0 {
			for len(x.Waves) <= at {
				x.Waves = append(x.Waves, ExplainedWave{})
			}
			w := &x.Waves[at]
			w.Reads = append(w.Reads, ExplainedRead{
				Field: strings.Join(fieldPath, "."), Kind: n.kind(), Condition: n.condition(),
				Times: times, ReadUnits: n.own.units, WriteUnits: n.writes,
			})
			if n.otherRequests > 0 {
				w.Requests += int(min(n.otherRequests*times, most))
			}
		}
		for _, c := range n.children {
			x.object(c.object, fieldPath, at, min(times*c.items, most), explained)
		}
	}
}

func (n *fieldNode) name() string {
	name := n.group[0].Name
	if n.page >= 0 {
		name += fmt.Sprintf("(%s: %d)", n.direction(), n.page)
	}
	return name
}

func (n *fieldNode) kind() string {
	switch {
	case n.field == nil && n.own.gets == 0:
		return "Resolver"
	case n.field != nil && n.field.Kind == keys.Query:
		return "Query"
	}
	return "Get"
}

// condition returns the key condition as an Explanation shows it.
func (n *fieldNode) condition() string {
	fd := n.field
	switch {
	case fd == nil:
		return ""
	case fd.Kind == keys.Node || fd.Kind == keys.Nodes:
		return keysText(n.keys)
	}
	placeholder := func(name string) string {
		if fd.Argument(name) != nil {
			return "{" + name + "}"
		}
		return "{" + name + " of " + n.parent + "}"
	}
	c, err := fd.Bind(n.values).Condition()
	known := err == nil && !c.IsEmpty()
	pk, sk := fd.PK.Describe(n.values, placeholder), fd.SK.Describe(n.values, placeholder)
	if fd.Kind == keys.Get {
		return fmt.Sprintf("PK = %s, SK = %s", pk, sk)
	}
	pkName, skName := keys.IndexPK(fd.Index), keys.IndexSK(fd.Index)
	text := fmt.Sprintf("%s = %s", pkName, pk)
	if n.partitions > 1 && known {
		first, last := c.Partitions[0].PK, c.Partitions[len(c.Partitions)-1].PK
		text = fmt.Sprintf("%s = %s to %s", pkName, first, last)
	} else if n.partitions > 1 {
		text += fmt.Sprintf(" in %d partitions", n.partitions)
	}
	switch {
	case known && c.From != "":
		to := strings.ReplaceAll(string(c.To), "\U0010FFFF", `\U0010FFFF`)
		text += fmt.Sprintf(", %s BETWEEN %s AND %s", skName, c.From, to)
	case known && c.Prefix != "":
		text += fmt.Sprintf(", begins_with(%s, %s)", skName, c.Prefix)
	case !known && sk != "":
		text += fmt.Sprintf(", begins_with(%s, %s)", skName, sk)
	}
	if fd.Descending != (n.direction() == "last" && n.page >= 0) {
		text += ", descending"
	}
	return text + fmt.Sprintf(", limit %d", n.limit)
}

// keysText returns the first keys as text, and how many more there are.
func keysText(all []keys.Key) string {
	const shown = 3
	var parts []string
	for i, k := range all {
		if i == shown {
			parts = append(parts, fmt.Sprintf("%d more", len(all)-shown))
			break
		}
		parts = append(parts, fmt.Sprintf("PK = %s, SK = %s", k.PK, k.SK))
	}
	return strings.Join(parts, "; ")
}

// WriteTo writes the explanation as text.
func (x Explanation) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for i, wave := range x.Waves {
		fmt.Fprintf(&b, "wave %d: %s, %s\n", i+1, counted(wave.Requests, "request"), readUnits(wave.ReadUnits))
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, r := range wave.Reads {
			costs := plain(r.ReadUnits)
			if r.WriteUnits > 0 {
				costs += " and " + plain(r.WriteUnits) + " to write"
			}
			line := fmt.Sprintf("  %s\t%s\t%s × %s", r.Kind, r.Field, plain(r.Times), costs)
			if r.Condition != "" {
				line += "\t" + r.Condition
			}
			_, _ = fmt.Fprintln(table, line)
		}
		if err := table.Flush(); err != nil {
			return 0, err
		}
	}
	if x.Cut {
		b.WriteString("and more: fragments repeat what they select\n")
	}
	fmt.Fprintf(&b, "at worst: %s, %s, %s",
		counted(len(x.Waves), "wave"), counted(x.Requests, "request"), readUnits(x.ReadUnits))
	if x.WriteUnits > 0 {
		fmt.Fprintf(&b, ", %s write units", plain(x.WriteUnits))
	}
	b.WriteByte('\n')
	written, err := io.WriteString(w, b.String())
	return int64(written), err
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func readUnits(n float64) string {
	if n == 1 {
		return "1 read unit"
	}
	return plain(n) + " read units"
}
