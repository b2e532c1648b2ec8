package designtools

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/designpage"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
)

// compareInput is the input of compare_designs.
type compareInput struct {
	Base       schemaInput      `json:"base" jsonschema:"the schema to compare with"`
	Other      schemaInput      `json:"other" jsonschema:"the other schema"`
	Operations []ratedOperation `json:"operations,omitempty" jsonschema:"what clients send, with how often"`
	Objects    map[string]int64 `json:"objects,omitempty" jsonschema:"how many objects of each type are stored, such as {\"Order\": 1000000}, for what storage costs"`
}

// compared is the result of compare_designs.
type compared struct {
	Operations []comparedOperation `json:"operations"`
	Types      []comparedType      `json:"types"`
	// Money is nil without rates and numbers of objects.
	Money   *money       `json:"money,omitempty"`
	Changes []comparison `json:"changes" jsonschema:"what differs in access patterns, keys, the prices of writes and the API"`
}

// comparison is one difference.
type comparison struct {
	About string   `json:"about" jsonschema:"access pattern, key, write or API"`
	What  string   `json:"what"`
	Kind  string   `json:"kind" jsonschema:"new, changed or removed, from base to other"`
	Parts []string `json:"parts"`
}

// comparedType is how a type is stored in both designs; nil where it is not.
type comparedType struct {
	Name  string      `json:"name"`
	Base  *storedType `json:"base,omitempty"`
	Other *storedType `json:"other,omitempty"`
}

type storedType struct {
	Items       int `json:"items" jsonschema:"the item of an object and its copies"`
	Entries     int `json:"entries" jsonschema:"its entries in indexes"`
	Factor      int `json:"factor" jsonschema:"how many times an object is stored"`
	MaxBytes    int `json:"maxBytes"`
	CreateUnits int `json:"createUnits" jsonschema:"write units at worst"`
	UpdateUnits int `json:"updateUnits"`
	DeleteUnits int `json:"deleteUnits"`
}

func (t *tools) addCompare(server *mcp.Server) {
	add(t, server, compareTool,
		"Compares two designs: what operations cost at worst, in requests, units and money a month by Amazon's prices of "+
			"on-demand capacity, how many times each type is stored, which design is cheaper, and what differs in the keys.",
		func(ctx context.Context, in compareInput) result[compared] {
			return shown(t.compare(ctx, in))
		})
}

// side is one of the designs.
type side struct {
	name    string
	schema  *directives.Schema
	version contract.Version
	page    *designpage.Page
}

func (t *tools) side(name string, in schemaInput) (side, error) {
	files, err := t.read(in)
	if err != nil {
		return side{}, fmt.Errorf("%s: %w", name, err)
	}
	schema, err := files.load()
	if err != nil {
		return side{}, fmt.Errorf("%s: %w", name, err)
	}
	return side{name, schema, version(schema, files), designpage.New(designpage.Options{}, schema)}, nil
}

func (t *tools) compare(ctx context.Context, in compareInput) (compared, error) {
	c := compared{Operations: []comparedOperation{}, Types: []comparedType{}, Changes: []comparison{}}
	base, err := t.side("base", in.Base)
	if err != nil {
		return c, err
	}
	other, err := t.side("other", in.Other)
	if err != nil {
		return c, err
	}
	c.Types = typesOf(base.page, other.page)
	b := newBills(base, other)
	if c.Operations, err = b.operations(ctx, in.Operations); err != nil {
		return c, err
	}
	if err := b.storage(in.Objects); err != nil {
		return c, err
	}
	c.Money = b.money()
	other.page.Compare("base", base.page, contract.Compare(base.version, other.version))
	c.Changes = changesOf(other.page.Changes)
	return c, nil
}

func typesOf(base, other *designpage.Page) []comparedType {
	byName := map[string]*comparedType{}
	for _, p := range []*designpage.Page{base, other} {
		for _, t := range p.Types {
			one := byName[t.Name]
			if one == nil {
				one = &comparedType{Name: t.Name}
				byName[t.Name] = one
			}
			is := &storedType{t.Items, t.Entries, t.Items + t.Entries, t.MaxBytes, t.Create.WriteUnits, t.Update.WriteUnits,
				t.Delete.WriteUnits}
			if p == base {
				one.Base = is
			} else {
				one.Other = is
			}
		}
	}
	all := []comparedType{}
	for _, name := range sorted(byName) {
		all = append(all, *byName[name])
	}
	return all
}

func changesOf(c *designpage.Changes) []comparison {
	all := []comparison{}
	add := func(about string, changes []designpage.Change) {
		for _, change := range changes {
			one := comparison{about, change.What.Text, change.Kind, []string{}}
			for _, l := range change.Lines {
				one.Parts = append(one.Parts, fmt.Sprintf("%s: %s -> %s", l.Part, quoted(l.Was), quoted(l.Is)))
			}
			all = append(all, one)
		}
	}
	add("access pattern", c.Patterns)
	add("key", c.Stored)
	add("write", c.Writes)
	for _, change := range c.API {
		all = append(all, comparison{"API", change.Path, fmt.Sprint(change.Level), []string{change.What}})
	}
	return all
}

func quoted(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// text returns the result for an agent.
func (c compared) text() string {
	var b strings.Builder
	for _, o := range c.Operations {
		fmt.Fprintf(&b, "%s: base %s; other %s\n", o.Name, o.Base, o.Other)
	}
	for _, t := range c.Types {
		fmt.Fprintf(&b, "%s is stored: base %s; other %s\n", t.Name, t.Base, t.Other)
	}
	if c.Money != nil {
		b.WriteString(c.Money.text())
	}
	for _, change := range c.Changes {
		fmt.Fprintf(&b, "%s %s: %s\n", change.About, change.What, change.Kind)
		for _, part := range change.Parts {
			fmt.Fprintf(&b, "    %s\n", part)
		}
	}
	if len(c.Changes) == 0 {
		b.WriteString("Keys and access patterns are the same.\n")
	}
	return b.String()
}

// String returns how a type is stored in words.
func (s *storedType) String() string {
	if s == nil {
		return "not"
	}
	return fmt.Sprintf("%d times (%s, %d in indexes), %d write units to create", s.Factor, counted(s.Items, "item"),
		s.Entries, s.CreateUnits)
}

// rounded returns an amount of money with six digits after the point.
func rounded(amount float64) float64 { return math.Round(amount*1e6) / 1e6 }
