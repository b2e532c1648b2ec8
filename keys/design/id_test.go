package design_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// The text of an ID lives in clients' caches and bookmarks: it must never
// change.
func TestIDTexts(t *testing.T) {
	for _, c := range []struct {
		id   keys.ID
		raw  string
		text string
	}{
		{keys.NewID("User", "7"), "User:7", "VXNlcjo3"},
		{keys.NewID("Item", "o1", "12"), "Item:o1:12", "SXRlbTpvMToxMg"},
		{keys.NewID("User", "a:b"), "User:a%3Ab", "VXNlcjphJTNBYg"},
		{keys.NewID("User", "100%"), "User:100%25", "VXNlcjoxMDAlMjU"},
		{keys.NewID("User", "%3A"), "User:%253A", "VXNlcjolMjUzQQ"},
		{keys.NewID("Pair", "", ""), "Pair::", "UGFpcjo6"},
		{keys.NewID("Config"), "Config:", "Q29uZmlnOg"},
		{keys.NewID("User", "Zoë?>"), "User:Zoë?>", "VXNlcjpab8OrPz4"},
	} {
		if string(c.id) != c.raw || c.id.Encode() != c.text {
			t.Errorf("the id is %q, encoded %q; want %q, encoded %q", c.id, c.id.Encode(), c.raw, c.text)
		}
	}
}

func TestIDRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.StringMatching(`[_A-Za-z][_0-9A-Za-z]{0,8}`).Draw(t, "type")
		part := rapid.OneOf(rapid.StringMatching(`[:%35A2]{0,6}`), rapid.String())
		values := rapid.SliceOfN(part, 0, 4).Draw(t, "values")
		if len(values) == 1 && values[0] == "" {
			values = nil // No key has an empty value.
		}
		id, err := keys.ParseID(keys.NewID(typ, values...).Encode())
		if err != nil {
			t.Fatal(err)
		}
		if id.Type() != typ || !slices.Equal(id.Values(), values) {
			t.Fatalf("%s %q became %s %q", typ, values, id.Type(), id.Values())
		}
		if got := id.Value(); len(values) == 1 && got != values[0] || len(values) > 1 && got != "" {
			t.Fatalf("the value of %s %q is %q", typ, values, got)
		}
	})
}

func TestParseIDRejects(t *testing.T) {
	encode := func(raw string) string { return base64.RawURLEncoding.EncodeToString([]byte(raw)) }
	for name, text := range map[string]string{
		"empty":              "",
		"no base64":          "User:7",
		"padded":             "VXNlcjo3OA==",
		"standard alphabet":  base64.RawStdEncoding.EncodeToString([]byte("User:Zoë?>")) + "/",
		"loose trailing bit": "VXNlcjp4eR",
		"line break":         "VXNl\ncjo3",
		"no value":           encode("User"),
		"no type":            encode(":7"),
		"no name":            encode("7up:7"),
		"type with a space":  encode("User :7"),
		"lower escape":       encode("User:a%3ab"),
		"needless escape":    encode("User:%41"),
		"bare percent":       encode("User:50%"),
		"cut escape":         encode("User:a%3"),
		"invalid UTF-8":      encode("User:\xff"),
		"too long":           encode("User:" + strings.Repeat("x", 8000)),
	} {
		id, err := keys.ParseID(text)
		if id != "" {
			t.Errorf("%s is the id %q", name, id)
		}
		wantInputError(t, err, "", "this is not an id of this API; pass an id exactly as a response gave it")
	}
}

func TestIDOverGraphQL(t *testing.T) {
	for _, c := range []struct {
		sent any
		want keys.ID
		json string
	}{
		{"VXNlcjo3", keys.NewID("User", "7"), `"VXNlcjo3"`},
		{"t1", ":t1", `"t1"`},
		{"a:b%", ":a%3Ab%25", `"a:b%"`},
		{"", ":", `""`},
		{int64(42), ":42", `"42"`},
		{42, ":42", `"42"`},
		{json.Number("42"), ":42", `"42"`},
		{"\"</script>", ":\"</script>", `"\"\u003c/script\u003e"`},
	} {
		var id keys.ID
		if err := id.UnmarshalGQL(c.sent); err != nil || id != c.want {
			t.Errorf("%#v is read as %q, %v, want %q", c.sent, id, err, c.want)
		}
		var b bytes.Buffer
		id.MarshalGQL(&b)
		if b.String() != c.json {
			t.Errorf("%q is written as %s, want %s", id, &b, c.json)
		}
	}
	var id keys.ID
	wantInputError(t, id.UnmarshalGQL(true), "", "an id must be a String")
	wantInputError(t, id.UnmarshalGQL(nil), "", "an id must be a String")
	wantInputError(t, id.UnmarshalGQL(strings.Repeat("x", 10_000)), "",
		"an id has at most 9216 bytes; pass an id exactly as a response gave it")
}

func TestDateOverGraphQL(t *testing.T) {
	var d keys.CalendarDate
	if err := d.UnmarshalGQL("2024-02-29"); err != nil || d != "2024-02-29" {
		t.Errorf("the date is %q, %v", d, err)
	}
	var b bytes.Buffer
	d.MarshalGQL(&b)
	if b.String() != `"2024-02-29"` {
		t.Errorf("the date is written as %s", &b)
	}
	for _, bad := range []any{"2026-02-29", "2026-2-1", "2026-01-31T00:00:00Z", "26-01-31", "", nil, 20260131} {
		wantInputError(t, d.UnmarshalGQL(bad), "", "a date must be an existing day written as yyyy-mm-dd, such as 2026-01-31")
	}
}

func TestNodeCondition(t *testing.T) {
	node := shop.MustField("Query", "node")
	for id, want := range map[keys.ID]keys.Key{
		keys.NewID("User", "7"):                        {PK: "USER#7", SK: "USER#7"},
		keys.NewID("Item", "o1", "12"):                 {PK: "ORDER#o1", SK: "ITEM#0012"},
		keys.NewID("Item", "o:1", "0"):                 {PK: "ORDER#o:1", SK: "ITEM#0000"},
		keys.NewID("Follow", "7", "9"):                 {PK: "USER#7", SK: "FOLLOWS#9"},
		keys.NewID("Latest", "a"):                      {PK: "DOC#a", SK: "LATEST"},
		keys.NewID("Store", "x", "a", "b c", "d", "1"): {PK: "CHAIN#x", SK: "COUNTRY#a#STATE#b c#CITY#d#1"},
		keys.NewID("Reading", "d", "2026-01-31T09:30:00.000Z", "3"): {
			PK: "DEVICE#d#2026-01-31", SK: "2026-01-31T09:30:00.000Z#03",
		},
	} {
		c, err := shop.BindNode(node, id).Condition()
		if err != nil || c.Key != want || c.KeyOnly.Type() != id.Type() {
			t.Errorf("%q is %q of type %s, %v; want %q", id, c.Key, c.KeyOnly.Type(), err, want)
		}
		// The key-only attributes have the same id.
		names := shop.Type(id.Type()).Identity
		values := make([]string, len(names))
		for i, name := range names {
			values[i] = c.KeyOnly.Text(name)
		}
		if again := keys.NewID(c.KeyOnly.Type(), values...); again != id {
			t.Errorf("the key-only attributes of %q have the id %q", id, again)
		}
	}
	for _, id := range []keys.ID{
		"Money:7", ":7", "User:7:8", "Item:o1", "Follow:7",
		keys.NewID("User", strings.Repeat("x", 1020)),
		keys.NewID("Latest", strings.Repeat("x", 2045)),
		keys.NewID("Item", "o1", "0012"),
		keys.NewID("Item", "o1", "+1"),
		keys.NewID("Item", "o1", "twelve"),
		keys.NewID("Item", "o1", ""),
		keys.NewID("Reading", "d", "2026-01-3é", "3"),
		keys.NewID("Reading", "d", "2026-02-30T09", "3"),
		keys.NewID("Reading", "d", "2026", "3"),
	} {
		c, err := shop.BindNode(node, id).Condition()
		if !c.IsEmpty() {
			t.Errorf("%q selects %v", id, c.Key)
		}
		wantInputError(t, err, "id", "this is not an id of this API; pass an id exactly as a response gave it")
	}
	// A response has such an ID if another program wrote the item.
	c, err := shop.BindNode(node, keys.NewID("Item", "o#1", "1")).Condition()
	if !c.IsEmpty() {
		t.Errorf("an id with a delimiter selects %v", c.Key)
	}
	wantInputError(t, err, "id",
		"no object can be read by this id: a value in it contains '#', which joins the parts of keys")
}

// TestNodeOfOtherTypes: an id of a stored type that the field does not return is not an id of the API.
func TestNodeOfOtherTypes(t *testing.T) {
	node := &design.Field{Kind: design.Node, Types: []string{"Order"}}
	for id, isKnown := range map[keys.ID]bool{keys.NewID("User", "7"): false, keys.NewID("Order", "7"): true} {
		if c, err := shop.BindNode(node, id).Condition(); (err == nil) != isKnown || c.IsEmpty() == isKnown {
			t.Errorf("%s: %v, %v", id, c.Key, err)
		}
	}
}

// Existing tables have values with the delimiter. An id with one is valid if its key is that of no other id.
func TestNodeConditionOfExistingTables(t *testing.T) {
	text := func(name string) design.Attribute {
		return design.Attribute{Name: name, Kind: keys.String, NonNull: true}
	}
	types := []*design.Type{
		{
			Name: "Member", Attributes: []design.Attribute{text("team"), text("email")}, Identity: []string{"team", "email"},
			Item: keys.Shape{PK: keys.MustTemplate("TEAM#{team}"), SK: keys.MustTemplate("MEMBER#{email}")},
		},
		{
			Name: "Note", Attributes: []design.Attribute{text("team"), text("topic"), text("name")},
			Identity: []string{"team", "topic", "name"},
			Item:     keys.Shape{PK: keys.MustTemplate("TEAM#{team}#NOTES"), SK: keys.MustTemplate("NOTE#{topic}#{name}")},
		},
	}
	node := &design.Field{Parent: "Query", Name: "node", Kind: design.Node}
	design := design.MustDesign(stored.DefaultLayout(), types, []*design.Field{node})
	for id, want := range map[keys.ID]keys.Key{
		keys.NewID("Member", "red", "on#call"): {PK: "TEAM#red", SK: "MEMBER#on#call"},
		keys.NewID("Member", "r#d", "ada"):     {PK: "TEAM#r#d", SK: "MEMBER#ada"},
		keys.NewID("Note", "red", "a", "b"):    {PK: "TEAM#red#NOTES", SK: "NOTE#a#b"},
		keys.NewID("Note", "r#d", "a", "b"):    {},
		keys.NewID("Note", "red", "a#b", "c"):  {},
		keys.NewID("Note", "red", "a", "b#c"):  {},
		keys.NewID("Member", "red", "a\x00"):   {},
	} {
		c, err := design.BindNode(node, id).Condition()
		if c.Key != want || (err == nil) != (want != keys.Key{}) {
			t.Errorf("%q is %q, %v; want %q", id, c.Key, err, want)
		}
	}
}
