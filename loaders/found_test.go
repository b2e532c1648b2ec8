package loaders_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
	_ "github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// places is a schema with each kind of range: a hierarchy, a tree, shards, time buckets, and an index without a
// sort key.
const places = `
extend schema @table(indexes: [{ name: "GSI2", pk: "GSI2PK" }])

type Query {
  everything: PlaceConnection @query(pk: "ORG", sk: "")
  one(d: String!): Department @get(pk: "ORG", sk: "DEPT#{d}")
  departments: DepartmentConnection @query(pk: "DEPTS", sk: "D#")
  tree(d: String!): PlaceConnection @query(pk: "ORG", sk: "DEPT#{d}")
  people(d: String!): PersonConnection @query(pk: "ORG", sk: "DEPT#{d}#")
  byTown(town: String!, age: IntRange): PersonConnection @query(index: "GSI1", pk: "TOWN#{town}")
  byDay(at: TimeRange): PersonConnection @query(pk: "DAY#{at:day}")
  byCode(code: String!): PersonConnection @query(index: "GSI2", pk: "{code}")
}

input IntRange { from: Int to: Int }

union Place = Department | Person

type Department @item(pk: "ORG", sk: "DEPT#{d}") @copy(pk: "DEPTS", sk: "D#{d}") @allow(to: ["PUBLIC"]) {
  d: String!
}

type Person @item(pk: "ORG", sk: "DEPT#{d}#USER#{u}") @copy(pk: "DAY#{at:day}", sk: "{at}#{d}#{u}")
  @index(pk: "TOWN#{town}", sk: "{age:03}#{d}#{u}", shards: 3) @index(name: "GSI2", pk: "{code}")
  @allow(to: ["PUBLIC"]) {
  d: String!
  u: String!
  at: Time!
  town: String
  age: Int
  code: String
}
`

// TestFind: a condition finds exactly the items that its Queries return, or that its Get does, whatever the table has.
func TestFind(t *testing.T) {
	schema, err := directives.Load(&ast.Source{Name: "places.graphqls", Input: places})
	fatal.If(t, err)
	read, err := directives.Read(schema)
	fatal.If(t, err)
	engine := tabletest.Start(t, table.SchemaOf(read.Design))
	days := []string{"2026-01-01", "2026-01-02", "2026-01-03"}
	var items []item.Item
	add := func(pk, sk string, pairs ...string) {
		items = append(items, tabletest.Stored(pk, sk, pairs...))
	}
	departments := []string{"1", "1 ", "1 A", "1!", "1$", "10", "1A", "11", "2"}
	for i, d := range departments {
		add("ORG", "DEPT#"+d)
		add("DEPTS", "D#"+d)
		add("DAY#"+days[i%3], fmt.Sprintf("%sT0%d:00:00.000Z#%s#1", days[i%3], i, d))
		add("ORG", "DEPT#"+d+"#USER#1", "GSI1PK", fmt.Sprint("TOWN#York#", i%3), "GSI1SK", fmt.Sprintf("%03d#%s#1", i, d))
		add("ORG", "DEPT#"+d+"#USER#2", "GSI1PK", "TOWN#York#7", "GSI1SK", "001#foreign")
		add("ORG", "DEPT#"+d+"#USER#3", "GSI1PK", "TOWN#York#1", "GSI2PK", d)
	}
	for _, foreign := range []string{"DEPT", "DEPT$", "DEPT#", "D", "E", "\x01", "z", "DEPT#1#\U0010FFFF"} {
		add("ORG", foreign, "GSI1PK", "TOWN#York#0", "GSI1SK", foreign, "GSI2PK", "1")
		add("DEPTS", "D#"+foreign)
		add("DEPTS", foreign)
		add("DAY#"+days[0], foreign)
	}
	add("DEPTS", "D$")
	engine.Load(t, items...)
	fields := rapid.SampledFrom(read.Design.Fields)
	found := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		f := fields.Filter(func(f *design.Field) bool { return f.Parent == "Query" && !f.Kind.IsByID() }).Draw(t, "field")
		c, err := f.Bind(func(name string) keys.Value {
			return keys.ArgumentValue(*f.Argument(name), drawn(t, name, departments, days))
		}).At(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)).Condition()
		if err != nil {
			t.Skip(err.Error())
		}
		want := map[keys.Key]int{}
		reads, partitions := plan.Reads(&c, plan.Window{Count: len(items)})
		for i, r := range reads {
			got := []item.Item{}
			if r.Kind == plan.Get {
				for _, it := range items {
					if keys.KeyOf(it) == r.Key {
						got = append(got, it)
					}
				}
			} else {
				result, err := engine.Table.Query(t.Context(), r.Query)
				fatal.If(t, err)
				got = result.Items
			}
			for _, it := range got {
				sk := keys.SK(it.Text(keys.IndexSK(f.Index)))
				if r.Kind == plan.Get || !r.IsBetween(sk) {
					want[keys.KeyOf(it)] = partitions[i] + 1
				}
			}
		}
		found[f.Name] = found[f.Name] || len(want) > 0
		for _, it := range items {
			entry := keys.Key{PK: keys.PK(it.Text(keys.IndexPK(f.Index))), SK: keys.SK(it.Text(keys.IndexSK(f.Index)))}
			if got := c.Find(entry) + 1; got != want[keys.KeyOf(it)] {
				t.Fatalf("%s finds %v in partition %d, the Query in %d", f.Name, it, got-1, want[keys.KeyOf(it)]-1)
			}
		}
	})
	for _, f := range read.Design.Fields {
		if f.Parent == "Query" && !f.Kind.IsByID() && !found[f.Name] {
			t.Errorf("%s has found nothing", f.Name)
		}
	}
}

// drawn returns the value of an argument of the schema places.
func drawn(t *rapid.T, name string, departments, days []string) any {
	between := func(from, to any) any {
		ends := map[string]any{}
		if rapid.Bool().Draw(t, "has from") {
			ends["from"] = from
		}
		if rapid.Bool().Draw(t, "has to") {
			ends["to"] = to
		}
		return ends
	}
	switch name {
	case "town":
		return "York"
	case "age":
		from := rapid.Int64Range(0, 9).Draw(t, "from age")
		return between(from, from+rapid.Int64Range(0, 9).Draw(t, "ages"))
	case "at":
		return between(rapid.SampledFrom(days).Draw(t, "from day")+"T01:00:00Z", days[2]+"T05:00:00Z")
	default:
		return rapid.SampledFrom(departments).Draw(t, name)
	}
}
