package systems

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// foreign is a server of an existing table, which a program has filled that knows nothing of Partita.
type foreign struct {
	*server
	// folder has the schema, the data and the queries.
	folder string
	items  []raw
	// object returns the object of an item, as a test has worked it out from the item alone; nil for a copy, and for
	// an item of no type of the schema.
	object func(raw) object
	// rejected reports whether the object of an item can be read but not written, because a value has the delimiter;
	// nil for none.
	rejected func(raw) bool
	// sharded is the attribute with shards that the other program has chosen in its own way; "" for none.
	sharded string
}

// raw is an item in DynamoDB JSON.
type raw map[string]map[string]any

// object is an object of an answer, with its type under __typename.
type object map[string]any

// startForeign returns a server of the table in testdata/foreign/name.
func startForeign(
	t *testing.T, name string, schema graphql.ExecutableSchema, design *design.Design, objectOf func(raw) object,
) *foreign {
	t.Helper()
	t.Parallel()
	f := &foreign{
		server: start(t, schema, design),
		folder: filepath.Join(os.Getenv("SYSTEMS"), "..", "foreign", name),
		object: objectOf,
	}
	data, err := os.ReadFile(filepath.Join(f.folder, "data.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	f.engine.LoadLines(t, bytes.NewReader(data))
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var line struct{ Item raw }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		f.items = append(f.items, line.Item)
	}
	return f
}

// check sends the queries of the folder, reads every object by its ID, and reads every connection by pages of all
// sizes.
func (f *foreign) check(t *testing.T, connections ...connection) {
	t.Helper()
	f.run(t, filepath.Join(f.folder, "queries.txt"))
	f.checkNodes(t)
	for _, c := range connections {
		t.Run(strings.NewReplacer(" PAGE", "", "(PAGE)", "", " SELECTION", "").Replace(c.query), func(t *testing.T) {
			f.checkPages(t, c)
		})
	}
}

// checkNodes reads every object that has an ID.
func (f *foreign) checkNodes(t *testing.T) {
	t.Helper()
	var want []object
	var ids []string
	for _, it := range f.items {
		if o := f.object(it); o != nil && o["id"] != nil {
			want = append(want, o)
			ids = append(ids, strconv.Quote(o["id"].(string)))
		}
	}
	if len(want) == 0 {
		t.Fatal("no item is an object")
	}
	for first := range slices.Chunk(indexes(len(want)), 100) {
		from, to := first[0], first[len(first)-1]+1
		query := "{ nodes(ids: [" + strings.Join(ids[from:to], ", ") + "]) " + selection(want[from:to]) + "}"
		for _, handler := range f.handlers() {
			answer, _ := execute(t, handler, query, "")
			var got struct{ Nodes []object }
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				t.Fatal(err, answer)
			}
			if len(got.Nodes) != to-from {
				t.Fatalf("%d of %d objects: %s", len(got.Nodes), to-from, answer)
			}
			for i, o := range want[from:to] {
				if !reflect.DeepEqual(got.Nodes[i], o) {
					t.Errorf("got  %v\nwant %v", got.Nodes[i], o)
				}
			}
		}
	}
}

// connection is a connection of the schema, and what it has according to the data.
type connection struct {
	// query has the connection with the argument PAGE and the selection SELECTION.
	query string
	// holds reports whether an item is in the collection, and sortKey is its position. Items with equal ones can be
	// in any order, but it must be the same for all sizes and directions.
	holds   func(raw) bool
	sortKey func(raw) string
	// descending is set for a connection that begins with the greatest sort key.
	descending bool
	// edge returns other fields of the edge; may be nil. node returns the node if it is not the object of the item.
	edge func(raw) object
	node func(raw) object
}

// checkPages compares the pages of all sizes, forwards and backwards, with the data.
func (f *foreign) checkPages(t *testing.T, c connection) {
	t.Helper()
	var edges, nodes []object
	sortKeys := map[string]string{} // by the JSON of the edge
	for _, it := range f.items {
		if !c.holds(it) {
			continue
		}
		edge := object{}
		if c.edge != nil {
			edge = c.edge(it)
		}
		node := f.object(it)
		if c.node != nil {
			node = c.node(it)
		}
		nodes = append(nodes, node)
		edge["node"] = node
		edges = append(edges, edge)
		sortKeys[asJSON(t, edge)] = c.sortKey(it)
	}
	if len(sortKeys) != len(edges) {
		t.Fatal("two edges of the test are equal")
	}
	fields := "cursor node " + selection(nodes)
	if len(edges) > 0 {
		fields += " " + strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(edges[0])), isNode), " ")
	}
	p := pager{f, t, strings.Replace(c.query, "SELECTION",
		"{ edges { "+fields+" } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }", 1)}

	all := p.forwards(false, 100)
	if len(all) != len(edges) {
		t.Fatalf("%d edges, and %d in the data", len(all), len(edges))
	}
	seen := map[string]bool{}
	for i, edge := range all {
		key, known := sortKeys[edge]
		if !known || seen[edge] {
			t.Errorf("edge %d is not in the data, or twice: %s", i, edge)
		}
		seen[edge] = true
		if i == 0 {
			continue
		}
		if previous := sortKeys[all[i-1]]; c.descending && key > previous || !c.descending && key < previous {
			t.Errorf("edge %d with %s is behind %s", i, key, previous)
		}
	}
	for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 100} {
		byGqlgen := size == 3 || size == 100
		if got := p.forwards(byGqlgen, size); !slices.Equal(got, all) {
			t.Errorf("pages of %d forwards: %v, not %v", size, got, all)
		}
		if got := p.backwards(byGqlgen, size); !slices.Equal(got, all) {
			t.Errorf("pages of %d backwards: %v, not %v", size, got, all)
		}
	}
}

// pager reads a connection page by page.
type pager struct {
	*foreign
	t     *testing.T
	query string
}

// page is a page of a connection.
type page struct {
	Edges    []map[string]any
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       string
	}
}

// forwards returns the JSON of all edges without their cursors.
func (p *pager) forwards(byGqlgen bool, size int) []string {
	p.t.Helper()
	var all []string
	for cursor := ""; ; {
		arguments := fmt.Sprintf("first: %d", size)
		if cursor != "" {
			arguments += ", after: $cursor"
		}
		page := p.page(byGqlgen, arguments, cursor)
		all = append(all, p.edges(page)...)
		if page.PageInfo.HasPreviousPage != (cursor != "") {
			p.t.Errorf("hasPreviousPage is %v with %s", page.PageInfo.HasPreviousPage, arguments)
		}
		if !page.PageInfo.HasNextPage {
			return all
		}
		p.isFull(page, size)
		cursor = page.PageInfo.EndCursor
	}
}

// backwards returns the same as forwards.
func (p *pager) backwards(byGqlgen bool, size int) []string {
	p.t.Helper()
	var all []string
	for cursor := ""; ; {
		arguments := fmt.Sprintf("last: %d", size)
		if cursor != "" {
			arguments += ", before: $cursor"
		}
		page := p.page(byGqlgen, arguments, cursor)
		all = append(p.edges(page), all...)
		if page.PageInfo.HasNextPage != (cursor != "") {
			p.t.Errorf("hasNextPage is %v with %s", page.PageInfo.HasNextPage, arguments)
		}
		if !page.PageInfo.HasPreviousPage {
			return all
		}
		p.isFull(page, size)
		cursor = page.PageInfo.StartCursor
	}
}

func (p *pager) isFull(page page, size int) {
	p.t.Helper()
	if len(page.Edges) != size {
		p.t.Fatalf("a page that is not the last one has %d of %d edges", len(page.Edges), size)
	}
}

// page returns the page with these arguments.
func (p *pager) page(byGqlgen bool, arguments, cursor string) page {
	p.t.Helper()
	handler := p.plan
	if byGqlgen {
		handler = p.gqlgen
	}
	answer, _ := execute(p.t, handler, withIDs(strings.Replace(p.query, "PAGE", arguments, 1)), cursor)
	var data map[string]any
	if err := json.Unmarshal([]byte(answer), &data); err != nil {
		p.t.Fatal(err, answer)
	}
	found := findPage(data)
	if found == nil || data["errors"] != nil {
		p.t.Fatalf("no page, or errors, for %s: %s", arguments, answer)
	}
	var page page
	if err := json.Unmarshal([]byte(asJSON(p.t, found)), &page); err != nil {
		p.t.Fatal(err)
	}
	return page
}

// findPage returns the connection in an answer.
func findPage(v any) any {
	fields, _ := v.(map[string]any)
	if fields["pageInfo"] != nil {
		return fields
	}
	for _, field := range fields {
		if found := findPage(field); found != nil {
			return found
		}
	}
	return nil
}

func (p *pager) edges(page page) []string {
	p.t.Helper()
	texts := make([]string, len(page.Edges))
	for i, edge := range page.Edges {
		delete(edge, "cursor")
		texts[i] = asJSON(p.t, edge)
	}
	return texts
}

// selection returns what selects all fields of the objects, by type.
func selection(objects []object) string {
	byType := map[string]string{}
	for _, o := range objects {
		byType[o["__typename"].(string)] = strings.Join(slices.Sorted(maps.Keys(o)), " ")
	}
	text := "{ __typename"
	for _, name := range slices.Sorted(maps.Keys(byType)) {
		text += " ... on " + name + " { " + byType[name] + " }"
	}
	return text + " }"
}

func (s *server) handlers() []http.Handler { return []http.Handler{s.plan, s.gqlgen} }

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func isNode(field string) bool { return field == "node" }

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// text returns a String or the digits of a Number; "" if the item has no such attribute.
func (r raw) text(name string) string {
	for _, v := range r[name] {
		return fmt.Sprint(v)
	}
	return ""
}

// orNull returns a String, or nil.
func (r raw) orNull(name string) any {
	if r[name] == nil {
		return nil
	}
	return r.text(name)
}

// number returns a Number, or a String of digits, as it is in JSON.
func (r raw) number(name string) float64 { return float(r.text(name)) }

// numberOrNull returns a Number, or nil.
func (r raw) numberOrNull(name string) any {
	if r[name] == nil {
		return nil
	}
	return r.number(name)
}

// inOrder returns a text for a number from -1e6 to 1e6: texts have the order of the numbers.
func inOrder(n float64) string { return fmt.Sprintf("%015.3f", n+1e6) }

// float returns the number that a text has, as it is in JSON.
func float(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// begins returns a function that reports whether an item has these attributes: pairs of a name and a beginning of
// the text.
func begins(pairs ...string) func(raw) bool {
	return func(r raw) bool {
		for pair := range slices.Chunk(pairs, 2) {
			if !strings.HasPrefix(r.text(pair[0]), pair[1]) {
				return false
			}
		}
		return true
	}
}

// id returns a global ID.
func id(typ string, values ...string) string { return keys.NewID(typ, values...).Encode() }

// cut returns the text behind a prefix, which it must have.
func cut(text, prefix string) string {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		panic(text + " does not begin with " + prefix)
	}
	return rest
}

// attribute returns a function that returns the text of an attribute.
func attribute(name string) func(raw) string {
	return func(r raw) string { return r.text(name) }
}

// utc returns a time or a day as it is in IDs and in keys of Partita.
func utc(text string) string {
	layout := time.RFC3339Nano
	if len(text) == len(time.DateOnly) {
		layout = time.DateOnly
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		panic(err)
	}
	return at.Format("2006-01-02T15:04:05.000Z")
}

// day returns the time of a day as it is in an answer.
func day(text string) string { return text + "T00:00:00Z" }

// epoch returns the time of so many seconds since 1970 as it is in an answer.
func epoch(seconds float64) string {
	return time.UnixMilli(int64(math.Round(seconds * 1000))).UTC().Format(time.RFC3339Nano)
}
