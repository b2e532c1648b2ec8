package designpage_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/net/html"

	"github.com/partita/partita/internal/designpage"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
)

// element is a start tag of a page.
type element struct {
	name       string
	attributes map[string]string
}

// isVoid are the elements without an end tag.
var isVoid = map[string]bool{"meta": true}

// parse returns the elements of a page, whose tags must be nested and closed.
func parse(t *testing.T, text string) []element {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(text))
	var all []element
	var open []string
	for tokens.Next() != html.ErrorToken {
		switch token := tokens.Token(); token.Type {
		case html.StartTagToken:
			e := element{token.Data, map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Key] = a.Val
			}
			if all = append(all, e); !isVoid[e.name] {
				open = append(open, e.name)
			}
		case html.EndTagToken:
			if last := open[len(open)-1]; last != token.Data {
				t.Fatalf("<%s> is closed by </%s>", last, token.Data)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
	return all
}

// TestHTML: the page is well-formed, each of its links leads somewhere, and a file refers to no other one.
func TestHTML(t *testing.T) {
	page := designpage.New(designpage.Options{Title: "billing"}, designpage.ReadFolder(t, "../../examples/billing"))
	text, policy := page.HTML(nil)
	elements := parse(t, string(text))
	var ids []string
	for _, e := range elements {
		if id := e.attributes["id"]; id != "" {
			if slices.Contains(ids, id) {
				t.Errorf("the id %s is twice in the page", id)
			}
			ids = append(ids, id)
		}
		for _, name := range []string{"src", "style", "onclick"} {
			if _, has := e.attributes[name]; has {
				t.Errorf("<%s> has the attribute %s", e.name, name)
			}
		}
	}
	links := 0
	for _, e := range elements {
		to, is := e.attributes["href"]
		if !is {
			continue
		}
		links++
		if id, isHere := strings.CutPrefix(to, "#"); !isHere || !slices.Contains(ids, id) {
			t.Errorf("a link leads to %s", to)
		}
	}
	if links < 50 {
		t.Errorf("the page has %d links", links)
	}
	if regexp.MustCompile(`https?:|url\(|@import|fetch\(`).Match(text) {
		t.Error("the file refers to something else")
	}
	hasPolicy := func(e element) bool { return e.name == "meta" && e.attributes["content"] == policy }
	if !slices.ContainsFunc(elements, hasPolicy) {
		t.Errorf("the page lacks its policy %s", policy)
	}
}

// TestBar: in a gateway, the page leads to the others.
func TestBar(t *testing.T) {
	links := []playground.Link{{Path: "/design", Name: "Design", IsCurrent: true}, {Path: "/table", Name: "Table"}}
	s := designpage.ReadFolder(t, "../../examples/billing")
	text, _ := designpage.New(designpage.Options{Title: "billing"}, s).HTML(links)
	for _, want := range []string{`<a href="/design" aria-current="page">Design</a>`, `<a href="/table">Table</a>`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

const books = `
type Query {
  book(isbn: String!): Book @get(pk: "BOOK#{isbn}", sk: "BOOK")
  newest(shelf: String!): BookConnection @query(index: "GSI1", pk: "S&H#{shelf}", order: DESC)
}

"A book. It has pages."
type Book implements Node @item(pk: "BOOK#{isbn}", sk: "BOOK", maxBytes: 1000)
  @index(pk: "S&H#{shelf}", sk: "{addedAt}#{isbn}")
  @copy(pk: "TITLE#{title}", sk: "{isbn}") {
  id: ID!
  isbn: String!
  "Such as ` + "`<Tea & Coffee>`" + `."
  title: String!
  shelf: String!
  addedAt: Time!
  kind: Kind!
}

enum Kind { PAPER AUDIO }
`

// load returns the version and the design of a schema.
func load(t *testing.T, text string) (contract.Version, *directives.Schema) {
	t.Helper()
	v, err := contract.Load(&ast.Source{Name: "schema.graphqls", Input: text})
	if err != nil {
		t.Fatal(err)
	}
	s, err := directives.Read(v.Source)
	if err != nil {
		t.Fatal(err)
	}
	return v, s
}

// rowsOf returns how many examples each pattern of a schema reads.
func rowsOf(s *directives.Schema) map[string]int {
	rows := map[string]int{}
	for _, g := range designpage.New(designpage.Options{}, s).Groups {
		for _, p := range g.Patterns {
			rows[p.Name] = p.Rows
		}
	}
	return rows
}

// TestBuckets: a pattern with one time reads all examples in its bucket.
func TestBuckets(t *testing.T) {
	_, s := load(t, `
type Query {
  device(id: ID!): Device @get(pk: "DEVICE#{id}", sk: "DEVICE")
  month(deviceId: ID!, at: Time!): ReadingConnection @query(pk: "DEVICE#{deviceId}#{at:month}", sk: "AT#")
  moment(deviceId: ID!, at: Time!): Reading @get(pk: "DEVICE#{deviceId}#{at:month}", sk: "AT#{at}")
}
type Device implements Node @item(pk: "DEVICE#{id}", sk: "DEVICE") { id: ID! }
type Reading implements Node @item(pk: "DEVICE#{deviceId}#{at:month}", sk: "AT#{at}") {
  id: ID!
  deviceId: ID!
  at: Time!
}
`)
	if rows := rowsOf(s); rows["month"] != 2 || rows["moment"] != 1 {
		t.Errorf("got %v", rows)
	}
}

// TestConstants: a pattern with a value in its key reads only the examples that have it.
func TestConstants(t *testing.T) {
	_, s := load(t, strings.NewReplacer(
		"newest(shelf: String!)", "audio", `pk: "S&H#{shelf}", order: DESC)`, `pk: "KIND#AUDIO")
  paper: BookConnection @query(index: "GSI1", pk: "KIND#PAPER")`, `pk: "S&H#{shelf}"`, `shards: 1, pk: "KIND#{kind}"`,
	).Replace(books))
	if rows := rowsOf(s); rows["paper"] != 2 || rows["audio"] != 0 {
		t.Errorf("got %v", rows)
	}
}

// TestCompare: what a change adds, changes and removes is on the page, and nothing else.
func TestCompare(t *testing.T) {
	base, before := load(t, books)
	head, after := load(t, strings.NewReplacer(
		"maxBytes: 1000", "maxBytes: 2000", `@copy(pk: "TITLE#{title}", sk: "{isbn}")`, "",
		"book(isbn", "find(isbn", "BookConnection @query", `BookConnection @allow(to: ["STAFF"]) @query`).Replace(books))
	page := designpage.New(designpage.Options{Title: "books"}, after)
	page.Compare("main", designpage.New(designpage.Options{}, before), contract.Compare(base, head))
	var got strings.Builder
	for _, section := range page.Changes.Sections() {
		for _, c := range section.Changes {
			got.WriteString(section.Title + ": " + c.What.Text + " " + c.Kind + "\n")
			for _, l := range c.Lines {
				got.WriteString("  " + l.Part + ": " + l.Was + " -> " + l.Is + "\n")
			}
		}
	}
	golden(t, "compare.txt", got.String()+page.Changes.API.String())
	text, _ := page.HTML(nil)
	parse(t, string(text))
	for _, want := range []string{
		`What has changed since <code>main</code>`, `<span class="since new">new</span>`,
		`<dd>&lt;Tea &amp; Coffee&gt;</dd>`, `<td><code>S&amp;H#{shelf}</code></td>`, `>A book. <`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	page.Compare("main", designpage.New(designpage.Options{}, after), nil)
	if !page.Changes.IsEmpty() {
		t.Errorf("a schema has changed since itself: %v", page.Changes.Sections())
	}
}
