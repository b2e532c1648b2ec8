package design_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// shop is a design with each kind of field: by hand, as the generator would
// write it.
var shop = design.MustDesign(nil, shopTypes(), shopFields())

func shape(pk, sk string) keys.Shape {
	return keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}
}

func index(pk, sk string, shards int) []design.Index {
	return []design.Index{{Name: "GSI1", Shape: shape(pk, sk), Shards: shards}}
}

func shopTypes() []*design.Type {
	return []*design.Type{
		{
			Name: "User", Identity: []string{"id"}, Item: shape("USER#{id}", "USER#{id}"),
			Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind}, {Name: "email", Kind: keys.String}},
			Indexes:    index("EMAIL#{email}", "USER#{id}", 1),
		},
		{
			Name: "Order", Identity: []string{"id"}, Item: shape("ORDER#{id}", "ORDER#{id}"),
			Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind}, {Name: "userId", Kind: keys.IDKind, Ref: "User"}},
			Copies:     []design.Copy{{Shape: shape("USER#{userId}", "ORDER#{createdAt}#{id}")}},
			Indexes:    index("STATUS#{status}", "{createdAt}#{id}", 4),
		},
		{
			Name: "Item", Identity: []string{"orderId", "line"}, Item: shape("ORDER#{orderId}", "ITEM#{line:04}"),
			Attributes: []design.Attribute{{Name: "orderId", Kind: keys.IDKind, Ref: "Order"}, {Name: "line", Kind: keys.Int}},
			Indexes:    index("PRODUCT#{sku}", "{createdAt}#{orderId}", 1),
		},
		{
			Name: "Follow", Identity: []string{"followerId", "followeeId"},
			Item: shape("USER#{followerId}", "FOLLOWS#{followeeId}"),
			Attributes: []design.Attribute{
				{Name: "followerId", Kind: keys.IDKind, Ref: "User"},
				{Name: "followeeId", Kind: keys.IDKind, Ref: "User"},
			},
			Copies: []design.Copy{{Shape: shape("USER#{followeeId}", "FOLLOWED_BY#{followerId}")}},
		},
		{
			Name: "Store", Identity: []string{"chain", "country", "state", "city", "id"},
			Item: shape("CHAIN#{chain}", "COUNTRY#{country}#STATE#{state}#CITY#{city}#{id}"),
		},
		{
			Name: "Reading", Identity: []string{"device", "at", "n"}, Item: shape("DEVICE#{device}#{at:day}", "{at}#{n:02}"),
			Attributes: []design.Attribute{{Name: "at", Kind: keys.Time}, {Name: "n", Kind: keys.Int}},
		},
		{Name: "Latest", Identity: []string{"id"}, Item: shape("DOC#{id}", "LATEST")},
		{
			Name: "Version", Identity: []string{"docId", "version"}, Item: shape("DOC#{docId}", "v{version:07}"),
			Attributes: []design.Attribute{{Name: "docId", Kind: keys.String}, {Name: "version", Kind: keys.Int}},
		},
		{Name: "River", Identity: []string{"country", "river"}, Item: shape("PLACES", "{country}#RIVER#{river}")},
		{Name: "Hill", Identity: []string{"country", "height"}, Item: shape("PLACES", "{country}#HILL{height:05}#{name}")},
		{Name: "Tenant", Identity: []string{"id"}, Item: shape("TENANT#{id}", "TENANT#{id}")},
		{Name: "Member", Identity: []string{"tenantId", "email"}, Item: shape("TENANT#{tenantId}", "MEMBER#{email}")},
	}
}

func field(parent, name string, kind design.FieldKind, pk, sk string, arguments ...keys.Argument) *design.Field {
	return &design.Field{
		Parent: parent, Name: name, Kind: kind,
		PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk), Arguments: arguments,
	}
}

func onIndex(f *design.Field) *design.Field {
	f.Index = "GSI1"
	return f
}

func argument(name string, kind keys.Kind) keys.Argument {
	return keys.Argument{Name: name, Kind: kind}
}

func idOf(name, typ string) keys.Argument {
	return keys.Argument{Name: name, Kind: keys.IDKind, Ref: typ}
}

func rangeOf(name string, kind keys.Kind) keys.Argument {
	return keys.Argument{Name: name, Kind: kind, Range: true}
}

func shopFields() []*design.Field {
	createdAt := rangeOf("createdAt", keys.Time)
	country, state, city := argument("country", keys.String), argument("state", keys.String), argument("city", keys.String)
	email, device, at := argument("email", keys.String), argument("device", keys.String), argument("at", keys.Time)
	doc, version, n := argument("doc", keys.String), argument("version", keys.Int), argument("n", keys.Int)
	return []*design.Field{
		{Parent: "Query", Name: "node", Kind: design.Node},
		field("Query", "user", design.Get, "USER#{id}", "USER#{id}", idOf("id", "User")),
		field("Query", "order", design.Get, "ORDER#{id}", "ORDER#{id}", idOf("id", "Order")),
		onIndex(field("Query", "userByEmail", design.Query, "EMAIL#{email}", "USER#", email)),
		onIndex(field("Query", "userByBoth", design.Query, "EMAIL#{email}", "USER#{id}", email, idOf("id", "User"))),
		onIndex(field("Query", "ordersByStatus", design.Query, "STATUS#{status}", "",
			argument("status", keys.Enum), createdAt)),
		onIndex(field("Query", "paidOrders", design.Query, "STATUS#PAID", "", createdAt)),
		onIndex(field("Query", "ordersByProduct", design.Query, "PRODUCT#{sku}", "", argument("sku", keys.String),
			createdAt)),
		field("User", "orders", design.Query, "USER#{id}", "ORDER#", createdAt),
		field("User", "following", design.Query, "USER#{id}", "FOLLOWS#"),
		field("User", "follows", design.Get, "USER#{id}", "FOLLOWS#{userId}", idOf("userId", "User")),
		field("Order", "customer", design.Get, "USER#{userId}", "USER#{userId}"),
		field("Order", "items", design.Query, "ORDER#{id}", "ITEM#", rangeOf("line", keys.Int)),
		field("Query", "demoUser", design.Get, "USER#demo", "USER#demo"),
		field("Query", "stores", design.Query, "CHAIN#{chain}", "COUNTRY#{country}#STATE#{state}#CITY#{city}",
			argument("chain", keys.String), country, state, city),
		field("Query", "readings", design.Query, "DEVICE#{device}#{at:day}", "", device, rangeOf("at", keys.Time)),
		field("Query", "reading", design.Get, "DEVICE#{device}#{at:day}", "{at}#{n:02}", device, at, n),
		field("Query", "latest", design.Get, "DOC#{doc}", "LATEST", doc),
		field("Query", "version", design.Get, "DOC#{doc}", "v{version:07}", doc, version),
		field("Query", "versions", design.Query, "DOC#{doc}", "v", doc, rangeOf("version", keys.Int)),
		field("Query", "latestOf", design.Query, "DOC#{doc}", "LAT", doc),
		field("Query", "userOrders", design.Query, "USER#{user}", "ORD", argument("user", keys.String), createdAt),
		field("Query", "storesInUS", design.Query, "CHAIN#{chain}", "COUNTRY#US", argument("chain", keys.String)),
		field("Query", "places", design.Query, "PLACES", "{country}", country),
		field("Query", "tenant", design.Query, "TENANT#{tenant}", "", argument("tenant", keys.IDKind)),
	}
}

// conditionOf returns the condition of a field with values as gqlparser returns them. A name that
// is not an argument is an attribute of the parent.
func conditionOf(f *design.Field, values map[string]any) (design.Condition, error) {
	return f.Bind(func(name string) keys.Value {
		raw, given := values[name]
		if a := f.Argument(name); a != nil {
			return keys.ArgumentValue(*a, raw)
		}
		if !given {
			return keys.Value{}
		}
		return keys.StringValue(raw.(string))
	}).Condition()
}

// mustCondition fails the test when the condition has an error or selects nothing.
func mustCondition(t testing.TB, coordinateParent, name string, values map[string]any) *design.Condition {
	t.Helper()
	c, err := conditionOf(shop.MustField(coordinateParent, name), values)
	if err != nil || c.IsEmpty() {
		t.Fatalf("%s.%s: empty %v, error %v", coordinateParent, name, c.IsEmpty(), err)
	}
	return &c
}

func wantInputError(t testing.TB, err error, argument, message string) {
	t.Helper()
	var in *keys.InputError
	if !errors.As(err, &in) {
		t.Errorf("the error is %v, want an InputError: %s", err, message)
		return
	}
	if in.Argument != argument || in.Message != message || in.Error() != message || in.Code() != "BAD_USER_INPUT" {
		t.Errorf("the error is of %q: %s (%s)\nwant of %q: %s", in.Argument, in.Message, in.Code(), argument, message)
	}
}

// value draws a text that is allowed in a key: ':' and '%' are the ID's own delimiters, space and
// '$' sort around the key's.
func value(t *rapid.T, label string) string {
	return rapid.StringMatching(`[ !"$%:a-zA-Z0-9äß€😀./~-]{1,12}`).Draw(t, label)
}

// instant draws a time of the years 0000 to 9999 in any zone, often close to
// another one.
func instant(t *rapid.T, label string) time.Time {
	const first, last = -62167219200, 253402300799
	seconds := rapid.OneOf(
		rapid.Int64Range(first, last), rapid.Int64Range(1767225600, 1767225602), rapid.Int64Range(-1, 1),
	).Draw(t, label)
	ns := rapid.OneOf(rapid.Int64Range(0, 999_999_999), rapid.Int64Range(0, 3_000_000)).Draw(t, label+" ns")
	zone := 60 * rapid.IntRange(-14*60, 14*60).Draw(t, label+" zone")
	return time.Unix(seconds, ns).In(time.FixedZone("", zone))
}

func build(t *rapid.T, template string, v keys.Value) string {
	text, err := keys.MustTemplate(template).Build(func(string) keys.Value { return v })
	if err != nil {
		t.Fatal(err)
	}
	return text
}
