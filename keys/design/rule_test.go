package design_test

import (
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// owned is a design in which users own themselves and their orders.
var owned = design.MustDesign(
	nil,
	[]*design.Type{
		{
			Name: "User", Identity: []string{"id"}, Item: shape("USER#{id}", "USER#{id}"),
			Rule:       &design.Rule{Owner: "id"},
			Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind, Ref: "User"}},
		},
		{
			Name: "Order", Identity: []string{"id"}, Item: shape("ORDER#{id}", "ORDER#{id}"),
			Copies: []design.Copy{{Shape: shape("USER#{userId}", "ORDER#{id}")}},
			Rule:   &design.Rule{Owner: "userId", Roles: []string{"ADMIN"}},
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.IDKind, Ref: "Order"}, {Name: "userId", Kind: keys.IDKind, Ref: "User"},
			},
		},
		{Name: "Note", Identity: []string{"id"}, Item: shape("NOTE#{id}", "NOTE#{id}"), Rule: &design.Rule{SignedIn: true}},
	},
	[]*design.Field{
		{Parent: "Query", Name: "node", Kind: design.Node},
		field("Query", "user", design.Get, "USER#{id}", "USER#{id}", idOf("id", "User")),
		field("Query", "order", design.Get, "ORDER#{id}", "ORDER#{id}", idOf("id", "Order")),
		field("Query", "note", design.Get, "NOTE#{id}", "NOTE#{id}", argument("id", keys.String)),
		field("Query", "everything", design.Query, "USER#{id}", "", idOf("id", "User")),
		field("User", "orders", design.Query, "USER#{id}", "ORDER#"),
	},
	&design.FieldRule{Parent: "User", Name: "orders", Rule: &design.Rule{Owner: "id"}},
)

// TestOwners compares the owner of the field's rule, and the owners of the types that conditions
// select.
func TestOwners(t *testing.T) {
	user, order := keys.NewID("User", "7").Encode(), keys.NewID("Order", "1").Encode()
	for _, c := range []struct {
		parent, name string
		values       map[string]any
		owner        string
		owners       map[string]string
		valid, empty bool
	}{
		{"Query", "user", map[string]any{"id": user}, "", map[string]string{"User": "7"}, true, false},
		{"Query", "order", map[string]any{"id": order}, "", map[string]string{"Order": ""}, true, false},
		{"Query", "note", map[string]any{"id": "1"}, "", map[string]string{"Note": ""}, true, false},
		{"Query", "everything", map[string]any{"id": user}, "", map[string]string{"User": "7", "Order": "7"}, true, false},
		{"User", "orders", map[string]any{"id": "7"}, "7", map[string]string{"Order": "7"}, true, false},
		// The owner does not depend on whether the condition can be built.
		{"User", "orders", map[string]any{"id": "7\x01"}, "7\x01", map[string]string{"Order": "7\x01"}, false, true},
		{"User", "orders", nil, "", map[string]string{"Order": ""}, true, true},
	} {
		got, err := conditionOf(owned.MustField(c.parent, c.name), c.values)
		if (err == nil) != c.valid || got.IsEmpty() != c.empty {
			t.Errorf("%s.%s of %v: error %v, empty %v", c.parent, c.name, c.values, err, got.IsEmpty())
		}
		if owner := ownerText(got.Owner()); owner != c.owner {
			t.Errorf("%s.%s of %v: the owner is %q, want %q", c.parent, c.name, c.values, owner, c.owner)
		}
		for typ, want := range c.owners {
			if owner := ownerText(got.OwnerOf(owned.Type(typ))); owner != want {
				t.Errorf("%s.%s of %v: the owner of %s is %q, want %q", c.parent, c.name, c.values, typ, owner, want)
			}
		}
	}
}

// ownerText returns "" for an owner who is unknown.
func ownerText(id string, known bool) string {
	if known {
		return id
	}
	return ""
}

func TestRules(t *testing.T) {
	if r := owned.Rule("User", "orders"); r == nil || r.Owner != "id" || owned.MustField("User", "orders").Rule() != r {
		t.Errorf("the rule of User.orders is %+v", r)
	}
	if owned.MustField("Query", "user").Rule() != nil || !owned.Rule("Query", "user").IsPublic() {
		t.Error("a field without a rule is not public")
	}
	if owned.Type("Note").Rule.IsPublic() || !(&design.Rule{Public: true}).IsPublic() {
		t.Error("IsPublic is not true for exactly the rules with Public")
	}
}

func TestModelOwner(t *testing.T) {
	type user struct{ id *keys.ID }
	if typ, id := owned.ModelOwner(&user{}, "id"); typ != "" || id != "" {
		t.Errorf("without owners, a model is a %s of %s", typ, id)
	}
	copied := *owned
	design := copied.WithOwners(func(object any, field string) (string, keys.ID) {
		if u, ok := object.(*user); ok && field == "id" {
			return "User", keys.IDOrNone(u.id)
		}
		return "", ""
	})
	id := keys.NewID("User", "7")
	if typ, owner := design.ModelOwner(&user{&id}, "id"); typ != "User" || owner != "7" {
		t.Errorf("the owner is %q of type %q", owner, typ)
	}
	if typ, owner := design.ModelOwner(&user{}, "id"); typ != "User" || owner != "" {
		t.Errorf("without an id, the owner is %q of type %q", owner, typ)
	}
}

func TestViewerValue(t *testing.T) {
	design := design.MustDesign(
		nil,
		[]*design.Type{{Name: "User", Identity: []string{"id"}, Item: shape("USER#{id}", "USER#{id}")}},
		[]*design.Field{field("Query", "viewer", design.Get, "USER#{viewer}", "USER#{viewer}")},
	)
	me := design.MustField("Query", "viewer")
	for id, want := range map[string]keys.PK{"7": "USER#7", "": ""} {
		c, err := me.Bind(keys.Values{{Name: keys.ViewerVariable, Value: keys.ViewerValue(id)}}.Get).Condition()
		if err != nil || c.Key.PK != want || c.IsEmpty() != (want == "") {
			t.Errorf("the viewer %q reads %v, %v", id, c.Key, err)
		}
	}
}
