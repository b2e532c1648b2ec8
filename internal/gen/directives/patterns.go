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

// Pages of the developer guide.
const (
	developerGuide  = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
	capacityRules   = developerGuide + "read-write-operations.html"
	partitionLimits = developerGuide + "bp-partition-key-design.html"
	collectionLimit = developerGuide + "LSI.html#LSI.ItemCollections.SizeLimit"
)

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
		p := s.Pattern(f, false)
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", f.Coordinate(), p.Request, p.Condition, p.Answers, p.Cost.Text)
	}
	b.WriteString("\n")
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
	fmt.Fprintf(b, "A partition takes at most [1,000 write units and 3,000 read units a second](%s).\n"+
		"The last column is how many objects the schema lets into one: any number of them share these units.\n\n",
		partitionLimits)
	if local := s.localIndexes(); local != "" {
		fmt.Fprintf(b, "The table has local indexes (%s): with its entries there, a partition has at most\n"+
			"[10 GB](%s).\n\n", local, collectionLimit)
	}
	b.WriteString("| Type | Stored as | Partition key | Sort key | In one partition |\n| --- | --- | --- | --- | --- |\n")
	for _, t := range s.Types {
		s.writeShape(b, t, "item", "", t.Item, t.Shards)
		for _, c := range t.Copies {
			kind := "copy"
			if c.Latest != "" {
				kind = fmt.Sprintf("copy of the greatest `%s`", c.Latest)
			}
			s.writeShape(b, t, kind, "", c.Shape, 1)
		}
		for _, ix := range t.Indexes {
			s.writeShape(b, t, ix.Name, ix.Name, ix.Shape, ix.Shards)
		}
	}
	b.WriteString("\n")
}

func (s *Schema) writeShape(b *bytes.Buffer, t *design.Type, kind, index string, shape keys.Shape, shards int) {
	fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", t.Name, kind, PartitionKey(shape, shards), SortKey(shape),
		s.InPartition(t, index, shape, shards))
}

// localIndexes returns the names of the local indexes of the table.
func (s *Schema) localIndexes() string {
	var names []string
	for _, ix := range s.Layout.Indexes {
		if ix.Local {
			names = append(names, "`"+ix.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// PartitionKey returns the partition key of a shape that is spread over shards, as Markdown.
func PartitionKey(s keys.Shape, shards int) string {
	return "`" + inShards(s.PK, keys.ShardLabels(shards)) + "`"
}

// SortKey returns the sort key of a shape as Markdown, "" if it has none.
func SortKey(s keys.Shape) string {
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
		p := s.Pattern(f, true)
		fmt.Fprintf(b, "| `%s` | `%s` | %s | %s | %s | %s |\n", f.Coordinate(), f.Live.Coordinate(), p.Request, p.Condition,
			p.Answers, p.Cost.Text)
	}
	b.WriteString("\n")
}
