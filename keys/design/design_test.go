package design_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func TestNewDesignFails(t *testing.T) {
	claims := field("Query", "claims", design.Query, "CLAIM#{email}", "CLAIM#", argument("email", keys.String))
	_, err := design.NewDesign(nil, shopTypes(), []*design.Field{claims})
	if want := `Query.claims: no item is stored under pk "CLAIM#{email}", sk "CLAIM#"`; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// TestMatch lists the stored types that a condition selects.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		kind          design.FieldKind
		index, pk, sk string
		want          []string
	}{
		{design.Get, "", "USER#{a}", "USER#{a}", []string{"User"}},
		{design.Get, "", "USER#{a}", "FOLLOWS#{b}", []string{"Follow"}},
		{design.Get, "", "USER#{a}", "FOLLOWED_BY#ada", []string{"Follow"}},
		{design.Get, "", "USER#{a}", "USER#", nil},
		{design.Get, "", "ORDER#{a}", "ITEM#{n:04}", []string{"Item"}},
		{design.Get, "", "ORDER#{a}", "ITEM#{n:05}", nil},
		{design.Get, "", "ORDER#{a}", "ITEM#{n}", nil},
		{design.Get, "", "ORDER#{a}", "ITEM#0001", nil},
		{design.Query, "", "USER#{a}", "", []string{"User", "Order", "Follow", "Follow"}},
		{design.Query, "", "USER#{a}", "ORDER#", []string{"Order"}},
		{design.Query, "", "USER#{a}", "ORDER#{t}", []string{"Order"}},
		{design.Query, "", "USER#{a}", "ORDER#{t}#{i}", []string{"Order"}},
		{design.Query, "", "USER#{a}", "ORDER#{t}#{i}#{x}", nil},
		{design.Query, "", "USER#{a}", "FOLLOW", []string{"Follow", "Follow"}},
		{design.Query, "", "DEVICE#{d}#{t:day}", "", []string{"Reading"}},
		{design.Query, "", "DEVICE#{d}#{t:month}", "", nil},
		{design.Query, "", "DEVICE#{d}", "", nil},
		{design.Query, "GSI1", "STATUS#{s}", "", []string{"Order"}},
		{design.Query, "GSI1", "STATUS#PAID", "", []string{"Order"}},
		{design.Query, "GSI1", "STATUS#", "", nil},
		{design.Query, "GSI2", "STATUS#{s}", "", nil},
		{design.Query, "GSI1", "USER#{a}", "", nil},
	} {
		f := field("Query", "f", c.kind, c.pk, c.sk)
		f.Index = c.index
		var got []string
		for _, m := range design.FindMatches(shop.Types, f) {
			got = append(got, m.Type.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d %s, %s selects %v, want %v", c.kind, c.pk, c.sk, got, c.want)
		}
	}
}

func TestFieldsOfTheDesign(t *testing.T) {
	for _, c := range []struct {
		parent, name, next string
		shards             int
		reference          bool
	}{
		{"Query", "user", "", 1, false},
		{"Query", "ordersByStatus", "createdAt", 4, false},
		{"Query", "readings", "at", 1, false},
		{"Query", "stores", "id", 1, false},
		{"Query", "tenant", "", 1, false},
		{"User", "orders", "createdAt", 1, false},
		{"Order", "items", "line", 1, false},
		{"Order", "customer", "", 1, true},
		{"User", "follows", "", 1, false},
	} {
		f := shop.MustField(c.parent, c.name)
		if f.Next() != c.next || len(f.Shards()) != c.shards || f.IsReference() != c.reference {
			t.Errorf("%s: next %q, %d shards, reference %v", f.Coordinate(), f.Next(), len(f.Shards()), f.IsReference())
		}
	}
	if shop.Field("Query", "nothing") != nil || shop.Type("Money") != nil || shop.Type("User").Attribute("age") != nil {
		t.Error("the design has what it was not given")
	}
	if got := shop.IndexNames(); !slices.Equal(got, []string{"GSI1"}) {
		t.Errorf("the indexes are %v", got)
	}
}

// TestNewDesignChangesNothing makes a design twice of the same types, fields and rules.
func TestNewDesignChangesNothing(t *testing.T) {
	rule := func() *design.FieldRule {
		return &design.FieldRule{Parent: "User", Name: "orders", Rule: &design.Rule{Owner: "id"}}
	}
	types, fields, given := shopTypes(), shopFields(), rule()
	first := design.MustDesign(nil, types, fields, given)
	if !reflect.DeepEqual(types, shopTypes()) || !reflect.DeepEqual(fields, shopFields()) ||
		!reflect.DeepEqual(given, rule()) {
		t.Error("NewDesign has changed its arguments")
	}
	if !reflect.DeepEqual(first, design.MustDesign(nil, types, fields, given)) {
		t.Error("two designs of the same arguments differ")
	}
	declared := fields[2]
	if _, err := design.Resolve(types, declared); err != nil || !reflect.DeepEqual(declared, shopFields()[2]) {
		t.Errorf("Resolve has changed its argument or failed: %v", err)
	}
}

func TestEdgeItem(t *testing.T) {
	fields := shopFields()
	for _, f := range fields {
		switch f.Coordinate() {
		case "User.following":
			f.Edge, f.Types = "FollowingEdge", []string{"Follow"}
		case "Query.tenant":
			f.Edge, f.Types = "TenantEdge", []string{"Tenant", "Member"}
		}
	}
	design := design.MustDesign(nil, shopTypes(), fields)
	if got := design.EdgeItem("FollowingEdge"); got == nil || got.Name != "Follow" {
		t.Errorf("the items of FollowingEdge are of type %v", got)
	}
	for _, edge := range []string{"TenantEdge", "OtherEdge"} {
		if got := design.EdgeItem(edge); got != nil {
			t.Errorf("the items of %s are of type %s", edge, got.Name)
		}
	}
}

func TestKeyOnly(t *testing.T) {
	it := design.KeyOnly(shop.Type("Item"))
	for _, name := range []string{"entityType", "orderId", "line"} {
		if _, ok := it.Get(name); !ok {
			t.Errorf("%s is not in %v", name, it)
		}
	}
	if it.Type() != "Item" || len(it) != 3 || !keys.IsKeyOnly(it) {
		t.Errorf("the key-only attributes are %v", it)
	}
}

func TestBugsInGeneratedCodePanic(t *testing.T) {
	for what, run := range map[string]func(){
		"keys: bug in generated code: Query.x: no item is stored under pk \"X\", sk \"X\"": func() {
			design.MustDesign(nil, nil, []*design.Field{field("Query", "x", design.Get, "X", "X")})
		},
		"keys: bug in generated code: the design has no field Query.x": func() { shop.MustField("Query", "x") },
	} {
		func() {
			defer func() {
				if got := recover(); got != what {
					t.Errorf("panic %v, want %s", got, what)
				}
			}()
			run()
		}()
	}
}

func TestIsHandWritten(t *testing.T) {
	design, err := design.NewDesign(nil, shopTypes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if design.IsHandWritten("Query", "recommendations") {
		t.Error("a design without hand-written fields has Query.recommendations")
	}
	design.WithHandWritten("Mutation.placeOrder", "Query.recommendations")
	for _, c := range []struct {
		parent, name string
		want         bool
	}{
		{"Query", "recommendations", true},
		{"Mutation", "placeOrder", true},
		{"Query", "placeOrder", false},
		{"Order", "recommendations", false},
	} {
		if got := design.IsHandWritten(c.parent, c.name); got != c.want {
			t.Errorf("%s.%s: %v", c.parent, c.name, got)
		}
	}
}
