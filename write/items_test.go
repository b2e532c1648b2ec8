package write_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// ticket has all that a stored object can have: a copy, an entry of the same
// index on either item, shards, an optional variable, an id of another type.
var ticket = &design.Type{
	Name: "Ticket",
	Attributes: []design.Attribute{
		{Name: "id", Kind: keys.IDKind, Ref: "Ticket", NonNull: true},
		{Name: "queueId", Kind: keys.IDKind, Ref: "Queue", NonNull: true},
		{Name: "externalId", Kind: keys.IDKind},
		{Name: "number", Kind: keys.Int, NonNull: true},
		{Name: "assignee", Kind: keys.String},
		{Name: "text", Kind: keys.String},
	},
	Identity: []string{"id"},
	MaxBytes: 400,
	Item:     shape("TICKET#{id}", "TICKET#{id}"),
	Copies:   []design.Copy{{Shape: shape("QUEUE#{queueId}", "TICKET#{number:05}")}},
	Indexes: []design.Index{
		{Name: "GSI1", Shape: shape("OPEN", "{number:05}"), Shards: 4},
		{Name: "GSI1", Shape: shape("ASSIGNEE#{assignee}", "{id}"), Shards: 1},
		{Name: "GSI2", Shape: shape("EXTERNAL#{externalId}", "{id}"), Shards: 1},
	},
}

var tickets = design.MustDesign(nil, []*design.Type{ticket}, nil)

func shape(pk, sk string) keys.Shape {
	return keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}
}

func text(name, value string) item.Attribute {
	return item.Attribute{Name: name, Value: item.StringValue(value)}
}

func share(value float64) item.Attribute {
	return item.Attribute{Name: "share", Value: item.FloatValue(value)}
}

func idOf(name, typ string, values ...string) item.Attribute {
	return item.Attribute{Name: name, Value: keys.IDAttribute(keys.NewID(typ, values...))}
}

func attributes(changes ...item.Attribute) item.Item {
	it := item.Item{
		{Name: "id", Value: keys.IDAttribute(keys.NewID("Ticket", "t1"))},
		{Name: "queueId", Value: keys.IDAttribute(keys.NewID("Queue", "q1"))},
		{Name: "number", Value: item.NumberValue(42)},
		{Name: "assignee"},
	}
	for _, c := range changes {
		replaced := false
		for i := range it {
			if it[i].Name == c.Name {
				it[i], replaced = c, true
			}
		}
		if !replaced {
			it = append(it, c)
		}
	}
	return it
}

// line writes an item as name=value pairs in their order.
func line(it item.Item) string {
	parts := make([]string, len(it))
	for i, a := range it {
		parts[i] = a.Name + "=" + a.Value.Text
	}
	return strings.Join(parts, " ")
}

func TestItems(t *testing.T) {
	for _, c := range []struct {
		name string
		in   item.Item
		want []string
	}{
		{"optional variables unset", attributes(), []string{
			"PK=TICKET#t1 SK=TICKET#t1 GSI1PK=OPEN#2 GSI1SK=00042 " +
				"entityType=Ticket id=t1 queueId=q1 number=42",
			"PK=QUEUE#q1 SK=TICKET#00042 " +
				"entityType=Ticket id=t1 queueId=q1 number=42",
		}},
		{"the second entry of an index is on the copy", attributes(text("assignee", "ada")), []string{
			"PK=TICKET#t1 SK=TICKET#t1 GSI1PK=OPEN#2 GSI1SK=00042 " +
				"entityType=Ticket id=t1 queueId=q1 number=42 assignee=ada",
			"PK=QUEUE#q1 SK=TICKET#00042 GSI1PK=ASSIGNEE#ada GSI1SK=t1 " +
				"entityType=Ticket id=t1 queueId=q1 number=42 assignee=ada",
		}},
		{"another index begins at the item again", attributes(idOf("externalId", "", "x9")), []string{
			"PK=TICKET#t1 SK=TICKET#t1 GSI1PK=OPEN#2 GSI1SK=00042 GSI2PK=EXTERNAL#x9 GSI2SK=t1 " +
				"entityType=Ticket id=t1 queueId=q1 number=42 externalId=x9",
			"PK=QUEUE#q1 SK=TICKET#00042 " +
				"entityType=Ticket id=t1 queueId=q1 number=42 externalId=x9",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			items := must(write.Items(ticket, c.in))
			if len(items) != len(c.want) {
				t.Fatalf("%d items, want %d", len(items), len(c.want))
			}
			for i := range items {
				if got := line(items[i]); got != c.want[i] {
					t.Errorf("item %d:\n got %s\nwant %s", i, got, c.want[i])
				}
			}
		})
	}
}

func TestItemsErrors(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   item.Attribute
		argument string
		message  string
	}{
		{"a missing attribute", item.Attribute{Name: "queueId"}, "queueId", "queueId must be given"},
		{"the id of another type", idOf("queueId", "Ticket", "t2"), "queueId", "queueId must be the id of a Queue"},
		{"a global id for an opaque one", idOf("externalId", "Queue", "q1"), "externalId",
			"externalId must be an id of this table's own, not a global id"},
		{"an id of several values", idOf("queueId", "Queue", "a", "b"), "queueId", "queueId must be the id of a Queue"},
		{"a delimiter in a key", text("assignee", "a#b"), "assignee", "assignee must not contain '#' or a control character"},
		{"a number that does not fit", item.Attribute{Name: "number", Value: item.NumberValue(100000)}, "number",
			"number must be between 0 and 99999"},
		{"an empty key value", text("assignee", ""), "assignee", "assignee must not be empty"},
		{"a number beyond DynamoDB's", share(1e300), "share", "share must be 0 or from 1E-130 to 9.9E+125"},
		{"no number", share(math.NaN()), "share", "share must be a number"},
		{"an item that is too large", text("text", strings.Repeat("x", 400)), "", "this Ticket takes "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := write.Items(ticket, attributes(c.change))
			var input *keys.InputError
			if !errors.As(err, &input) {
				t.Fatalf("got %v, want an InputError", err)
			}
			if input.Argument != c.argument || !strings.HasPrefix(input.Message, c.message) {
				t.Errorf("got %q about %q, want %q about %q", input.Message, input.Argument, c.message, c.argument)
			}
		})
	}
}

// TestItemsOfCompoundID checks that of an id with two values, the one of the attribute is stored.
// TestItemsWithDefault: an attribute that is not given has its default, which a given value replaces.
func TestItemsWithDefault(t *testing.T) {
	note := *ticket
	note.Attributes = append(slices.Clone(ticket.Attributes), design.Attribute{
		Name: "likes", Kind: keys.Int, NonNull: true, Default: item.NumberValue(3),
	})
	for want, given := range map[int][]item.Attribute{
		3: nil, 5: {{Name: "likes", Value: item.NumberValue(5)}},
	} {
		items, err := write.Items(&note, attributes(given...))
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			if v, _ := it.Get("likes"); v.Text != strconv.Itoa(want) {
				t.Errorf("with %v likes are %v", given, v)
			}
		}
	}
}

func TestItemsOfCompoundID(t *testing.T) {
	room := &design.Type{
		Name: "Room",
		Attributes: []design.Attribute{
			{Name: "hotelId", Kind: keys.IDKind, Ref: "Hotel", NonNull: true},
			{Name: "id", Kind: keys.IDKind, Ref: "Room", NonNull: true},
		},
		Identity: []string{"hotelId", "id"},
		MaxBytes: 400,
		Item:     shape("HOTEL#{hotelId}", "ROOM#{id}"),
	}
	items := must(write.Items(room, item.Item{
		{Name: "hotelId", Value: keys.IDAttribute(keys.NewID("Hotel", "h1"))},
		{Name: "id", Value: keys.IDAttribute(keys.NewID("Room", "h1", "r7"))},
	}))
	if got, want := line(items[0]), "PK=HOTEL#h1 SK=ROOM#r7 entityType=Room hotelId=h1 id=r7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// An index of an existing table can have a partition key alone.
func TestItemsOfIndexWithoutSortKey(t *testing.T) {
	id := keys.MustTemplate("{id}")
	typ := &design.Type{
		Name: "Note", Attributes: []design.Attribute{{Name: "id", Kind: keys.String, NonNull: true}},
		Identity: []string{"id"}, MaxBytes: 1024, Item: keys.Shape{PK: id, SK: id},
		Indexes: []design.Index{{Name: "by-id", Shape: keys.Shape{PK: id}, Shards: 1}},
	}
	items := must(write.Items(typ, item.Item{{Name: "id", Value: item.StringValue("n1")}}))
	pk, _ := items[0].Get(keys.IndexPK("by-id"))
	if _, set := items[0].Get(keys.IndexSK("by-id")); pk.Text != "n1" || set {
		t.Errorf("the item is %v", items[0])
	}
}

// TestItemsRounded: an object that has been created has its times as they are read afterwards.
func TestItemsRounded(t *testing.T) {
	lap := &design.Type{
		Name: "Lap", Identity: []string{"name"}, MaxBytes: 400, Item: shape("LAP#{name}", "LAP"),
		Attributes: []design.Attribute{
			{Name: "name", Kind: keys.String, NonNull: true}, {Name: "at", Kind: keys.Time, As: keys.EpochSeconds},
			{Name: "day", Kind: keys.Time, As: keys.DayOnly}, {Name: "exact", Kind: keys.Time},
		},
	}
	const exact = "2026-01-31T09:30:00.250Z"
	given := item.Item{{Name: "name", Value: item.StringValue("first")}}
	for _, name := range []string{"at", "day", "exact"} {
		given = append(given, item.Attribute{Name: name, Value: item.StringValue(exact)})
	}
	items := must(write.Items(lap, given))
	for name, want := range map[string]string{
		"at": "2026-01-31T09:30:00.000Z", "day": "2026-01-31T00:00:00.000Z", "exact": exact,
	} {
		if got := items[0].Text(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
