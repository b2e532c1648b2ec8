package resolvers_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

const (
	badID     = "this is not an id of this API; pass an id exactly as a response gave it"
	badUserID = "id is not an id of this API; pass an id of type User exactly as a response gave it"
	otherID   = "id is the id of another type; pass an id of type User"
	badCursor = "after is not a cursor of this connection; pass one that it returned for the same arguments, or none"
	badText   = "sku must not contain '#' or a control character"
	bothWays  = "give first (with after) to page forwards or last (with before) to page backwards, not both"
	badTime   = "createdAt.from: a time must be written as in RFC 3339, such as 2026-01-31T09:30:00.000Z"
	badYear   = ": a time must lie in the years 0000 to 9999"
)

// TestBadInput: the error for a wrong value is a message that does not repeat the value, at the field that has it,
// and the other fields are answered.
func TestBadInput(t *testing.T) {
	s := startShop(t)
	ada, order := demo.Ada().Encode(), ids("Order", 1)[0]
	const (
		user    = `query($v: ID!) { user(id: $v) { name } viewer { id } }`
		node    = `query($v: ID!) { node(id: $v) { id } viewer { id } }`
		product = `query($v: String!) { ordersByProduct(sku: $v, first: 1) { nodes { id } } }`
	)
	orders := func(arguments string) string {
		head := ""
		if strings.Contains(arguments, "$v") {
			head = "query($v: String)"
		}
		return fmt.Sprintf(`%s { user(id: %q) { name orders(%s) { nodes { id } } } }`, head, ada, arguments)
	}
	span := fmt.Sprintf(`query($v: TimeRange) { user(id: %q) { name
		orders(first: 1, createdAt: $v) { nodes { id } } } }`, ada)
	followers := s.must(t, fmt.Sprintf(`{ user(id: %q) { followers(first: 1) { pageInfo { endCursor } } } }`, ada), nil)
	foreign := gatewaytest.At(t, followers.Data, "user", "followers", "pageInfo", "endCursor")
	for _, tt := range []struct {
		name    string
		query   string
		value   any
		message string
		path    string
	}{
		{"garbage", user, "!!!", badUserID, "[user]"},
		{"the empty id", user, "", badUserID, "[user]"},
		{"a padded id", user, base64.URLEncoding.EncodeToString([]byte("User:77")), badUserID, "[user]"},
		{"an id with a line break", user, ada + "\n", badUserID, "[user]"},
		{"a raw id", user, demo.Ada().Value(), badUserID, "[user]"},
		{"a number", user, 57, badUserID, "[user]"},
		{"an order's id", user, order, otherID, "[user]"},
		{"an item's id", user, keys.NewID("Item", "7", "1").Encode(), otherID, "[user]"},
		{"a user of two values", user, keys.NewID("User", "7", "1").Encode(), badUserID, "[user]"},
		{"an unknown type's id", user, keys.NewID("Nobody", "7").Encode(), otherID, "[user]"},
		{
			"an id with a delimiter", user, keys.NewID("User", "a#b").Encode(),
			"id must not contain '#' or a control character", "[user]",
		},
		{"an id of nothing", user, keys.NewID("User", "").Encode(), "id must not be empty", "[user]"},
		{
			"an id without end", user, strings.Repeat("A", 20_000),
			"id: an id has at most 9216 bytes; pass an id exactly as a response gave it", "[user]",
		},
		{
			"an id longer than a key", user, keys.NewID("User", strings.Repeat("x", 1020)).Encode(),
			"the values are too long together: a sort key holds at most 1024 bytes", "[user]",
		},
		{"the id of null", user, nil, "Variable $v of type ID! must not be null.", "[]"},
		{"the id of a list", user, []string{ada}, "Variable $v must be an ID: a JSON string.", "[]"},

		{"a node of garbage", node, "!!!", badID, "[node]"},
		{"a node of an unknown type", node, keys.NewID("Nobody", "7").Encode(), badID, "[node]"},
		{"a node of a type that is not stored", node, keys.NewID("Money", "7").Encode(), badID, "[node]"},
		{"an item without a line", node, keys.NewID("Item", "7").Encode(), badID, "[node]"},
		{"an item with a padded line", node, keys.NewID("Item", "7", "0001").Encode(), badID, "[node]"},
		{"an item with a line too high", node, keys.NewID("Item", "7", "10000").Encode(), badID, "[node]"},
		{"a follow with a delimiter", node, keys.NewID("Follow", "7", "8#9").Encode(),
			"no object can be read by this id: a value in it contains '#', which joins the parts of keys", "[node]"},
		{
			"one bad node of three", `query($v: ID!) { nodes(ids: ["` + ada + `", $v, "` + order + `"]) { id } }`, "!!!",
			badID, "[nodes 1]",
		},
		{
			"too many nodes", `query($v: [ID!]!) { nodes(ids: $v) { id } }`, slices.Repeat([]string{ada}, 101),
			"ask for at most 100 ids at once", "[nodes]",
		},
		{
			"another user's type of id", fmt.Sprintf(`query($v: ID!) { user(id: %q) { name follows(userId: $v) { id } } }`,
				ada), order,
			"userId is the id of another type; pass an id of type User", "[user follows]",
		},

		{"a sku with a delimiter", product, "TEA#001", badText, "[ordersByProduct]"},
		{"a sku with a control character", product, "TEA\u0085", badText, "[ordersByProduct]"},
		{"a sku with the last code point", product, "TEA\U0010FFFF", badText, "[ordersByProduct]"},
		{"an empty sku", product, "", "sku must not be empty", "[ordersByProduct]"},
		{
			"a sku longer than a key", product, strings.Repeat("x", 2049), "sku is too long: a key holds at most 2048 bytes",
			"[ordersByProduct]",
		},
		{"a sku of a number", product, 57, "Variable $v must be a String: a JSON string.", "[]"},
		{
			"a status in lower case", `query($v: OrderStatus!) { ordersByStatus(status: $v, first: 1) { nodes { id } } }`,
			"pending",
			"Variable $v must be the name of a value of the enum OrderStatus.", "[]",
		},

		{"no direction", orders("createdAt: {}"), nil, "give first or last, from 0 to 100", "[user orders]"},
		{"both directions", orders("first: 1, last: 1"), nil, bothWays, "[user orders]"},
		{"a count and the other way's cursor", orders("first: 1, before: $v"), "!!!", bothWays, "[user orders]"},
		{"a negative count", orders("first: -1"), nil, "first must be from 0 to 100", "[user orders]"},
		{"a count too high", orders("last: 101"), nil, "last must be from 0 to 100", "[user orders]"},
		{"a cursor of garbage", orders("first: 1, after: $v"), "!!!", badCursor, "[user orders]"},
		{"an empty cursor", orders("after: $v"), "", badCursor, "[user orders]"},
		{"another connection's cursor", orders("first: 1, after: $v"), foreign, badCursor, "[user orders]"},
		{
			"a negative count beside a total", fmt.Sprintf(`{ user(id: %q) { name orders(first: -1) { totalCount } } }`, ada),
			nil,
			"first must be from 0 to 100", "[user orders]",
		},
		{
			"deep down", fmt.Sprintf(`{ a: user(id: %q) { b: orders(first: 1) { c:
				edges { d: node { e: items(first: 101) { nodes { id } } } } } } }`, ada), nil,
			"first must be from 0 to 100", "[a b c 0 d e]",
		},

		{"a time of a day", span, map[string]any{"from": "2026-01-31"}, badTime, "[user orders]"},
		{"an empty time", span, map[string]any{"from": ""}, badTime, "[user orders]"},
		{"a time of a number", span, map[string]any{"from": 2026}, badTime, "[user orders]"},
		{"a time without zone", span, map[string]any{"from": "2026-01-31 09:30:00"}, badTime, "[user orders]"},
		{"a day that does not exist", span, map[string]any{"from": "2026-02-30T00:00:00Z"}, badTime, "[user orders]"},
		{
			"a time of the year 10000 in UTC", span, map[string]any{"to": "9999-12-31T23:59:59-01:00"},
			"createdAt.to" + badYear, "[user orders]",
		},
		{
			"a time before the year 0 in UTC", span, map[string]any{"from": "0000-01-01T00:00:00+01:00"},
			"createdAt.from" + badYear,
			"[user orders]",
		},
		{
			"a span that is turned round", span, map[string]any{"from": "2026-02-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"},
			"createdAt.from must not be after createdAt.to", "[user orders]",
		},
		{
			"a span with more", span, map[string]any{"since": "2026-02-01T00:00:00Z"},
			"Variable $v has a field that the input type TimeRange does not have.", "[]",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := s.ask(t, tt.query, map[string]any{"v": tt.value})
			if len(a.Errors) != 1 {
				t.Fatalf("status %d, errors %+v", a.status, a.Errors)
			}
			e := a.Errors[0]
			if e.Message != tt.message || fmt.Sprint(e.Path) != tt.path || e.Extensions.Code != "BAD_USER_INPUT" {
				t.Errorf("got %q at %v with code %s", e.Message, e.Path, e.Extensions.Code)
			}
			if text, ok := tt.value.(string); ok && len(text) > 2 && strings.Contains(e.Message, text) {
				t.Error("the message repeats the value")
			}
			want := 294
			if tt.path == "[]" {
				want = http.StatusUnprocessableEntity
			}
			if a.status != want {
				t.Errorf("status %d, want %d", a.status, want)
			}
			if tt.path == "[user orders]" && gatewaytest.At(t, a.Data, "user", "name") != "Ada Lovelace" {
				t.Errorf("the field beside it has %v", a.Data)
			}
		})
	}
}

// TestSpanBetweenMilliseconds: no order can be in such a range, which is not an error.
func TestSpanBetweenMilliseconds(t *testing.T) {
	s := startShop(t)
	a := s.must(t, fmt.Sprintf(`{ user(id: %q) { 
		orders(first: 1, createdAt: {from: "2026-01-31T09:30:00.0001Z", to: "2026-01-31T09:30:00.0002Z"}) {
		nodes { id } pageInfo { hasNextPage } totalCount } } }`, demo.Ada().Encode()), nil)
	if nodes := gatewaytest.At(t, a.Data, "user", "orders", "nodes").([]any); len(nodes) > 0 ||
		gatewaytest.At(t, a.Data, "user", "orders", "pageInfo", "hasNextPage") == true {
		t.Errorf("got %v", a.Data)
	}
}

// FuzzInput sends texts wherever a caller can. None causes a request outside of the partitions that its field reads,
// an error that is not the caller's, or a panic.
func FuzzInput(f *testing.F) {
	s := startShop(f)
	ada := demo.Ada().Value()
	for _, text := range []string{
		"", "7", "#", "7#ORDER#", "$", "%", ":", "\x00", "7\n", "\u2028", "\xff", "\U0010FFFF", ada, demo.Ada().Encode(),
		"VXNlcjo3", "TEA-001",
		"2026-09-17T19:20:37.750Z#x", "9999-12-31T23:59:59.999Z#x", "$USER#" + ada, "a#b", strings.Repeat("x", 1020),
		strings.Repeat("€", 700),
	} {
		f.Add(text, "1")
		f.Add("7", text)
	}
	f.Fuzz(func(t *testing.T, text, other string) {
		// JSON, which contains the operation, has no other texts.
		text, other = strings.ToValidUTF8(text, "\uFFFD"), strings.ToValidUTF8(other, "\uFFFD")
		for _, try := range attempts(ada, text, other) {
			s.Proxy.Reset()
			a := s.ask(t, try.query, map[string]any{"v": try.value, "ada": demo.Ada().Encode()})
			for _, e := range a.Errors {
				if e.Extensions.Code != "BAD_USER_INPUT" {
					t.Errorf("%s with %q: %s: %s", try.query, try.value, e.Extensions.Code, e.Message)
				}
			}
			for _, request := range s.Proxy.Log() {
				if !slices.ContainsFunc(try.allowed, func(r *regexp.Regexp) bool { return r.MatchString(request) }) {
					t.Errorf("%s with %q sends %q", try.query, try.value, request)
				}
			}
		}
		if log := s.log.Take(); strings.Contains(log, "level=ERROR") {
			t.Error(log)
		}
	})
}

// TestForge: the gateway accepts the cursors that FuzzInput forges.
func TestForge(t *testing.T) {
	s := startShop(t)
	a := s.must(t, fmt.Sprintf(`{ user(id: %q) { orders(last: 1) { edges { cursor node { id createdAt } } } } }`,
		demo.Ada().Encode()), nil)
	edge := gatewaytest.At(t, a.Data, "user", "orders", "edges", 0)
	id, err := keys.ParseID(gatewaytest.At(t, edge, "node", "id").(string))
	if err != nil {
		t.Fatal(err)
	}
	created, err := time.Parse(time.RFC3339, gatewaytest.At(t, edge, "node", "createdAt").(string))
	if err != nil {
		t.Fatal(err)
	}
	sk := keys.SK("ORDER#" + created.Format(item.TimeLayout) + "#" + id.Value())
	forged := forge(ordersOf(demo.Ada().Value()), 0, "", keys.Key{SK: sk})
	if cursor := gatewaytest.At(t, edge, "cursor"); forged != cursor {
		t.Errorf("forged %v, want %v", forged, cursor)
	}
}

// attempt is an operation with a value of the caller's as $v, and the requests that it may cause.
type attempt struct {
	query, value string
	allowed      []*regexp.Regexp
}

func attempts(ada, text, other string) []attempt {
	// literally returns a pattern in which %s is replaced by a quoted value.
	literally := func(pattern string, values ...string) *regexp.Regexp {
		quoted := make([]any, len(values))
		for i, v := range values {
			if strings.Contains(v, "#") {
				return regexp.MustCompile(`^\b\B`) // A value with a delimiter is no part of any key.
			}
			quoted[i] = regexp.QuoteMeta(v)
		}
		return regexp.MustCompile(`^(?s:` + fmt.Sprintf(pattern, quoted...) + `)$`)
	}
	const (
		node    = `query($v: ID!) { node(id: $v) { id } }`
		orders  = `query($v: String!, $ada: ID!) { user(id: $ada) { orders(first: 2, after: $v) { nodes { id } } } }`
		pending = `query($v: String!) { ordersByStatus(status: PENDING, first: 2, after: $v) { nodes { id } } }`
	)
	allPending := typed.QueryOrdersByStatus(model.OrderStatusPending, nil)
	profile := literally(`GetItem USER#%s USER#%[1]s`, ada)
	ordersOfAda := literally(`Query PK = USER#%s, (begins_with\(SK, ORDER#\)|SK BETWEEN ORDER#.* AND `+
		`(ORDER\$|USER#%[1]s)), descending, limit \d+(, after ORDER#.*)?`, ada)
	shards := literally(`Query GSI1: GSI1PK = STATUS#PENDING#[0-3], .*limit 3.*`)
	line := other
	if n, err := strconv.Atoi(other); err == nil {
		line = fmt.Sprintf("%04d", n)
	}
	var gets []*regexp.Regexp
	if id, err := keys.ParseID(text); err == nil && len(id.Values()) == 1 {
		v := id.Values()[0]
		gets = append(gets, literally(`GetItem USER#%s USER#%[1]s`, v), literally(`GetItem ORDER#%s ORDER#%[1]s`, v))
	}
	return []attempt{
		{node, text, gets},
		{node, keys.NewID("User", text).Encode(), []*regexp.Regexp{literally(`GetItem USER#%s USER#%[1]s`, text)}},
		{node, keys.NewID("Order", text).Encode(), []*regexp.Regexp{literally(`GetItem ORDER#%s ORDER#%[1]s`, text)}},
		{node, keys.NewID("Item", text, other).Encode(), []*regexp.Regexp{literally(`GetItem ORDER#%s ITEM#%s`, text, line)}},
		{
			node, keys.NewID("Follow", text, other).Encode(), []*regexp.Regexp{literally(`GetItem USER#%s FOLLOWS#%s`, text,
				other)},
		},
		{
			`query($v: ID!) { user(id: $v) { name } }`, keys.NewID("User", text).Encode(),
			[]*regexp.Regexp{literally(`GetItem USER#%s USER#%[1]s`, text)},
		},
		{
			`query($v: ID!, $ada: ID!) { user(id: $ada) { follows(userId: $v) { id } } }`, keys.NewID("User", text).Encode(),
			[]*regexp.Regexp{profile, literally(`BatchGetItem USER#%[1]s USER#%[1]s, USER#%[1]s FOLLOWS#%[2]s`, ada, text),
				literally(`BatchGetItem USER#%[1]s FOLLOWS#%[2]s, USER#%[1]s USER#%[1]s`, ada, text)},
		},
		{
			`query($v: String!) { userByEmail(email: $v) { id } }`, text,
			[]*regexp.Regexp{literally(`Query GSI1: GSI1PK = EMAIL#%s, begins_with\(GSI1SK, USER#\), limit 1`, text)},
		},
		{
			`query($v: String!) { ordersByProduct(sku: $v, first: 1) { nodes { id } } }`, text,
			[]*regexp.Regexp{literally(`Query GSI1: GSI1PK = PRODUCT#%s, limit 2`, text),
				literally(`GetItem ORDER#[0-9a-f-]+ ORDER#[0-9a-f-]+`)},
		},
		{orders, text, []*regexp.Regexp{profile, ordersOfAda}},
		{orders, forge(ordersOf(ada), 0, "", keys.Key{SK: keys.SK("ORDER#" + text)}), []*regexp.Regexp{profile, ordersOfAda}},
		{pending, text, []*regexp.Regexp{shards}},
		{
			pending, forge(allPending, 0, text, keys.Key{PK: keys.PK("ORDER#" + other), SK: keys.SK("ORDER#" + other)}),
			[]*regexp.Regexp{shards},
		},
		{
			pending, forge(allPending, 1, "2026-01-01T00:00:00.000Z#7", keys.Key{PK: "ORDER#7", SK: keys.SK(text)}),
			[]*regexp.Regexp{shards},
		},
	}
}

// forge returns the cursor of an item that need not exist, with its sort key in the field's table or index and its
// primary key. The gateways of these tests have no secret for cursors.
func forge(field design.BoundField, partition int, sk string, key keys.Key) string {
	c, err := field.Condition()
	if err != nil {
		panic(err) // the arguments are valid
	}
	it := item.Item{
		{Name: keys.AttributePK, Value: item.StringValue(string(key.PK))},
		{Name: keys.AttributeSK, Value: item.StringValue(string(key.SK))},
	}
	if index := c.Field.Index; index != "" {
		it = append(it, item.Attribute{Name: keys.IndexSK(index), Value: item.StringValue(sk)})
	}
	return c.Cursor(partition, it)
}

func ordersOf(user string) design.BoundField { return typed.UserOrders(keys.NewID("User", user), nil) }
