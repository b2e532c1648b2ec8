package design_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

func TestProjected(t *testing.T) {
	layout := func(projection stored.Projection, include ...string) *stored.Layout {
		l := stored.DefaultLayout()
		ix := l.Index("GSI1")
		ix.Projection, ix.Include = projection, include
		l.Indexes = []stored.IndexLayout{ix}
		return l
	}
	task := func(pk, sk, indexSK string) *design.Type {
		of := &design.Type{
			Name: "Task", Item: shape(pk, sk), Identity: []string{"id"},
			Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("OPEN", indexSK)}},
		}
		for _, name := range []string{"id", "userId", "at", "title"} {
			of.Attributes = append(of.Attributes, design.Attribute{Name: name, Kind: keys.String})
		}
		of.Attributes = append(of.Attributes, design.Attribute{Name: "text", Stored: "txt"})
		return of
	}
	// copied returns a task with an entry for itself and one for its copy.
	copied := func(first, second string) *design.Type {
		of := task("T#{id}", "T", first)
		of.Copies = []design.Copy{{Shape: shape("T#{id}", "COPY")}}
		of.Indexes = append(of.Indexes, design.Index{Name: "GSI1", Shards: 1, Shape: shape("DONE", second)})
		return of
	}
	other := &design.Type{Name: "Other", Item: shape("USER#{userId}", "{x}")}
	for name, c := range map[string]struct {
		layout *stored.Layout
		types  []*design.Type
		want   []string
		all    bool
	}{
		"all": {layout(stored.All), []*design.Type{task("T#{id}", "T", "{at}")}, nil, true},
		"keys only": {
			layout(stored.KeysOnly), []*design.Type{task("USER#{userId}", "T#{id}", "{at}")}, []string{"id", "userId", "at"},
			false,
		},
		"include by stored name": {
			layout(stored.Include, "title", "txt"), []*design.Type{task("T#{id}", "T", "{at}")},
			[]string{"id", "at", "title", "text"}, false,
		},
		"a time that is cut to a bucket": {
			layout(stored.KeysOnly), []*design.Type{task("T#{at:month}", "{id}", "{userId}")}, nil, false,
		},
		"a time that is cut to a bucket and whole elsewhere": {
			layout(stored.KeysOnly), []*design.Type{task("T#{at:month}", "{id}", "{at}")}, []string{"id", "at"}, false,
		},
		"a key that another type can have": {
			layout(stored.KeysOnly), []*design.Type{task("USER#{userId}", "T#{id}", "{at}"),
				{Name: "Other", Item: shape("USER#{userId}", "T#{x}")}}, nil, false,
		},
		"such a key with the type": {
			layout(stored.Include, "entityType"), []*design.Type{task("USER#{userId}", "T#{id}", "{at}"),
				{Name: "Other", Item: shape("USER#{userId}", "T#{x}")}}, []string{"id", "userId", "at"}, false,
		},
		"another type with other sort keys": {
			layout(stored.KeysOnly), []*design.Type{task("USER#{userId}", "T#{id}", "{at}"),
				{Name: "Other", Item: shape("USER#{userId}", "O#{x}")}}, []string{"id", "userId", "at"}, false,
		},
		"entries of a copy with other values": {
			layout(stored.KeysOnly), []*design.Type{copied("{id}#{at}", "{id}#{userId}")}, nil, false,
		},
		"entries of a copy with more values": {
			layout(stored.KeysOnly), []*design.Type{copied("{id}", "{id}#{at}#{userId}")}, nil, false,
		},
		"another type with other keys": {
			layout(stored.KeysOnly), []*design.Type{task("T#{id}", "T", "{at}"), other}, []string{"id", "at"}, false,
		},
	} {
		d, err := design.NewDesign(c.layout, c.types, nil)
		if err != nil {
			t.Fatal(err)
		}
		names, all := d.Projected("GSI1", d.Type("Task"))
		if !slices.Equal(names, c.want) || all != c.all {
			t.Errorf("%s: %v, %v, want %v, %v", name, names, all, c.want, c.all)
		}
		if names, all := d.Projected("", d.Type("Task")); len(names) > 0 || !all {
			t.Errorf("%s: items of the table have only %v", name, names)
		}
	}
}

// An item of an existing table is in an index on its own attributes if it has all of them.
func TestSparseIndexOnAttributes(t *testing.T) {
	text := func(name string) design.Attribute { return design.Attribute{Name: name, Kind: keys.String} }
	layout := &stored.Layout{
		PK: keys.Named("tenant"), SK: keys.Named("sk"), Delimiter: "#",
		Indexes: []stored.IndexLayout{{Name: "by-role", PK: keys.Named("tenant"), SK: keys.Named("role")}},
	}
	design := design.MustDesign(layout, []*design.Type{{
		Name: "Member", Attributes: []design.Attribute{text("tenant"), text("name"), text("role")},
		Identity: []string{"tenant", "name"},
		Item:     keys.Shape{PK: keys.MustTemplate("{tenant}"), SK: keys.MustTemplate("MEMBER#{name}")},
		Indexes: []design.Index{{
			Name: "by-role", Shape: keys.Shape{PK: keys.MustTemplate("{tenant}"), SK: keys.MustTemplate("{role}")}, Shards: 1,
		}},
	}}, nil)
	stored := item.Item{
		{Name: "tenant", Value: item.StringValue("acme")}, {Name: "sk", Value: item.StringValue("MEMBER#ada")},
	}
	entry := func(it item.Item) [2]string {
		return [2]string{it.Text(keys.IndexPK("by-role")), it.Text(keys.IndexSK("by-role"))}
	}
	if got := entry(design.FromStored(stored)); got != [2]string{} {
		t.Errorf("without a role, the item is in the index under %q", got)
	}
	stored = append(stored, item.Attribute{Name: "role", Value: item.StringValue("admin")})
	if got, want := entry(design.FromStored(stored)), [2]string{"acme", "admin"}; got != want {
		t.Errorf("the item is in the index under %q, not %q", got, want)
	}
}

// An index may be keyed by the table's keys, by an attribute alone, or by attributes of its own. What follows from
// others is not written, and an entry that lacks a key is one that a check can find.
func TestEntriesOfAllLayouts(t *testing.T) {
	text := func(name, value string) item.Attribute {
		return item.Attribute{Name: name, Value: item.StringValue(value)}
	}
	shapes := map[string]keys.Shape{
		"inverted": {PK: keys.MustTemplate("{name}"), SK: keys.MustTemplate("{tenant}")},
		"by-mail":  {PK: keys.MustTemplate("{mail}")},
		"own":      {PK: keys.MustTemplate("ROLE#{role}"), SK: keys.MustTemplate("{name}")},
	}
	layout := &stored.Layout{PK: keys.Named("tenant"), SK: keys.Named("sk"), Type: "kind", Delimiter: "#"}
	layout.Indexes = []stored.IndexLayout{
		{Name: "inverted", PK: keys.Named("sk"), SK: keys.Named("tenant")}, {Name: "by-mail", PK: keys.Named("e_mail")},
		{Name: "own", PK: keys.Named("p1"), SK: keys.Named("s1")},
	}
	member := &design.Type{
		Name: "Member", Identity: []string{"tenant", "name"},
		Item: keys.Shape{PK: keys.MustTemplate("{tenant}"), SK: keys.MustTemplate("{name}")},
		Attributes: []design.Attribute{
			{Name: "tenant", Kind: keys.String}, {Name: "name", Kind: keys.String, Stored: "sk"},
			{Name: "mail", Kind: keys.String, Stored: "e_mail"}, {Name: "role", Kind: keys.String},
		},
	}
	for _, ix := range layout.Indexes {
		member.Indexes = append(member.Indexes, design.Index{Name: ix.Name, Shape: shapes[ix.Name], Shards: 1})
	}
	design := design.MustDesign(layout, []*design.Type{member}, nil)
	key := item.Item{text("tenant", "acme"), text("sk", "ada"), text("kind", "Member")}
	for name, c := range map[string]struct{ stored, more []item.Attribute }{
		"no other entry": {},
		"by mail": {
			[]item.Attribute{text("e_mail", "a@b")}, []item.Attribute{text("mail", "a@b"), text("by-mailPK", "a@b")},
		},
		"own keys": {
			[]item.Attribute{text("role", "admin"), text("p1", "ROLE#admin"), text("s1", "ada")},
			[]item.Attribute{text("role", "admin"), text("ownPK", "ROLE#admin"), text("ownSK", "ada")},
		},
		"a partition key without a sort key": {
			[]item.Attribute{text("p1", "ROLE#admin")},
			[]item.Attribute{text("role", "admin"), text("ownPK", "ROLE#admin")},
		},
		"a sort key without a partition key": {
			[]item.Attribute{text("s1", "ada")}, []item.Attribute{text("ownSK", "ada")},
		},
	} {
		stored := append(slices.Clone(key), c.stored...)
		want := append(item.Item{
			text(keys.AttributePK, "acme"), text(keys.AttributeSK, "ada"), text(item.EntityType, "Member"),
			text("invertedPK", "ada"), text("invertedSK", "acme"), text("tenant", "acme"), text("name", "ada"),
		}, c.more...)
		got := design.FromStored(stored)
		if a, b := lines(got), lines(want); a != b {
			t.Errorf("%s is read as\n%s\nnot\n%s", name, a, b)
		}
		if _, hasRole := got.Find("role"); hasRole && !slices.ContainsFunc(stored, isRole) {
			stored = append(stored, text("role", "admin")) // The value of the key is written as an attribute as well.
		}
		if a, b := lines(design.ToStored(got)), lines(stored); a != b {
			t.Errorf("%s is written as\n%s\nnot\n%s", name, a, b)
		}
	}
}

func isRole(a item.Attribute) bool { return a.Name == "role" }

// lines returns the attributes of an item as texts in order.
func lines(it item.Item) string {
	var all []string
	for _, a := range it {
		all = append(all, a.Name+"="+a.Value.Text)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
