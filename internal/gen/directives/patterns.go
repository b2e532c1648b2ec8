package directives

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// AccessPatterns returns the list of access patterns as Markdown: what each field reads, what it
// costs at worst, and what each type costs to write. It is the same for each call.
func (s *Schema) AccessPatterns() []byte {
	var b bytes.Buffer
	b.WriteString(patternsHead)
	s.writeReads(&b)
	s.writeLive(&b)
	s.writeShapes(&b)
	s.writeWrites(&b)
	s.writeMutations(&b)
	return b.Bytes()
}

const capacityRules = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html"

// GeneratedComment is the beginning of AccessPatterns, for a file of a generated module.
const GeneratedComment = "<!-- Code generated from graph/schema by make generate. DO NOT EDIT. -->\n\n"

var patternsHead = GeneratedComment + `# Access patterns

Every field that reads the table, the key condition that serves it, and what it
costs at worst. No field needs a Scan or a filter: a schema in which one would
does not generate.

Costs follow the [capacity rules of DynamoDB](` + capacityRules + `).
All items are taken to be as large as ` + "`maxBytes`" + ` allows.

- A Query adds up its items and rounds up once to 4 KB; each 4 KB are half a read
  unit, eventually consistent. A strongly consistent read costs twice as much; a
  global index has none.
- A Get rounds up for its one item. A missing item costs half a unit.
- A page of a connection is at most ` + strconv.Itoa(keys.MaxPage) + ` items, and one more is read to know
  whether another page follows. A list is read whole.
- A collection in shards costs one Query for each; its cost is that of all of
  them. Time buckets are read in order, at most ` + strconv.Itoa(design.BucketsAtOnce) + ` at a time, until the
  page is full; the cost is that of ` + strconv.Itoa(keys.MaxBuckets) + `, if only the last ones have items.

`

func (s *Schema) writeReads(b *bytes.Buffer) {
	b.WriteString("## Reads\n\n")
	b.WriteString("| Field | Request | Key condition | Answers | Read units at worst |\n")
	b.WriteString("| --- | --- | --- | --- | --- |\n")
	for _, f := range s.Fields {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n",
			f.Coordinate(), request(f), s.KeyCondition(f), answer(f), s.readUnits(f, false)+s.itemUnits(f, false))
	}
	b.WriteString("\n")
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

// itemUnits returns what is added to the units of a field whose index does not have all attributes: its items are read
// by key if something else is selected.
func (s *Schema) itemUnits(f *design.Field, strong bool) string {
	if f.Kind != design.Query || !s.IsProjected(f.Index) {
		return ""
	}
	items, each := keys.MaxPage, capacity.Get(s.maxBytes(f), strong)
	switch {
	case f.Result == design.One:
		items = 1
	case f.AtMost > 0:
		items = min(items, f.AtMost)
	}
	return fmt.Sprintf("; %s (%d × %s) more by key for attributes that %s does not have",
		number(float64(items)*each), items, number(each), f.Index)
}

// maxBytes returns the size of the largest item that a field reads.
func (s *Schema) maxBytes(f *design.Field) int {
	size := 0
	for _, name := range f.Types {
		size = max(size, s.Type(name).MaxBytes)
	}
	return size
}

// readUnits returns the worst case in read units, of strongly consistent reads where there are any.
func (s *Schema) readUnits(f *design.Field, strong bool) string {
	size := s.maxBytes(f)
	strong = strong && (f.Index == "" || s.Layout.Index(f.Index).Local)
	switch f.Kind {
	case design.Get, design.Node:
		return number(capacity.Get(size, strong))
	case design.Nodes:
		return fmt.Sprintf("%s for %d IDs", number(keys.MaxPage*capacity.Get(size, strong)), keys.MaxPage)
	}
	items := keys.MaxPage + 1 // the one after the page is for hasNextPage
	switch {
	case f.Result == design.One:
		items = 1
	case f.Result == design.Many, f.HasFilters():
		items = f.AtMost
	case f.AtMost > 0:
		items = min(items, f.AtMost)
	}
	times := 1.0
	if f.HasGap() {
		times = 2
	}
	_, each := capacity.Query(items, size, strong)
	each *= times
	partitions := len(f.Shards())
	text, all := fmt.Sprintf("%d × %s", partitions, number(each)), float64(partitions)*each
	if f.Bucketed() != "" {
		var full int
		partitions = keys.MaxBuckets
		full, all = capacity.InOrder(partitions, design.BucketsAtOnce, each, strong)
		text = fmt.Sprintf("%d × %s, %d empty", full, number(each), partitions-full)
	}
	if partitions == 1 {
		return number(each)
	}
	if f.AtMost > 0 {
		_, spread := capacity.Spread(partitions, f.AtMost, size, strong)
		if spread *= times; spread < all || f.Result == design.Many {
			text, all = fmt.Sprintf("%d in %d partitions", f.AtMost, partitions), spread
		}
	}
	return fmt.Sprintf("%s (%s)", number(all), text)
}

// needed returns which of the fields in keys need values: all of them, or those without a '?'.
func (s *Schema) needed() string {
	for _, t := range s.Types {
		for _, ix := range t.Indexes {
			for _, segment := range slices.Concat(ix.PK.Segments(), ix.SK.Segments()) {
				if segment.Optional {
					return " without `?`"
				}
			}
		}
	}
	return ""
}

func (s *Schema) writeShapes(b *bytes.Buffer) {
	b.WriteString("## Keys\n\n")
	b.WriteString("What is stored under which key. The item has the first entry in an index, " +
		"the copies have the next\nones in their order. " +
		"An entry is written only when all fields" + s.needed() + " in its key are set.\n\n")
	b.WriteString("| Type | Stored as | Partition key | Sort key |\n| --- | --- | --- | --- |\n")
	for _, t := range s.Types {
		fmt.Fprintf(b, "| `%s` | item | `%s` | %s |\n",
			t.Name, inShards(t.Item.PK, keys.ShardLabels(t.Shards)), sortKeyText(t.Item))
		for _, c := range t.Copies {
			kind := "copy"
			if c.Latest != "" {
				kind = fmt.Sprintf("copy of the greatest `%s`", c.Latest)
			}
			fmt.Fprintf(b, "| `%s` | %s | `%s` | %s |\n", t.Name, kind, c.PK, sortKeyText(c.Shape))
		}
		for _, ix := range t.Indexes {
			pk := inShards(ix.PK, keys.ShardLabels(ix.Shards))
			fmt.Fprintf(b, "| `%s` | %s | `%s` | %s |\n", t.Name, ix.Name, pk, sortKeyText(ix.Shape))
		}
	}
	b.WriteString("\n")
}

// sortKeyText returns the sort key of a shape, "" if it has none.
func sortKeyText(s keys.Shape) string {
	if s.SK.String() == "" {
		return ""
	}
	return "`" + s.SK.String() + "`"
}

func (s *Schema) writeWrites(b *bytes.Buffer) {
	b.WriteString("## Writes\n\n")
	b.WriteString("What it costs to put one new object of the largest size: a write unit for each KB of each stored\n" +
		"item and each index entry. All items are written in one transaction, which counts each of them twice;\n" +
		"index entries follow afterwards and count once. An update that changes an index key also deletes the\n" +
		"old entry, one write more.\n\n")
	b.WriteString("| Type | Largest item | Stored items | Index entries | Write units | In a transaction |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, t := range s.Types {
		items, entries := 1+len(t.Copies), len(t.Indexes)
		each := capacity.Write(t.MaxBytes)
		fmt.Fprintf(b, "| `%s` | %d bytes | %d | %d | %d | %d |\n",
			t.Name, t.MaxBytes, items, entries, each*(items+entries), each*(2*items+entries))
	}
}

// number returns a count of capacity units, which may be halves.
func number(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

// writeLive writes what it costs to begin a subscription, if there is live data.
func (s *Schema) writeLive(b *bytes.Buffer) {
	if len(s.Live) == 0 {
		return
	}
	b.WriteString("## Live data\n\n" +
		"What a subscription reads when it begins, strongly consistent where DynamoDB can: indexes are not. Its events\n" +
		"come from the stream of the table, with the item. An event reads only what is selected below the item.\n\n")
	b.WriteString("| Field | Live data of | Request | Key condition | First state | Read units at worst |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, f := range s.Live {
		fmt.Fprintf(b, "| `%s` | `%s` | %s | %s | %s | %s |\n", f.Coordinate(), f.Live.Coordinate(), request(f),
			s.KeyCondition(f), answer(f), s.readUnits(f, true)+s.itemUnits(f, true))
	}
	b.WriteString("\n")
}
