package designpage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/designpage"
	"github.com/partita/partita/internal/gen/directives"
)

// found returns the findings of a page as text.
func found(p *designpage.Page) []string {
	var all []string
	for _, f := range p.Findings {
		all = append(all, strings.TrimSpace(f.At+" "+f.Where.Text)+": "+f.What+" "+f.Fix)
	}
	return all
}

// TestFindings: a copy that nothing reads, and partitions that all objects share, are found, and the fixes help.
func TestFindings(t *testing.T) {
	text := strings.ReplaceAll(books, `"S&H#{shelf}", sk`, `"KIND#{kind}", shards: 1, sk`)
	text = strings.NewReplacer(`newest(shelf: String!)`, `newest(kind: Kind!)`, `S&H#{shelf}`, `KIND#{kind}`).Replace(text)
	_, s := load(t, text)
	want := []string{
		"schema.graphqls:10:4 copy of Book: No field reads it, and each new object pays 2 write units for it. " +
			"Remove the `@copy`, or declare the field that needs it.",
		"schema.graphqls:9:4 entry of Book: The partition key `KIND#{kind}` has few values, and all objects share their " +
			"partitions. A partition takes at most 1,000 write units and 3,000 read units per second. " +
			"Write `shards` if there may be more.",
	}
	page := designpage.New(designpage.Options{HasFiles: true}, s)
	if got := found(page); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	html, _ := page.HTML(nil)
	parse(t, string(html))
	if !strings.Contains(string(html), `<li><a href="#Book-copy-1">copy of Book</a>: No field reads it, and `) {
		t.Error("the page lacks a finding")
	}
	fix := strings.NewReplacer("shards: 1", "shards: 4", `@copy(pk: "TITLE#{title}", sk: "{isbn}")`, "")
	_, s = load(t, fix.Replace(text))
	page = designpage.New(designpage.Options{}, s)
	if html, _ := page.HTML(nil); len(page.Findings) > 0 || !strings.Contains(string(html), "<p>No findings: ") {
		t.Errorf("got %v", page.Findings)
	}
}

// TestUnreadIndexes: indexes of an existing table that no field reads are found, also those that no type is in, and
// those by which nothing is written.
func TestUnreadIndexes(t *testing.T) {
	const table = `
extend schema @table(pk: "id", sk: null, indexes: [
  { name: "byCity", pk: "city", sk: "name" }, { name: "byName", pk: "name" }, { name: "old", pk: "oldPK", sk: "oldSK" }
])
type Query {
  shop(id: ID!): Shop @get(pk: "{id}")
  shops(city: String!): ShopConnection @query(index: "byCity", pk: "{city}")
}
type Shop implements Node @item(pk: "{id}", type: null) @index(name: "byCity", pk: "{city}", sk: "{name}") {
  id: ID!
  city: String!
  name: String!
}
`
	_, s := load(t, table)
	const unread = ": No field reads it, and DynamoDB charges for its entries. " +
		"Remove it from `@table(indexes:)` and from the table, unless another program reads it."
	want := []string{"schema.graphqls:2:16 Index byName" + unread, "schema.graphqls:2:16 Index old" + unread}
	if got := found(designpage.New(designpage.Options{HasFiles: true}, s)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRulesRead: a copy that only a rule reads is needed.
func TestRulesRead(t *testing.T) {
	_, s := load(t, `
type Query { team(id: ID!): Team @get(pk: "TEAM#{id}", sk: "TEAM") }
type Team implements Node @item(pk: "TEAM#{id}", sk: "TEAM")
  @allow(to: ["MEMBER"], member: {pk: "TEAM#{id}", sk: "MEMBER#{viewer}"}) {
  id: ID!
}
type Person implements Node @item(pk: "PERSON#{id}", sk: "PERSON") { id: ID! }
type Member implements Node @item(pk: "PERSON#{personId}", sk: "MEMBER#{teamId}")
  @copy(pk: "TEAM#{teamId}", sk: "MEMBER#{personId}") @allow(to: ["OWNER"], owner: "personId") {
  id: ID!
  teamId: ID!
  personId: ID!
}
extend type Query { person(id: ID!): Person @get(pk: "PERSON#{id}", sk: "PERSON") }
`)
	if found := designpage.New(designpage.Options{}, s).Findings; len(found) > 0 {
		t.Errorf("got %v", found)
	}
}

// TestFurtherFindings: those of the caller come first, and a schema that cannot be served has nothing else.
func TestFurtherFindings(t *testing.T) {
	_, s := load(t, books)
	further := directives.Findings{{
		File: "a/schema.graphqls", Line: 3, Column: 5, Coordinate: "Query.x", What: "the <field>", Fix: "remove\n`it`",
	}}
	page := designpage.New(designpage.Options{HasFiles: true, Findings: further}, s)
	if got := found(page); len(got) != 2 || got[0] != "schema.graphqls:3:5 Query.x: the <field> remove\n`it`" {
		t.Errorf("got %q", got)
	}
	text, _ := designpage.Faulty("books", further).HTML(nil)
	parse(t, string(text))
	for _, want := range []string{
		"<h1>Design of books</h1>", ">1 finding</h2>",
		"<li><code>Query.x</code>: the &lt;field&gt;\n<p>remove\n<code>it</code></p>\n",
		"<small>schema.graphqls:3:5</small></li>",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(string(text), "<script>") || strings.Contains(string(text), `id="picture"`) {
		t.Error("the page has parts without a picture")
	}
}

// TestTenants: in a table with tenants, the example's precedes the partition keys of the table and of indexes.
func TestTenants(t *testing.T) {
	_, s := load(t, books)
	for _, has := range []bool{true, false} {
		page := designpage.New(designpage.Options{Tenants: has}, s)
		tenant := map[bool]string{true: "acme#"}[has]
		for _, p := range page.Pictures {
			for _, c := range p.Partitions {
				if string(c.Tenant) != tenant {
					t.Errorf("%s %s has the tenant %q, want %q", p.Name, c.Key, c.Tenant, tenant)
				}
				for _, r := range c.Rows {
					for _, a := range r.Attributes {
						isKey := a.Name == "PK" || a.Name == "GSI1PK"
						if has && isKey != strings.HasPrefix(a.Text, tenant) || !has && strings.HasPrefix(a.Text, "acme") {
							t.Errorf("%s is %q", a.Name, a.Text)
						}
					}
				}
			}
		}
		text, _ := page.HTML(nil)
		if has != strings.Contains(string(text), `<h4><code><span class="tenant">acme#</span>BOOK#`) {
			t.Errorf("with tenants %t, the page has other keys", has)
		}
	}
}
