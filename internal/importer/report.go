package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/partita/partita/keys"
)

// String returns the report as lines of text.
func (r Report) String() string {
	var b bytes.Buffer
	sample := ""
	if r.Partial {
		sample = " of a sample"
	}
	units := ""
	if r.ReadUnits > 0 {
		units = fmt.Sprintf(", %g read units", r.ReadUnits)
	}
	fmt.Fprintf(&b, "%d items%s, %.1f %% in the schema%s\n", r.Items, sample, 100*r.Classified(), units)
	for _, t := range r.Types {
		fmt.Fprintf(&b, "%9d %s\n", t.Items, t.Name)
	}
	if len(r.Unclassified) > 0 {
		b.WriteString("\nNot in the schema:\n")
	}
	for _, u := range r.Unclassified {
		key := strconv.Quote(string(u.Example.PK))
		if u.Example.SK != "" {
			key += ", " + strconv.Quote(string(u.Example.SK))
		}
		fmt.Fprintf(&b, "%9d such as %s: %s\n", u.Items, key, u.Why)
	}
	if len(r.Omitted) > 0 {
		b.WriteString("\nLeft out:\n")
	}
	for _, line := range r.Omitted {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	return b.String()
}

// report returns what became of the items.
func report(m *model) Report {
	r := Report{Items: m.items, Partial: m.partial, Omitted: m.omitted}
	for _, t := range m.types {
		if t.fault == "" {
			r.Types = append(r.Types, TypeReport{t.name, int(m.placed[t.name] + 0.5)})
		}
	}
	for _, c := range m.claims {
		if n := m.placed[c.name]; n > 0 {
			r.Types = append(r.Types, TypeReport{c.name, int(n + 0.5)})
		}
	}
	type kind struct{ why, typ, pattern string }
	kinds := groupBy(m.unclassified, func(u unclassified) kind {
		return kind{u.why, u.entry.typ, m.pattern(u.entry.Item)}
	})
	for k, g := range kinds {
		n := 0.0
		for _, u := range g {
			n += u.entry.weight
		}
		e := g[0].entry
		key := keys.Key{PK: keys.PK(e.Text(m.PK.String())), SK: keys.SK(e.Text(m.SK.String()))}
		r.Unclassified = append(r.Unclassified, Unclassified{Why: k.why, Items: int(n + 0.5), Example: key})
	}
	slices.SortFunc(r.Unclassified, func(a, b Unclassified) int {
		return cmp.Or(
			cmp.Compare(b.Items, a.Items),
			cmp.Compare(a.Example.PK, b.Example.PK), cmp.Compare(a.Example.SK, b.Example.SK),
		)
	})
	return r
}

// Report is what became of the items.
type Report struct {
	// Items is how many were read. Partial is set if the table has more.
	Items   int
	Partial bool
	// ReadUnits is what a sample has consumed.
	ReadUnits float64
	// Types are what was recognised, in the order of the schema.
	Types []TypeReport
	// Unclassified are the items that no type of the schema has, most frequent first.
	Unclassified []Unclassified
	// Omitted are attributes, keys and reads that the schema does not have, and why.
	Omitted []string
}

// TypeReport is the number of items of one type, its copies included.
type TypeReport struct {
	Name  string
	Items int
}

// Unclassified is a kind of items that no type has.
type Unclassified struct {
	// Why is the reason.
	Why   string
	Items int
	// Example is the key of one of them.
	Example keys.Key
}

// Classified returns the share of the items that the schema has, from 0 to 1.
func (r Report) Classified() float64 {
	n := 0
	for _, t := range r.Types {
		n += t.Items
	}
	return float64(n) / float64(cmp.Or(r.Items, 1))
}

// isEnough reports whether the schema has nearly all items: all but one, or 95 %.
func (r Report) isEnough() bool {
	missing := float64(r.Items) * (1 - r.Classified())
	return missing < 1.5 || r.Classified() >= 0.95
}
