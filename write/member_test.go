package write_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// anyone and hosts are members of a room.
func anyone() *design.Member {
	return &design.Member{
		Word: "MEMBER", Type: "Membership", PK: keys.MustTemplate("ROOM#{roomId}"), SK: keys.MustTemplate("MEMBER#{viewer}"),
	}
}

func hosts() *design.Member {
	m := anyone()
	m.Word, m.Where = "HOST", "role = HOST"
	return m
}

// rooms is a design in which members of a room create notes in it, and hosts change them.
var rooms = design.MustDesign(nil, []*design.Type{
	{
		Name: "Membership", Identity: []string{"roomId", "userId"}, MaxBytes: 1024,
		Item: shape("ROOM#{roomId}", "MEMBER#{userId}"),
		Attributes: []design.Attribute{
			{Name: "roomId", Kind: keys.IDKind, NonNull: true}, {Name: "userId", Kind: keys.IDKind, NonNull: true},
			{Name: "role", Kind: keys.String}, {Name: "since", Kind: keys.String},
		},
	},
	{
		Name: "Note", Identity: []string{"roomId", "n"}, MaxBytes: 1024, Item: shape("ROOM#{roomId}", "NOTE#{n:03}"),
		Attributes: []design.Attribute{
			{Name: "roomId", Kind: keys.IDKind, NonNull: true}, {Name: "n", Kind: keys.Int, NonNull: true},
			{Name: "text", Kind: keys.String},
		},
	},
}, nil).WithMutations([]*design.Mutation{
	{
		Name: "createNote", Kind: design.CreateMutation, Type: "Note", Inputs: []string{"roomId", "n", "text"},
		Members: []*design.Member{anyone()},
	},
	{
		Name: "updateNote", Kind: design.UpdateMutation, Type: "Note", HasID: true, Inputs: []string{"text"},
		Members: []*design.Member{hosts()},
	},
	{
		Name: "leave", Kind: design.DeleteMutation, Type: "Membership", HasID: true, Members: []*design.Member{anyone()},
	},
}, nil)

// TestMembershipThatEnds: nothing is written after a membership has ended, or does not have what the rule demands any
// more, even if that happens between the read and the write.
func TestMembershipThatEnds(t *testing.T) {
	t.Parallel()
	room := item.Attribute{Name: "roomId", Value: keys.IDAttribute(keys.NewID("", "a"))}
	text := func(name, value string) item.Attribute {
		return item.Attribute{Name: name, Value: item.StringValue(value)}
	}
	membership := func(attributes ...item.Attribute) item.Item {
		items, err := write.Items(rooms.Type("Membership"), append(item.Item{
			room, {Name: "userId", Value: keys.IDAttribute(keys.NewID("", "ada"))},
		}, attributes...))
		if err != nil {
			t.Fatal(err)
		}
		return items[0]
	}
	note := keys.NewID("Note", "a", "1")
	number := item.Attribute{Name: "n", Value: item.NumberValue(2)}
	host := membership(text("role", "HOST"))
	for _, tt := range []struct {
		name, mutation string
		in             write.Input
		then           item.Item // nil for the end
		want           string
	}{
		{"created", "createNote", write.Input{Set: item.Item{room, number}}, host, ""},
		{"ended before a creation", "createNote", write.Input{Set: item.Item{room, number}}, nil, "no member"},
		{"changed", "updateNote", write.Input{ID: note, Set: item.Item{text("text", "b")}}, host, ""},
		{"ended", "updateNote", write.Input{ID: note, Set: item.Item{text("text", "b")}}, nil, "no member"},
		{
			"no host any more", "updateNote", write.Input{ID: note, Set: item.Item{text("text", "b")}},
			membership(text("role", "GUEST")), "no member",
		},
		{
			"still a host", "updateNote", write.Input{ID: note, Set: item.Item{text("text", "b")}},
			membership(text("role", "HOST"), text("since", "today")), "",
		},
		{"left", "leave", write.Input{ID: keys.NewID("Membership", "a", "ada")}, host, ""},
		{"left twice", "leave", write.Input{ID: keys.NewID("Membership", "a", "ada")}, nil, "no member"},
	} {
		e := tabletest.Start(t, table.SchemaOf(rooms))
		first, err := write.Items(rooms.Type("Note"), item.Item{room, {Name: "n", Value: item.NumberValue(1)}})
		if err != nil {
			t.Fatal(err)
		}
		e.Load(t, append(first, host)...)
		s := &interrupted{store{e.Table}, 1, func() {
			var w write.Transaction
			if w.Add("end", write.DeleteItem(keys.KeyOf(host))); tt.then != nil {
				w = write.Transaction{}
				w.Add("change", write.PutItem(tt.then))
			}
			if _, err := e.Table.TransactWriteItems(t.Context(), w); err != nil {
				t.Error(err)
			}
		}}
		m := rooms.Mutation(tt.mutation)
		tt.in.Caller, tt.in.Members = "ada", m.Members
		work := write.WorkloadOf(rooms, m, &tt.in)
		e.Proxy.Reset()
		out, err := write.Mutate(write.NewContext(t.Context(), s), rooms, m, tt.in)
		got := userErrors(out)
		if errors.Is(err, write.ErrNotMember) {
			got, err = "no member", nil
		}
		if got != tt.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
		if counts := e.Proxy.Counts(); counts.ReadUnits > work.ReadUnits {
			t.Errorf("%s: %v read units, of %v", tt.name, counts.ReadUnits, work.ReadUnits)
		}
	}
}
