package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// startDamaged starts the small shop with three more orders of user a, of which p is damaged as in testdata/check.
func startDamaged(t *testing.T, lines ...string) *shop {
	t.Helper()
	s := startEmptyShop(t)
	s.beyondDesign = true
	items := smallShop(t)
	for i, id := range []string{"n", "p", "q"} {
		at := time.Date(2026, time.January, 3+i, 0, 0, 0, 0, time.UTC)
		order, err := typed.StoredOrder(&model.Order{
			ID: keys.NewID("Order", id), UserID: keys.NewID("User", "a"), Status: model.OrderStatusPending, CreatedAt: at,
			Total: &model.Money{Amount: 100, Currency: "EUR"}, ItemCount: 1, Version: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		line, err := typed.StoredItem(&model.Item{
			OrderID: keys.NewID("Order", id), UserID: keys.NewID("User", "a"), Line: 1, Sku: "TEA", Name: "Tea", Quantity: 1,
			CreatedAt: at, Price: &model.Money{Amount: 100, Currency: "EUR"},
		})
		if err != nil {
			t.Fatal(err)
		}
		items = append(append(items, order...), line...)
	}
	s.Load(t, items...)
	for _, line := range lines {
		s.damageAs(t, line)
	}
	return s
}

// the keys of order p and of its copy, as in lines of testdata/check.
const (
	orderP = "ORDER#p ORDER#p "
	copyP  = "USER#a ORDER#2026-01-04T00:00:00.000Z#p "
)

// encodedIDs replaces texts such as "Order:p" in a document by global ids.
func encodedIDs(document string) string {
	parts := strings.Split(document, `"`)
	for i := 1; i < len(parts); i += 2 {
		if typ, raw, _ := strings.Cut(parts[i], ":"); typed.Design.Type(typ) != nil {
			parts[i] = keys.NewID(typ, strings.Split(raw, "/")...).Encode()
		}
	}
	return strings.Join(parts, `"`)
}

// askFor sends a document with texts such as "Order:p".
func (s *shop) askFor(t *testing.T, document string) answer {
	t.Helper()
	return s.ask(t, encodedIDs(document), nil)
}

// wantErrors compares the paths and codes of an answer's errors.
func (a answer) wantErrors(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, e := range a.Errors {
		got = append(got, fmt.Sprintf("%v %s", e.Path, e.Extensions.Code))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the errors are %q, want %q: %s", got, want, a.body)
	}
}

// rawIDs returns the raw values of the ids in a list.
func rawIDs(t *testing.T, list any, path ...any) []string {
	t.Helper()
	elements, isList := list.([]any)
	if !isList {
		t.Fatalf("%v is no list", list)
	}
	var raw []string
	for _, element := range elements {
		id, err := keys.ParseID(fmt.Sprint(gatewaytest.At(t, element, path...)))
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, id.Value())
	}
	return raw
}

// TestDamagedOrderInStaffList: one damaged order, whatever is wrong with it, does not keep the staff from reading the
// others that are pending, and paging continues behind it.
func TestDamagedOrderInStaffList(t *testing.T) {
	for name, line := range map[string]string{
		"enum":         "set " + orderP + "status=NEWER",
		"another type": "set " + orderP + "entityType=Newer",
		"no type":      "set " + orderP + "entityType:=",
	} {
		t.Run(name, func(t *testing.T) {
			code := loaders.CodeDamaged
			if name == "enum" {
				code = loaders.CodeUnreadable // It is selected, and never null.
			}
			s := startDamaged(t, line)
			const list = `ordersByStatus(status: PENDING, first: %d %s) {
				edges { cursor node { id } } nodes { id status } pageInfo { hasNextPage endCursor }
			}`
			a := s.askFor(t, "{"+fmt.Sprintf(list, 10, "")+"}")
			a.wantErrors(t, "[ordersByStatus] "+code)
			for _, path := range [][]any{{"edges", "node", "id"}, {"nodes", "id"}} {
				got := rawIDs(t, gatewaytest.At(t, a.Data, "ordersByStatus", path[0]), path[1:]...)
				if !slices.Equal(got, []string{"n", "q"}) {
					t.Errorf("%v are %v", path, got)
				}
			}
			if log := s.log.Take(); strings.Count(log, "pk=ORDER#p sk=ORDER#p") != 3 { // once for each gateway
				t.Errorf("the log is %q", log)
			}
			var found []string
			for after := ""; ; {
				a = s.askFor(t, "{"+fmt.Sprintf(list, 1, after)+"}")
				found = append(found, rawIDs(t, gatewaytest.At(t, a.Data, "ordersByStatus", "nodes"), "id")...)
				info := gatewaytest.At(t, a.Data, "ordersByStatus", "pageInfo")
				if gatewaytest.At(t, info, "hasNextPage") != true {
					break
				}
				after = fmt.Sprintf("after: %q", gatewaytest.At(t, info, "endCursor"))
			}
			if !slices.Equal(found, []string{"n", "q"}) {
				t.Errorf("the pages have %v", found)
			}
		})
	}
}

// TestDeviatingOrderInStaffList: an order that deviates in what is not selected is shown as any other, with the id of
// its key.
func TestDeviatingOrderInStaffList(t *testing.T) {
	for name, line := range map[string]string{
		"missing attribute":          "set " + orderP + "itemCount:=",
		"missing attribute of a key": "set " + orderP + "createdAt:=",
		"wrong type":                 "set " + orderP + "total=100",
		"fraction":                   "set " + orderP + "itemCount:=2.5",
		"Int":                        "set " + orderP + "version:=2147483648",
		"another id":                 "set " + orderP + "id=n",
		"no id":                      "set " + orderP + "id:=",
		"another time":               "set " + orderP + "createdAt=2026-01-05T00:00:00.000Z",
		"an entry that is behind":    "set " + orderP + "status=PAID",
	} {
		t.Run(name, func(t *testing.T) {
			s := startDamaged(t, line)
			a := s.askFor(t, `{ ordersByStatus(status: PENDING, first: 10) { nodes { id status customer { name } } } }`)
			a.wantErrors(t)
			nodes := gatewaytest.At(t, a.Data, "ordersByStatus", "nodes")
			if got := rawIDs(t, nodes, "id"); !slices.Equal(got, []string{"n", "p", "q"}) {
				t.Errorf("the orders are %v", got)
			}
			want := "PENDING"
			if name == "an entry that is behind" {
				want = "PAID"
			}
			if got := gatewaytest.At(t, nodes, 1, "status"); got != want {
				t.Errorf("the status is %v, want %s", got, want)
			}
		})
	}
}

// TestDamagedOrderAnywhere: what refers to a damaged order is answered, wherever it is.
func TestDamagedOrderAnywhere(t *testing.T) {
	s := startDamaged(t, "set "+orderP+"entityType=Newer", "set "+copyP+"entityType=Newer")
	s.wantAnswers(t, []wantedAnswer{
		{`{ order(id: "Order:p") { version } }`, `{"order":null}`, "[order] DAMAGED_ITEM"},
		{`{ node(id: "Order:p") { ... on Order { version } } }`, `{"node":null}`, "[node] DAMAGED_ITEM"},
		{
			`{ nodes(ids: ["Order:q", "Order:p"]) { ... on Order { status } } }`,
			`{"nodes":[{"status":"PENDING"},null]}`, "[nodes 1] DAMAGED_ITEM",
		},
		{
			`{ user(id: "User:a") { name orders(first: 2) { totalCount nodes { status } } } }`,
			`{"user":{"name":"a","orders":{"totalCount":1,"nodes":[{"status":"PENDING"}]}}}`,
			"[user orders] DAMAGED_ITEM",
		},
		{
			`{ ordersByProduct(sku: "TEA", createdAt: {from: "2026-01-03T00:00:00Z"}, first: 3) {
				edges { quantity node { status } } nodes { version }
			} }`,
			`{"ordersByProduct":{"edges":[{"quantity":1,"node":{"status":"PENDING"}},{"quantity":1,"node":null},` +
				`{"quantity":1,"node":{"status":"PENDING"}}],"nodes":[{"version":1},null,{"version":1}]}}`,
			"[ordersByProduct edges 1 node] DAMAGED_ITEM [ordersByProduct nodes 1] DAMAGED_ITEM",
		},
		{
			`{ node(id: "Item:p/1") { ... on Item { name order { version } } } }`,
			`{"node":{"name":"Tea","order":null}}`, "[node order] DAMAGED_ITEM",
		},
	})
}

// TestUnreadableFieldAnywhere: a field that cannot be read is an error where it is selected, wherever that is. What is
// in the way of a field that is never null is lost by the rules of GraphQL, but no list is.
func TestUnreadableFieldAnywhere(t *testing.T) {
	s := startDamaged(t, "set "+orderP+"status=NEWER", "set "+copyP+"status=NEWER", "set "+orderP+"version:=1.5")
	s.wantAnswers(t, []wantedAnswer{
		{`{ order(id: "Order:p") { itemCount } }`, `{"order":{"itemCount":1}}`, ""},
		{`{ order(id: "Order:p") { version } }`, `{"order":null}`, "[order version] UNREADABLE_FIELD"},
		{
			`{ nodes(ids: ["Order:q", "Order:p"]) { ... on Order { status } } }`,
			`{"nodes":[{"status":"PENDING"},null]}`, "[nodes 1 status] UNREADABLE_FIELD",
		},
		{
			`{ user(id: "User:a") { name orders(first: 2) { totalCount nodes { status } } } }`,
			`{"user":{"name":"a","orders":{"totalCount":1,"nodes":[{"status":"PENDING"}]}}}`,
			"[user orders] UNREADABLE_FIELD",
		},
		{
			`{ ordersByProduct(sku: "TEA", createdAt: {from: "2026-01-03T00:00:00Z"}, first: 3) {
				edges { quantity node { status } } nodes { itemCount }
			} }`,
			`{"ordersByProduct":{"edges":[{"quantity":1,"node":{"status":"PENDING"}},{"quantity":1,"node":null},` +
				`{"quantity":1,"node":{"status":"PENDING"}}],"nodes":[{"itemCount":1},{"itemCount":1},{"itemCount":1}]}}`,
			"[ordersByProduct edges 1 node status] UNREADABLE_FIELD",
		},
		{
			`mutation { updateOrderStatus(input: {orderId: "Order:p", version: 1, status: PAID}) {
				userErrors { code } order { status } } }`,
			`{"updateOrderStatus":{"userErrors":[{"code":"CONFLICT"}],"order":null}}`,
			"[updateOrderStatus order status] UNREADABLE_FIELD",
		},
	})
}

// wantedAnswer is the data of an operation's answer, and the paths and codes of its errors.
type wantedAnswer struct{ query, data, err string }

func (s *shop) wantAnswers(t *testing.T, answers []wantedAnswer) {
	t.Helper()
	for _, want := range answers {
		a := s.askFor(t, want.query)
		var errs []string
		for _, e := range a.Errors {
			errs = append(errs, fmt.Sprintf("%v %s", e.Path, e.Extensions.Code))
		}
		if !strings.Contains(a.body, `"data":`+want.data) || strings.Join(errs, " ") != want.err {
			t.Errorf("%s: %s", want.query, a.body)
		}
	}
}

// TestDamagedObjectInPayload: a mutation that was made is answered, without the damaged object.
func TestDamagedObjectInPayload(t *testing.T) {
	s := startDamaged(t, "set USER#c USER#c entityType=Newer")
	a := s.as(viewer.Viewer{ID: "a"}).askFor(t, `mutation {
		followUser(input: {followeeId: "User:c"}) { follow { followee { name } follower { name } } userErrors { code } }
	}`)
	a.wantErrors(t, "[followUser follow followee] DAMAGED_ITEM")
	if got := gatewaytest.At(t, a.Data, "followUser", "follow", "follower", "name"); got != "a" {
		t.Errorf("the follower is %v", got)
	}
}

// TestDamageIsHidden: those who may not read an object cannot distinguish a damaged one from one that does not exist.
func TestDamageIsHidden(t *testing.T) {
	for _, line := range []string{
		"set " + orderP + "status=NEWER", "set " + orderP + "userId:=", "set " + orderP + "entityType=Newer",
		"set " + orderP + "entityType=User", "set " + orderP + "id=q",
	} {
		s := startDamaged(t, line)
		for _, query := range []string{
			`{ order(id: "Order:%s") { version } }`,
			`{ node(id: "Order:%s") { ... on Order { version } } }`,
			`{ nodes(ids: ["Order:%s"]) { ... on Order { items(first: 1) { nodes { id } } } } }`,
			`{ node(id: "Order:%s") { ... on Order { customer { name } } } }`,
		} {
			for _, v := range []viewer.Viewer{{}, {ID: "b"}} {
				there := s.as(v).askFor(t, fmt.Sprintf(query, "p"))
				missing := s.as(v).askFor(t, fmt.Sprintf(query, "none"))
				if there.body != missing.body || len(there.Errors) != 1 || there.Errors[0].Extensions.Code != plan.CodeForbidden {
					t.Errorf("%s: %+v gets %s, and without the item %s", line, v, there.body, missing.body)
				}
			}
		}
	}
}

// TestCopyOfAnotherUser: an order of another user in a user's collection is shown to neither of them there, and its
// owner still reads it by its id.
func TestCopyOfAnotherUser(t *testing.T) {
	s := startDamaged(t, "set "+copyP+"userId=b", "set "+orderP+"userId=b")
	a := s.as(viewer.Viewer{ID: "a"}).askFor(t,
		`{ viewer { orders(first: 9) { nodes { id } edges { node { total { amount } } } pageInfo { hasNextPage } } } }`)
	a.wantErrors(t, "[viewer orders] DAMAGED_ITEM")
	got := rawIDs(t, gatewaytest.At(t, a.Data, "viewer", "orders", "nodes"), "id")
	if !slices.Equal(got, []string{"q", "n", "o"}) {
		t.Errorf("the orders are %v", got)
	}
	b := viewer.Viewer{ID: "b"}
	s.as(b).askFor(t, `{ user(id: "User:a") { orders(first: 9) { nodes { id } } } }`).
		wantErrors(t, "[user orders] FORBIDDEN")
	s.as(b).askFor(t, `{ order(id: "Order:p") { version } }`).wantErrors(t)
}

// TestMutationOfDamagedObject: a user whose item names another user cannot change that one.
func TestMutationOfDamagedObject(t *testing.T) {
	s := startDamaged(t, "set USER#c USER#c id=b")
	before := texts(s.content(t))
	a := s.as(viewer.Viewer{ID: "c"}).askFor(t,
		`mutation { updateUser(input: {version: 1, name: "Mallory"}) { user { id } userErrors { code } } }`)
	a.wantErrors(t, "[updateUser] DAMAGED_ITEM")
	if diff := cmp.Diff(before, texts(s.content(t))); diff != "" {
		t.Errorf("the table is changed: %s", diff)
	}
	if log := s.log.Take(); !strings.Contains(log, "pk=USER#c sk=USER#c") {
		t.Errorf("the log is %q", log)
	}
}

// TestNewerItemInCollection: an item of a type that this release does not know, in the collection of an owner.
func TestNewerItemInCollection(t *testing.T) {
	s := startDamaged(t, "put ORDER#o ITEM#0003 entityType=Newer", "set ORDER#o ITEM#0001 newer=x")
	for _, v := range []viewer.Viewer{{ID: "a"}, admin} {
		a := s.as(v).askFor(t, `{ order(id: "Order:o") { items(first: 5) { nodes { line } pageInfo { hasNextPage } } } }`)
		a.wantErrors(t, "[order items] "+loaders.CodeDamaged)
		lines, _ := gatewaytest.At(t, a.Data, "order", "items", "nodes").([]any)
		if len(lines) != 2 {
			t.Errorf("%+v reads %s", v, a.body)
		}
	}
}

// TestPagesBehindForeignItems: paging continues behind items whose keys are not those of the design.
func TestPagesBehindForeignItems(t *testing.T) {
	s := startDamaged(t, "put USER#a ORDER#? entityType=Newer", "put USER#a ORDER#2026-01-04 entityType=Newer",
		"put USER#a ORDER# entityType=Newer")
	for _, order := range []struct{ count, cursor, more, end string }{
		{"first", "after", "hasNextPage", "endCursor"}, {"last", "before", "hasPreviousPage", "startCursor"},
	} {
		var found []string
		args, missing := order.count+": 1", 0
		for {
			a := s.askFor(t, fmt.Sprintf(
				`{ user(id: "User:a") { orders(%s) { nodes { id } pageInfo { %s %s } } } }`, args, order.more, order.end))
			missing += len(a.Errors)
			page := gatewaytest.At(t, a.Data, "user", "orders")
			found = append(found, rawIDs(t, gatewaytest.At(t, page, "nodes"), "id")...)
			if gatewaytest.At(t, page, "pageInfo", order.more) != true {
				break
			}
			args = fmt.Sprintf("%s: 1, %s: %q", order.count, order.cursor, gatewaytest.At(t, page, "pageInfo", order.end))
		}
		slices.Sort(found)
		if !slices.Equal(found, []string{"n", "o", "p", "q"}) || missing != 3 {
			t.Errorf("%s: %v, and %d missing", order.count, found, missing)
		}
	}
}
