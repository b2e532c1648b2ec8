package resolvers_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// TestAccess goes each way that the schema has from one type to another, as four
// viewers, and compares what each of them sees of the object there, and how many
// requests that takes, with testdata/access. Every object is Ada's, or reached
// from one of hers: she is the owner.
func TestAccess(t *testing.T) {
	s := startShop(t)
	viewers := []struct {
		name string
		viewer.Viewer
	}{
		{"anonymous", viewer.Viewer{}},
		{"owner", viewer.Viewer{ID: demo.Ada().Value()}},
		{"other", viewer.Viewer{ID: otherUser(t).Value(), Roles: []string{"STAFF"}}},
		{"admin", viewer.Viewer{ID: "admin", Roles: []string{"ADMIN"}}},
	}
	var got strings.Builder
	for _, way := range ways(t) {
		fmt.Fprintf(&got, "%s\n", way)
		for _, v := range viewers {
			s.Proxy.Reset()
			a := s.as(v.Viewer).ask(t, way.query(), nil)
			fmt.Fprintf(&got, "  %-10s %s; %s\n", v.name, way.seen(a), counted(s.Proxy.Counts().Total()))
		}
	}
	datadriven.RunTest(t, filepath.Join("testdata", "access"), func(*testing.T, *datadriven.TestData) string { return got.String() })
}

func counted(requests int) string {
	if requests == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", requests)
}

// otherUser owns nothing that the ways lead to.
func otherUser(t *testing.T) keys.ID {
	t.Helper()
	id, err := keys.ParseID(ids("User", 150)[149])
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// way leads from the root to an object: the last of its steps.
type way []step

type step struct {
	parent, field string
	// text is the field with its arguments.
	text string
	// object is the type that the field then has, fragment whether it must be named.
	object   *ast.Definition
	fragment bool
}

func (w way) String() string {
	names := []string{}
	for _, s := range w {
		name := s.field
		if s.fragment {
			name += "(" + s.object.Name + ")"
		}
		names = append(names, name)
	}
	last := w[len(w)-1]
	return last.parent + "." + last.field + " -> " + last.object.Name + ", by " + strings.Join(names, ".")
}

// ways are all fields of objects that lead to another object: of an object with an
// id by the shortest way to one, of pages and edges by all ways.
func ways(t *testing.T) []way {
	t.Helper()
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	known := map[string]bool{}
	all := waysFrom(t, schema, schema.Query, nil)
	for i := 0; i < len(all); i++ {
		object := all[i][len(all[i])-1].object
		if !known[object.Name] || !slices.Contains(object.Interfaces, "Node") {
			known[object.Name] = true
			all = append(all, waysFrom(t, schema, object, all[i])...)
		}
	}
	return all
}

func waysFrom(t *testing.T, schema *ast.Schema, parent *ast.Definition, to way) []way {
	t.Helper()
	var all []way
	for _, f := range parent.Fields {
		def := schema.Types[f.Type.Name()]
		if strings.HasPrefix(f.Name, "__") || !def.IsCompositeType() {
			continue
		}
		possible := slices.Clone(schema.GetPossibleTypes(def))
		slices.SortFunc(possible, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
		for _, object := range possible {
			all = append(all, append(slices.Clone(to), step{
				parent: parent.Name, field: f.Name, text: f.Name + argumentsOf(t, parent, f, object),
				object: object, fragment: def.IsAbstractType(),
			}))
		}
	}
	return all
}

// argumentsOf are arguments with which the field leads to an object.
func argumentsOf(t *testing.T, parent *ast.Definition, f *ast.FieldDefinition, object *ast.Definition) string {
	t.Helper()
	var texts []string
	for _, a := range f.Arguments {
		switch a.Name {
		case "first":
			texts = append(texts, "first: 2")
		case "id":
			texts = append(texts, fmt.Sprintf("id: %q", ids(object.Name, 1)[0]))
		case "ids":
			texts = append(texts, fmt.Sprintf("ids: [%q]", ids(object.Name, 1)[0]))
		case "userId":
			follow, err := keys.ParseID(ids("Follow", 1)[0])
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, fmt.Sprintf("userId: %q", keys.NewID("User", follow.Values()[1]).Encode()))
		case "email":
			texts = append(texts, `email: "ada@example.com"`)
		case "status":
			texts = append(texts, "status: DELIVERED")
		case "sku":
			texts = append(texts, `sku: "TEA-001"`)
		default:
			if a.Type.NonNull {
				t.Fatalf("%s.%s: which %s leads to an object?", parent.Name, f.Name, a.Name)
			}
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// leaves are the fields of the way's object that are no objects.
func (w way) leaves() []string {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	var names []string
	for _, f := range w[len(w)-1].object.Fields {
		if !schema.Types[f.Type.Name()].IsCompositeType() {
			names = append(names, f.Name)
		}
	}
	return names
}

func (w way) query() string {
	text := "__typename " + strings.Join(w.leaves(), " ")
	for _, s := range slices.Backward(w) {
		if s.fragment {
			text = "... on " + s.object.Name + " { " + text + " }"
		}
		text = s.text + " { " + text + " }"
	}
	return "{ " + text + " }"
}

// seen is what an answer shows of the way's object.
func (w way) seen(a answer) string {
	var value any = a.Data
	var path []any
	down := func(key string) {
		path = append(path, key)
		object, _ := value.(map[string]any)
		value = object[key]
		for {
			list, is := value.([]any)
			if !is || len(list) == 0 {
				return
			}
			path, value = append(path, 0), list[0]
		}
	}
	for _, s := range w {
		if down(s.field); value == nil {
			return why(a, path) + " at " + s.parent + "." + s.field
		}
	}
	object, at := value, path
	var hidden []string
	for _, name := range w.leaves() {
		value, path = object, slices.Clone(at)
		if down(name); value == nil {
			hidden = append(hidden, name+" "+why(a, path))
		}
	}
	if len(hidden) == 0 {
		return "all"
	}
	return "all but " + strings.Join(hidden, ", ")
}

// why is the code of the error at or below a path.
func why(a answer, path []any) string {
	for _, e := range a.Errors {
		if strings.HasPrefix(fmt.Sprint(e.Path...)+" ", strings.TrimSuffix(fmt.Sprint(path...), "0")) {
			return e.Extensions.Code
		}
	}
	return "null"
}

// TestAccessBySelection: however a field is selected, its rule holds, and what
// stands beside it is answered.
func TestAccessBySelection(t *testing.T) {
	s := startShop(t)
	nobody, ada := s.as(viewer.Viewer{}), s.as(viewer.Viewer{ID: demo.Ada().Value()})
	for _, query := range []string{
		`query($id: ID!) { user(id: $id) { name x: email } }`,
		`query($id: ID!) { user(id: $id) { name ...F } } fragment F on User { x: email }`,
		`query($id: ID!) { user(id: $id) { name ... on Node { ... on User { x: email } } } }`,
		`query($id: ID!) { user: node(id: $id) { ... on User { name x: email } } }`,
		`query($id: ID!) { user(id: $id) { name x: email y: email @skip(if: true) } again: user(id: $id) { z: email } }`,
		`query($id: ID!) { user(id: $id) { name x: orders(first: 1) { nodes { id } } } }`,
		`query($id: ID!) { user(id: $id) { name x: orders { totalCount } } }`,
		`query($id: ID!) { user(id: $id) { name x: orders(first: -1) { totalCount } } }`,
	} {
		variables := map[string]any{"id": demo.Ada().Encode()}
		a := nobody.ask(t, query, variables)
		if at(t, a.Data, "user", "name") == nil || at(t, a.Data, "user", "x") != nil {
			t.Errorf("%s: an anonymous caller gets %v", query, a.Data)
		}
		for _, e := range a.Errors {
			if e.Extensions.Code != "FORBIDDEN" {
				t.Errorf("%s: an anonymous caller gets %+v", query, e)
			}
		}
		if a := ada.ask(t, query, variables); len(a.Errors) > 0 && a.Errors[0].Extensions.Code == "FORBIDDEN" {
			t.Errorf("%s: the owner gets %+v", query, a.Errors)
		}
	}
}

// TestAccessTellsNothing: to who may not see an object, the answer is the same to
// the byte whether there is one or not, what it has cost included.
func TestAccessTellsNothing(t *testing.T) {
	s := startShop(t)
	order, line := ids("Order", 1)[0], ids("Item", 1)[0]
	noOrder := keys.NewID("Order", "01999ece-0000-7000-8000-00000000dead").Encode()
	noLine := keys.NewID("Item", "01999ece-0000-7000-8000-00000000dead", "1").Encode()
	for _, v := range []viewer.Viewer{{}, {ID: otherUser(t).Value()}} {
		for _, query := range []string{
			`query($id: ID!) { order(id: $id) { id status } }`,
			`query($id: ID!) { order(id: $id) { id } }`,
			`query($id: ID!) { order(id: $id) { status items(first: 96) { nodes { sku } } customer { name } } }`,
			`query($id: ID!) { node(id: $id) { id ... on Order { items(first: 3) { __typename } } } }`,
			`query($id: ID!) { nodes(ids: [$id]) { id __typename } }`,
			`query($id: ID!) { a: order(id: $id) { id } b: node(id: $id) { id } viewer { name } }`,
			`query($line: ID!) { node(id: $line) { ... on Item { sku order { status } } } }`,
		} {
			there := s.as(v).ask(t, query, map[string]any{"id": order, "line": line})
			missing := s.as(v).ask(t, query, map[string]any{"id": noOrder, "line": noLine})
			if !reflect.DeepEqual(there, missing) {
				t.Errorf("%+v: %s tells that there is an object:\n%+v\n%+v", v, query, there, missing)
			}
			if len(there.Errors) == 0 {
				t.Errorf("%+v: %s has no error", v, query)
			}
		}
	}
}

// TestAccessOfNothing: an anonymous caller is refused without a request.
func TestAccessOfNothing(t *testing.T) {
	s := startShop(t)
	s.Proxy.Reset()
	a := s.as(viewer.Viewer{}).ask(t, `query($orders: [ID!]!, $order: ID!) {
		nodes(ids: $orders) { id } order(id: $order) { items(first: 9) { nodes { order { customer { orders(first: 9) { nodes { id } } } } } } }
		ordersByStatus(status: PENDING, first: 9) { nodes { id } } userByEmail(email: "ada@example.com") { id } viewer { orders(first: 9) { nodes { id } } }
	}`, map[string]any{"orders": ids("Order", 10), "order": ids("Order", 1)[0]})
	if n := s.Proxy.Counts().Total(); n != 0 {
		t.Errorf("%d requests:\n%s", n, strings.Join(s.Proxy.Log(), "\n"))
	}
	if len(a.Errors) != 13 {
		t.Errorf("%d errors, want one for each of the ids and of three fields: %+v", len(a.Errors), a.Errors)
	}
	for i := range 10 {
		if at(t, a.Data, "nodes", i) != nil {
			t.Errorf("nodes[%d] is %v", i, a.Data)
		}
	}
}

// TestAccessBesideWhatIsSeen: of what is asked for together, only what may be seen
// is read.
func TestAccessBesideWhatIsSeen(t *testing.T) {
	s := startShop(t)
	ada := demo.Ada().Value()
	s.Proxy.Reset()
	a := s.as(viewer.Viewer{}).ask(t, `query($id: ID!, $order: ID!, $nodes: [ID!]!) {
		user(id: $id) { name email orders(first: 9) { nodes { id items(first: 9) { nodes { sku } } } } }
		order(id: $order) { id items(first: 9) { nodes { sku } } } nodes(ids: $nodes) { id ... on Order { status } }
		ordersByProduct(sku: "TEA-001", first: 9) { nodes { id } }
	}`, map[string]any{"id": demo.Ada().Encode(), "order": ids("Order", 1)[0], "nodes": ids("Order", 10)})
	if got, want := s.Proxy.Log(), []string{"GetItem USER#" + ada + " USER#" + ada}; !slices.Equal(got, want) {
		t.Errorf("requests %q, want %q", got, want)
	}
	if at(t, a.Data, "user", "name") == nil || len(a.Errors) != 14 {
		t.Errorf("got %+v", a)
	}
	// Of another's order only the order itself is read, since it alone tells whose it is.
	s.Proxy.Reset()
	s.as(viewer.Viewer{ID: otherUser(t).Value()}).ask(t, `query($order: ID!) { order(id: $order) { items(first: 9) { nodes { sku } } customer { name } } }`,
		map[string]any{"order": ids("Order", 1)[0]})
	if log := s.Proxy.Log(); len(log) != 1 || !strings.HasPrefix(log[0], "GetItem ORDER#") {
		t.Errorf("requests %q, want those of the order alone", log)
	}
}

// TestAccessOfPages: a page with anything in it that the viewer may not see is
// refused as a whole.
func TestAccessOfPages(t *testing.T) {
	s := startShop(t)
	id, err := keys.ParseID(ids("Order", 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	forms, err := typed.StoredItem(&model.Item{OrderID: id, UserID: otherUser(t), Line: 90, Sku: "TEA-001", Name: "?", Quantity: 1, Price: &model.Money{Currency: "EUR"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Load(t, forms...)
	const query = `query($id: ID!, $n: Int!) { order(id: $id) { status items(first: $n) { edges { cursor } nodes { sku customer { name } } } } }`
	ada := s.as(viewer.Viewer{ID: demo.Ada().Value()})
	a := ada.ask(t, query, map[string]any{"id": id.Encode(), "n": 100})
	if len(a.Errors) != 1 || fmt.Sprint(a.Errors[0].Path, a.Errors[0].Extensions.Code) != "[order items]FORBIDDEN" || at(t, a.Data, "order", "status") == nil {
		t.Errorf("got %+v", a)
	}
	if a := ada.must(t, query, map[string]any{"id": id.Encode(), "n": 1}); len(at(t, a.Data, "order", "items", "nodes").([]any)) != 1 {
		t.Errorf("a page before it: %+v", a)
	}
	s.must(t, query, map[string]any{"id": id.Encode(), "n": 100})
}

// TestAccessTellsNothingByLimits: what may not be seen counts towards the limits of
// an operation whether or not it is there.
func TestAccessTellsNothingByLimits(t *testing.T) {
	s := startShopWith(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxObjects = 4 })
	other := s.as(viewer.Viewer{ID: otherUser(t).Value()})
	const query = `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on User { follower: followers(first: 1) { nodes { name } } } } }`
	order, missing := ids("Order", 1)[0], keys.NewID("Order", "01999ece-0000-7000-8000-00000000dead").Encode()
	there := other.ask(t, query, map[string]any{"ids": []string{demo.Ada().Encode(), order}})
	none := other.ask(t, query, map[string]any{"ids": []string{demo.Ada().Encode(), missing}})
	if !reflect.DeepEqual(there, none) {
		t.Errorf("a limit tells that there is an object:\n%+v\n%+v", there, none)
	}
}
