package designpage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

type fieldDef = ast.FieldDefinition

// Type is what objects of a type are stored as, and what it costs to write one.
type Type struct {
	Name, Description string
	Colour            int
	// Who may read its objects.
	Who      string
	MaxBytes int
	Kinds    []Stored
	// Items is how many items an object is stored as, copies included, and Entries how many entries in indexes it has.
	// Claims are those of unique values, Counters the objects that count it.
	Items, Entries, Claims, Counters int
	// Create, Update and Delete are what the writes of an object consume.
	Create, Update, Delete Work
}

// Work is what a write consumes at worst.
type Work struct {
	// By is the mutation; "" if none is declared: then the work is that of any attributes.
	By                   string
	WriteUnits, Requests int
	ReadUnits            float64
}

// Stored is a kind of stored items of a type.
type Stored struct {
	ID, What string
	// PK and SK are the templates of its key, as Markdown; SK is "" without a sort key.
	PK, SK string
	// InPartition is how many objects the schema lets into one partition, as Markdown.
	InPartition string
	// ReadBy are the patterns that read it.
	ReadBy []string
	Since  string
}

func typesOf(s *directives.Schema) []Type {
	all := make([]Type, len(s.Types))
	for i, t := range s.Types {
		all[i] = Type{
			Name: t.Name, Description: firstSentence(s.TypeDef(t.Name).Description), Colour: i % colours,
			Who: contract.Allowed(t.Rule), MaxBytes: t.MaxBytes, Kinds: storedOf(s, t),
			Items: 1 + len(t.Copies), Entries: len(t.Indexes), Claims: len(t.Uniques), Counters: len(countersOf(s.Design, t)),
			Create: workOf(s, t, design.CreateMutation), Update: workOf(s, t, design.UpdateMutation),
			Delete: workOf(s, t, design.DeleteMutation),
		}
	}
	return all
}

func storedOf(s *directives.Schema, t *design.Type) []Stored {
	var all []Stored
	for _, k := range kindsOf(t) {
		one := Stored{
			ID: k.id(), What: "item", PK: directives.PartitionKey(k.shape, k.shards), SK: directives.SortKey(k.shape),
			InPartition: s.InPartition(t, k.index, k.shape, k.shards), ReadBy: readersOf(s, k),
		}
		switch {
		case k.index != "":
			one.What = "entry in " + k.index
		case k.latest != "":
			one.What = "copy of the greatest " + k.latest
		case k.place > 0:
			one.What = "copy"
		}
		all = append(all, one)
	}
	return all
}

// readersOf returns the patterns that read items of a kind.
func readersOf(s *directives.Schema, k kind) []string {
	var all []string
	for _, f := range s.Fields {
		if k.isReadBy(f) {
			all = append(all, f.Coordinate())
		}
	}
	return all
}

// isReadByRule reports whether a rule reads items of the kind to decide who is allowed.
func isReadByRule(s *directives.Schema, k kind) bool {
	rules := make([]*design.Rule, 0, len(s.Types)+len(s.Rules))
	for _, t := range s.Types {
		rules = append(rules, t.Rule)
	}
	for _, r := range s.Rules {
		rules = append(rules, r.Rule)
	}
	return slices.ContainsFunc(rules, func(r *design.Rule) bool {
		return r != nil && slices.ContainsFunc(r.Members, func(m *design.Member) bool {
			_, is := k.matchOf(s.MemberGet(m))
			return is
		})
	})
}

// countersOf returns the types of the objects whose counters change with an object of a type, once each.
func countersOf(d *design.Design, t *design.Type) []string {
	var all []string
	for _, c := range d.CountersOf(t) {
		at := c.Parent + " " + strings.Join(c.Identity, " ")
		if !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// workOf returns what a write of an object consumes at worst: that of the mutation without Go that does it, or without
// one of a write of all attributes.
func workOf(s *directives.Schema, t *design.Type, kind design.MutationKind) Work {
	m := &design.Mutation{Kind: kind, Type: t.Name, HasID: true, Inputs: writable(s.Design, t, kind)}
	for _, declared := range s.Mutations {
		if declared.Kind == kind && declared.Type == t.Name {
			m = declared
		}
	}
	w := write.WorkloadOf(s.Design, m, nil)
	return Work{By: m.Name, WriteUnits: w.Units(), Requests: w.Reads + 1, ReadUnits: w.ReadUnits}
}

// writable returns the attributes that a write without a mutation gives: all but those that follow from others.
func writable(d *design.Design, t *design.Type, kind design.MutationKind) []string {
	var names []string
	for i := range t.Attributes {
		name := t.Attributes[i].Name
		isCounter := slices.ContainsFunc(d.CountersIn(t), func(c *design.Counter) bool { return c.Attribute == name })
		isFixed := kind != design.CreateMutation && slices.Contains(t.Identity, name)
		if !isCounter && !isFixed && name != t.Version {
			names = append(names, name)
		}
	}
	return names
}

// Mutation is what a mutation reads and writes.
type Mutation struct {
	Name string
	directives.MutationPattern
	// Who may call it.
	Who   string
	Since string
}

func mutationsOf(s *directives.Schema) []Mutation {
	if s.AST.Mutation == nil {
		return nil
	}
	var all []Mutation
	for _, f := range s.AST.Mutation.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		one := Mutation{Name: f.Name, Who: contract.Allowed(s.Rule(s.AST.Mutation.Name, f.Name))}
		if m := s.Mutation(f.Name); m != nil {
			one.MutationPattern = s.MutationPattern(m)
		} else {
			one.MutationPattern = declared(f)
		}
		all = append(all, one)
	}
	return all
}

// declared returns the work of a mutation in Go, as far as its @cost says.
func declared(f *fieldDef) directives.MutationPattern {
	const unknown = "as its Go code decides"
	p := directives.MutationPattern{Reads: unknown, Writes: unknown, ReadUnits: "?", WriteUnits: "?"}
	cost := f.Directives.ForName("cost")
	if cost == nil {
		return p
	}
	units := func(name string) string {
		if a := cost.Arguments.ForName(name); a != nil {
			return a.Value.Raw
		}
		return "0"
	}
	p.ReadUnits, p.WriteUnits = units("readUnits"), units("writeUnits")
	if each, of := cost.Arguments.ForName("writeUnitsEach"), cost.Arguments.ForName("of"); each != nil && of != nil {
		p.WriteUnits += fmt.Sprintf(", and %s for each of `%s`", each.Value.Raw, of.Value.Raw)
	}
	return p
}

// firstSentence returns the first sentence of a description.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}
