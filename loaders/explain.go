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

// Explanation is what an operation would send, wave by wave, at worst.
type Explanation struct {
	ReadUnits  float64         `json:"estimatedReadUnits"`
	WriteUnits float64         `json:"estimatedWriteUnits"`
	Requests   int             `json:"requests"`
	Waves      []ExplainedWave `json:"waves"`
	// Cut is set when there is more to say than maxExplained Reads.
	Cut bool `json:"cut,omitempty"`
}

// ExplainedWave is what is sent at the same time.
type ExplainedWave struct {
	Requests  int             `json:"requests"`
	ReadUnits float64         `json:"readUnits"`
	Reads     []ExplainedRead `json:"reads"`
}

// ExplainedRead are the Reads of one field.
type ExplainedRead struct {
	// Field is the way to it from the root.
	Field string `json:"field"`
	// Kind is Get, Query, or Resolver for what @cost tells of a hand-written one.
	Kind string `json:"kind"`
	// Condition is the key condition, with {id of User} where a value is known only
	// when what comes before has been read.
	Condition string `json:"condition,omitempty"`
	// Times is for how many objects the field is read at worst; ReadUnits and
	// WriteUnits are those of one.
	Times      float64 `json:"times"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits,omitempty"`
}

// maxExplained bounds an Explanation: fragments can spread a selection at
// exponentially many places.
const maxExplained = 1000

// Explain is an operation's Estimate in all its parts.
func (e *Estimator) Explain(request *graphql.OperationContext) Explanation {
	est := e.Estimate(request)
	x := &Explanation{ReadUnits: est.ReadUnits, WriteUnits: est.WriteUnits, Requests: est.Requests, Waves: []ExplainedWave{}}
	for _, w := range est.root.waves {
		x.Waves = append(x.Waves, ExplainedWave{Requests: int(min(w.requests(), most)), ReadUnits: min(w.units, most)})
	}
	explained := 0
	x.level(est.root, nil, 0, 1, &explained)
	x.Waves = slices.DeleteFunc(x.Waves, func(w ExplainedWave) bool { return len(w.Reads) == 0 })
	return *x
}

// level explains what is read below one object that was read in a wave and
// stands in the answer so many times.
func (x *Explanation) level(l *level, path []string, wave int, times float64, explained *int) {
	for _, s := range l.steps {
		if *explained++; *explained > maxExplained {
			x.Cut = true
			return
		}
		way := slices.Concat(path, []string{s.name()})
		at := wave + s.after
		if s.own != (tally{}) || s.writes > 0 {
			for len(x.Waves) <= at {
				x.Waves = append(x.Waves, ExplainedWave{})
			}
			w := &x.Waves[at]
			w.Reads = append(w.Reads, ExplainedRead{
				Field: strings.Join(way, "."), Kind: s.kind(), Condition: s.condition(),
				Times: times, ReadUnits: s.own.units, WriteUnits: s.writes,
			})
			if s.otherRequests > 0 {
				w.Requests += int(min(s.otherRequests*times, most))
			}
		}
		for _, b := range s.below {
			x.level(b.level, way, at, min(times*b.items, most), explained)
		}
	}
}

func (s *step) name() string {
	name := s.group[0].Name
	if s.page >= 0 {
		name += fmt.Sprintf("(%s: %d)", s.direction(), s.page)
	}
	return name
}

func (s *step) kind() string {
	switch {
	case s.field == nil && s.own.gets == 0:
		return "Resolver"
	case s.field != nil && s.field.Kind == keys.Query:
		return "Query"
	}
	return "Get"
}

// condition is the key condition for a person to read.
func (s *step) condition() string {
	fd := s.field
	switch {
	case fd == nil:
		return ""
	case fd.Kind == keys.Node || fd.Kind == keys.Nodes:
		return keysText(s.keys)
	}
	unknown := func(name string) string {
		if fd.Argument(name) != nil {
			return "{" + name + "}"
		}
		return "{" + name + " of " + s.parent + "}"
	}
	c, err := fd.Bind(s.values).Condition()
	known := err == nil && !c.IsEmpty()
	pk, sk := fd.PK.Describe(s.values, unknown), fd.SK.Describe(s.values, unknown)
	if fd.Kind == keys.Get {
		return fmt.Sprintf("PK = %s, SK = %s", pk, sk)
	}
	text := fmt.Sprintf("%s = %s", keys.IndexPK(fd.Index), pk)
	if s.partitions > 1 && known {
		first, last := c.Partitions[0].PK, c.Partitions[len(c.Partitions)-1].PK
		text = fmt.Sprintf("%s = %s to %s", keys.IndexPK(fd.Index), first, last)
	} else if s.partitions > 1 {
		text += fmt.Sprintf(" in %d partitions", s.partitions)
	}
	switch {
	case known && c.From != "":
		text += fmt.Sprintf(", %s BETWEEN %s AND %s", keys.IndexSK(fd.Index), c.From, strings.ReplaceAll(string(c.To), "\U0010FFFF", `\U0010FFFF`))
	case known && c.Prefix != "":
		text += fmt.Sprintf(", begins_with(%s, %s)", keys.IndexSK(fd.Index), c.Prefix)
	case !known && sk != "":
		text += fmt.Sprintf(", begins_with(%s, %s)", keys.IndexSK(fd.Index), sk)
	}
	if fd.Descending != (s.direction() == "last" && s.page >= 0) {
		text += ", descending"
	}
	return text + fmt.Sprintf(", limit %d", s.limit)
}

// keysText lists a few keys.
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

// WriteTo writes the explanation for a person to read.
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
	fmt.Fprintf(&b, "at worst: %s, %s, %s", counted(len(x.Waves), "wave"), counted(x.Requests, "request"), readUnits(x.ReadUnits))
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
