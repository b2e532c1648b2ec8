package write_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// interrupted is a store in which others write before each of the first writes.
type interrupted struct {
	store
	times int
	other func()
}

func (s *interrupted) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	if s.times > 0 {
		s.times--
		s.other()
	}
	return s.store.Write(ctx, t)
}

// TestMutateAfterAnother: what another mutation changes between the read and the write of one counts.
func TestMutateAfterAnother(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada := m.must(t, "createMember", given("name", "Ada")).ID
	bob := m.must(t, "createMember", given("name", "Bob")).ID
	eve := m.must(t, "createMember", given("name", "Eve")).ID
	post := func() keys.ID { return m.must(t, "createPost", given("memberId", ada, "state", "OPEN", "rank", 1)).ID }
	changed, moved, deleted, twice := post(), post(), keys.ID(""), keys.ID("")
	member := func(rest string) string { return createdAt + " " + rest }
	for _, tt := range []struct {
		name     string
		mutation string
		in       func() write.Input
		other    string
		otherIn  func() write.Input
		errs     string
		want     string
	}{
		{
			"without a version, both are made", "updatePost",
			func() write.Input { return of(changed, 0, given("state", "CLOSED")) },
			"updatePost", func() write.Input { return of(changed, 0, given("rank", nil)) },
			"", "at=1970-01-12T13:46:40.000Z memberId=" + ada.Value() + " state=CLOSED",
		},
		{
			"what is added between", "updatePost", func() write.Input { return of(changed, 0, given("state", nil)) },
			"updatePost", func() write.Input { return of(changed, 0, given("rank", 3)) },
			"", "at=1970-01-12T13:46:40.000Z memberId=" + ada.Value() + " rank=3",
		},
		{
			"its version", "updateMember", func() write.Input { return of(ada, 1, given("name", "Ada L.")) },
			"updateMember", func() write.Input { return of(ada, 1, given("name", "A.")) },
			"revision: CONFLICT " + outdated, member("followers=0 following=0 name=A. postCount=2 revision=2"),
		},
		{
			"its counters", "updateMember", func() write.Input { return of(ada, 2, given("name", "Ada")) },
			"follow", func() write.Input { return given("from", bob, "to", ada) },
			"", member("followers=1 following=0 name=Ada postCount=2 revision=3"),
		},
		{
			"its parent", "deletePost", func() write.Input { return of(moved, 0, write.Input{}) },
			"updatePost", func() write.Input { return of(moved, 0, given("memberId", bob)) },
			"", "at=1970-01-12T13:46:40.000Z memberId=" + bob.Value() + " rank=1 state=OPEN",
		},
		{
			"it is deleted", "updatePost",
			func() write.Input { deleted = post(); return of(deleted, 0, given("rank", 2)) },
			"deletePost", func() write.Input { return of(deleted, 0, write.Input{}) },
			"id: NOT_FOUND there is no Post with this id", "",
		},
		{
			"it is deleted twice", "deletePost",
			func() write.Input { twice = post(); return of(twice, 0, write.Input{}) },
			"deletePost", func() write.Input { return of(twice, 0, write.Input{}) },
			"id: NOT_FOUND there is no Post with this id", "",
		},
		{
			"it is no longer the viewer's", "deletePost",
			func() write.Input { return ownedBy(ada, of(changed, 0, write.Input{})) },
			"updatePost", func() write.Input { return of(changed, 0, given("memberId", bob)) },
			"id: NOT_FOUND there is no Post with this id", "",
		},
		{
			"it is counting", "deleteMember", func() write.Input { return of(eve, 1, write.Input{}) },
			"createPost", func() write.Input { return given("memberId", eve) },
			"id: INVALID this Member has 1 posts; delete them first",
			member("followers=0 following=0 name=Eve postCount=1 revision=1"),
		},
	} {
		in := tt.in()
		s := &interrupted{store{m.Table}, 1, func() { m.must(t, tt.other, tt.otherIn()) }}
		out, err := write.Mutate(write.NewContext(t.Context(), s), club, club.Mutation(tt.mutation), in)
		if err != nil || userErrors(out) != tt.errs || describe(out.Object) != tt.want {
			t.Errorf("%s: %s, %v\n%s", tt.name, userErrors(out), err, describe(out.Object))
		}
		if wantID := in.ID; (out.ID == wantID) != (tt.want != "") {
			t.Errorf("%s: the id is %q", tt.name, out.ID)
		}
		m.check(t)
	}
}

// ownedBy returns the input of somebody who may write only what is their own.
func ownedBy(owner keys.ID, in write.Input) write.Input {
	in.Owner = owner.Value()
	return in
}

// TestMutateOwner: the owner's condition applies to what is read before it is deleted, too.
func TestMutateOwner(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada := m.must(t, "createMember", given("name", "Ada")).ID
	post := m.must(t, "createPost", given("memberId", ada)).ID
	_, errs := m.try(t, "deletePost", ownedBy(keys.NewID("Member", "eve"), of(post, 0, write.Input{})))
	stored := m.stored(t, "POST#"+post.Value(), "POST#"+post.Value())
	if errs != "id: NOT_FOUND there is no Post with this id" || stored == nil {
		t.Errorf("deleted by somebody else: %s", errs)
	}
	m.must(t, "deletePost", ownedBy(ada, of(post, 0, write.Input{})))
	// Without a condition, what belongs to somebody is as what belongs to nobody.
	tag := m.must(t, "createTag", given("name", "go", "ownerId", ada)).ID
	m.must(t, "updateTag", of(tag, 1, given("text", "x")))
}

// TestMutateWithoutEnd: an object that changes before each attempt is given up.
func TestMutateWithoutEnd(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada := m.must(t, "createMember", given("name", "Ada")).ID
	post := m.must(t, "createPost", given("memberId", ada, "rank", 0)).ID
	rank := 0
	for name, in := range map[string]write.Input{
		"updatePost": of(post, 0, given("state", "OPEN")), "deletePost": of(post, 0, write.Input{}),
	} {
		attempts := 0
		s := &interrupted{store{m.Table}, 100, func() {
			attempts++
			rank++
			m.must(t, "updatePost", of(post, 0, given("rank", rank)))
		}}
		out, err := write.Mutate(write.NewContext(t.Context(), s), club, club.Mutation(name), in)
		if errs := userErrors(out); err != nil || !strings.HasPrefix(errs, "-: CONFLICT ") || attempts != 8 {
			t.Errorf("%s: %s, %v, after %d attempts", name, errs, err, attempts)
		}
		if got := out.Object.Text("rank"); got != fmt.Sprint(rank) {
			t.Errorf("%s: the object that is returned has rank %s, not %d", name, got, rank)
		}
	}
}

// TestMutateDay: a date that a write sets is the day of the write.
func TestMutateDay(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	if day := m.must(t, "createTag", given("name", "go")).Object.Text("day"); day != "1970-01-12" {
		t.Errorf("created on %s", day)
	}
}

func TestObjectKey(t *testing.T) {
	t.Parallel()
	row := &design.Type{
		Name: "Row", Identity: []string{"n", "left"}, Item: shape("ROW#{n:03}", "SIDE#{left}"),
		Attributes: []design.Attribute{
			{Name: "n", Kind: keys.Int, NonNull: true}, {Name: "left", Kind: keys.Boolean, NonNull: true},
		},
	}
	key, err := write.ObjectKey(row, keys.NewID("Row", "7", "true"))
	if want := (keys.Key{PK: "ROW#007", SK: "SIDE#true"}); err != nil || key != want {
		t.Errorf("got %v, %v", key, err)
	}
	for _, id := range []keys.ID{
		keys.NewID("Row", "7"), keys.NewID("Other", "7", "true"), keys.NewID("Row", "x", "true"),
	} {
		if _, err := write.ObjectKey(row, id); err == nil {
			t.Errorf("%s is an id", id)
		}
	}
}

// TestMutateLeftEntry: what another program has left of an index key goes with the value that it is made of, and not
// before.
func TestMutateLeftEntry(t *testing.T) {
	t.Parallel()
	d := design.MustDesign(nil, []*design.Type{{
		Name: "Doc", Identity: []string{"name"}, MaxBytes: 512, Item: shape("DOC#{name}", "DOC#{name}"),
		Attributes: []design.Attribute{
			{Name: "name", Kind: keys.String, NonNull: true}, {Name: "text", Kind: keys.String},
			{Name: "state", Kind: keys.String}, {Name: "rank", Kind: keys.Int},
		},
		Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("STATE#{state}", "{rank:04}#{name}")}},
	}}, nil).WithMutations([]*design.Mutation{
		{Name: "updateDoc", Kind: design.UpdateMutation, Type: "Doc", Inputs: []string{"state", "rank", "text"}, HasID: true},
	}, nil)
	for _, tt := range []struct {
		name string
		left item.Item
		in   write.Input
		want string
	}{
		{"one attribute", item.Item{text("GSI1PK", "STATE#OPEN")}, given("state", nil), ""},
		{"one attribute, another change", item.Item{text("GSI1PK", "STATE#OPEN")}, given("text", "x"), "STATE#OPEN"},
		{"an old entry", item.Item{text("GSI1PK", "STATE#NEW"), text("GSI1SK", "0001#a")}, given("state", nil), ""},
		{
			"an old entry becomes right", item.Item{text("GSI1PK", "STATE#NEW"), text("GSI1SK", "0001#a")},
			given("state", "OPEN", "rank", 1), "STATE#OPEN 0001#a",
		},
	} {
		m := &members{tabletest.Start(t, table.SchemaOf(d))}
		m.Load(t, append(item.Item{
			text("PK", "DOC#a"), text("SK", "DOC#a"), text("entityType", "Doc"), text("name", "a"), text("state", "OPEN"),
		}, tt.left...))
		out, err := write.Mutate(m.operation(t), d, d.Mutation("updateDoc"), of(keys.NewID("Doc", "a"), 0, tt.in))
		if err != nil || out.Any() {
			t.Fatalf("%s: %v, %s", tt.name, err, userErrors(out))
		}
		it := m.stored(t, "DOC#a", "DOC#a")
		if got := strings.TrimSpace(it.Text("GSI1PK") + " " + it.Text("GSI1SK")); got != tt.want {
			t.Errorf("%s: the entry is %q, want %q", tt.name, got, tt.want)
		}
	}
}
