package directives

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Pattern is how a field reads the table. Its texts are Markdown.
type Pattern struct {
	// Request is the action of DynamoDB, with the index of a Query. Condition is the key condition in words, and Answers
	// what the field returns.
	Request, Condition, Answers string
	Cost                        Cost
}

// Cost is what a field consumes at worst.
type Cost struct {
	// Requests are those of one object that has the field, and Units their read units.
	Requests int
	Units    float64
	// Text is Units, with what they are the sum of.
	Text string
}

// Pattern returns how a field reads the table, also one of Live. With strong, its reads are strongly consistent where
// there are such.
func (s *Schema) Pattern(f *design.Field, strong bool) Pattern {
	return Pattern{
		Request: request(f), Condition: s.KeyCondition(f), Answers: answer(f),
		Cost: s.read(f, strong).plus(s.items(f, strong)),
	}
}

func request(f *design.Field) string {
	switch f.Kind {
	case design.Get, design.Node:
		return "Get"
	case design.Nodes:
		return "BatchGet"
	}
	if f.Index != "" {
		return "Query " + f.Index
	}
	return "Query"
}

// equalities returns the condition that the first attributes of a key have the parts of a template, as Markdown.
func equalities(k keys.KeyAttributes, t keys.Template) string {
	var parts []string
	for i, s := range t.Segments() {
		if text := s.String(); text != "" {
			parts = append(parts, fmt.Sprintf("`%s = %s`", k[i].Name, text))
		}
	}
	return strings.Join(parts, ", ")
}

// KeyCondition returns the key condition of a field in words, as Markdown.
func (s *Schema) KeyCondition(f *design.Field) string {
	if f.Kind.IsByID() {
		return "the keys that the global IDs hold"
	}
	ix := s.Layout.Index(f.Index)
	pk, sk := ix.PK.String(), ix.SK.String()
	text := fmt.Sprintf("`%s = %s`", pk, inShards(f.PK, f.Shards()))
	if len(ix.PK) > 1 {
		text = equalities(ix.PK, f.PK)
	}
	if f.Kind == design.Get {
		if len(f.Shards()) > 1 {
			text += " by a hash of the id"
		}
		if sk == "" {
			return text
		}
		return text + fmt.Sprintf(", `%s = %s`", sk, f.SK)
	}
	switch {
	case f.Extent() == keys.Tree:
		text += fmt.Sprintf(", `%s = %s` or `%s` begins with `%s%s`", sk, f.SK, sk, f.SK, f.SK.Delimiter())
	case f.SK.String() != "" && len(ix.SK) > 1:
		text += ", " + equalities(ix.SK, f.SK)
	case f.SK.String() != "":
		text += fmt.Sprintf(", `%s` begins with `%s`", sk, f.SK)
	}
	for _, a := range f.Arguments {
		switch {
		case a.Filter:
		case a.Prefix:
			text += fmt.Sprintf(", followed by `%s.prefix` if given", a.Name)
		case a.Range:
			text += fmt.Sprintf(", between `%s.from` and `%s.to` if given", a.Name, a.Name)
		}
	}
	if f.Since != "" {
		text += fmt.Sprintf(", from the bucket of `%s` on", f.Since)
	}
	return text
}

// inShards returns the partition keys with these labels of shards, for a text in backquotes.
func inShards(pk keys.Template, labels []string) string {
	text := pk.String()
	if labels[0] == "" {
		if labels = labels[1:]; len(labels) == 0 {
			return text
		}
		text += "`, and `" + text
	}
	return text + pk.Delimiter() + labels[0] + "` to `" + pk.Delimiter() + labels[len(labels)-1]
}

func answer(f *design.Field) string {
	names := "`" + strings.Join(f.Types, "`, `") + "`"
	switch f.Result {
	case design.One:
		if f.Kind == design.Query {
			return "first " + names
		}
		return names
	case design.Many:
		if f.AtMost > 0 {
			return fmt.Sprintf("at most %d %s", f.AtMost, names) + filters(f)
		}
		return "list of " + names
	}
	direction := "ascending"
	if f.Descending {
		direction = "descending"
	}
	text := fmt.Sprintf("page of %s, %s", names, direction)
	if f.EdgeNode {
		text += fmt.Sprintf("; `%s.node` reads each node", f.Edge)
	}
	if f.Count != "" {
		text += fmt.Sprintf("; `totalCount` is `%s`", f.Count)
	}
	return text + filters(f)
}

// filters returns what selects among the items of a field.
func filters(f *design.Field) string {
	var names []string
	for _, a := range f.Arguments {
		if a.Filter {
			names = append(names, "`"+a.Name+"`")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("; of all %d, those with %s", f.AtMost, strings.Join(names, ", "))
}

// plus returns the sum of two costs, and the second text after the first one.
func (c Cost) plus(more Cost) Cost {
	return Cost{c.Requests + more.Requests, c.Units + more.Units, c.Text + more.Text}
}

// items returns what is added to the cost of a field whose index does not have all attributes: its items are read by
// key if something else is selected.
func (s *Schema) items(f *design.Field, strong bool) Cost {
	if f.Kind != design.Query || !s.IsProjected(f.Index) {
		return Cost{}
	}
	items, each := keys.MaxPage, capacity.Get(s.maxBytes(f), strong)
	switch {
	case f.Result == design.One:
		items = 1
	case f.AtMost > 0:
		items = min(items, f.AtMost)
	}
	units := float64(items) * each
	return Cost{1, units, fmt.Sprintf("; %s (%d × %s) more by key for attributes that %s does not have",
		number(units), items, number(each), f.Index)}
}

// maxBytes returns the size of the largest item that a field reads.
func (s *Schema) maxBytes(f *design.Field) int {
	size := 0
	for _, name := range f.Types {
		size = max(size, s.Type(name).MaxBytes)
	}
	return size
}

// read returns the worst case of a field's own requests.
func (s *Schema) read(f *design.Field, strong bool) Cost {
	size := s.maxBytes(f)
	strong = strong && (f.Index == "" || s.Layout.Index(f.Index).Local)
	switch f.Kind {
	case design.Get, design.Node:
		units := capacity.Get(size, strong)
		return Cost{1, units, number(units)}
	case design.Nodes:
		units := keys.MaxPage * capacity.Get(size, strong)
		return Cost{1, units, fmt.Sprintf("%s for %d IDs", number(units), keys.MaxPage)}
	}
	requests, units := capacity.Query(itemsRead(f), size, strong)
	times := 1
	if f.HasGap() {
		times = 2
	}
	each := Cost{Requests: times * requests, Units: float64(times) * units}
	each.Text = number(each.Units)
	if f.Bucketed() == "" && len(f.Shards()) == 1 {
		return each
	}
	return s.spread(f, each, times, strong)
}

// itemsRead returns how many items the Query of one partition reads at most.
func itemsRead(f *design.Field) int {
	items := keys.MaxPage + 1 // the one after the page is for hasNextPage
	switch {
	case f.Result == design.One:
		items = 1
	case f.Result == design.Many, f.HasFilters():
		items = f.AtMost
	case f.AtMost > 0:
		items = min(items, f.AtMost)
	}
	return items
}

// spread returns the cost of a collection in several partitions, of which each has the given cost at worst. times is
// how often each is read.
func (s *Schema) spread(f *design.Field, each Cost, times int, strong bool) Cost {
	partitions := len(f.Shards())
	all := Cost{
		partitions * each.Requests, float64(partitions) * each.Units, fmt.Sprintf("%d × %s", partitions, each.Text),
	}
	if f.Bucketed() != "" {
		partitions = keys.MaxBuckets
		full, units := capacity.InOrder(partitions, design.BucketsAtOnce, each.Units, strong)
		empty := partitions - full
		all = Cost{full*each.Requests + empty, units, fmt.Sprintf("%d × %s, %d empty", full, each.Text, empty)}
	}
	if f.AtMost > 0 {
		requests, units := capacity.Spread(partitions, f.AtMost, s.maxBytes(f), strong)
		if units *= float64(times); units < all.Units || f.Result == design.Many {
			all = Cost{times * requests, units, fmt.Sprintf("%d in %d partitions", f.AtMost, partitions)}
		}
	}
	all.Text = fmt.Sprintf("%s (%s)", number(all.Units), all.Text)
	return all
}

// number returns a count of capacity units, which may be halves.
func number(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }
