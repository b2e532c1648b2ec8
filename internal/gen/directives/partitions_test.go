package directives_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// TestInPartition: how many objects a schema lets into one partition of each key.
func TestInPartition(t *testing.T) {
	s := readDesign(t, load(t, &ast.Source{Name: "partitions.graphqls", Input: `
extend schema @table(indexes: [{name: "byTitle", pk: "PK", sk: "title", local: true}])
type Query {
  show(id: ID!): Show @get(pk: "SHOW#{id}", sk: "SHOW")
  users(email: String!): [User!] @query(index: "GSI1", pk: "EMAIL#{email}", atMost: 9)
  named(name: String!): UserConnection @query(index: "GSI2", pk: "NAME#{name}")
  open(status: Status!): ShowConnection @query(index: "GSI1", pk: "STATUS#{status}")
  all: ShowConnection @query(index: "GSI2", pk: "SHOWS")
  logs(at: TimeRange!): LogConnection @query(pk: "LOG#{at:month}")
}
enum Status { OPEN CLOSED }
type Show @item(pk: "SHOW#{id}", sk: "SHOW")
  @index(pk: "STATUS#{status}", sk: "{title}#{id}", shards: 4)
  @index(name: "GSI2", pk: "SHOWS", sk: "{title}#{id}", shards: 1) {
  id: ID!
  title: String!
  status: Status!
  seatCount: Int!
  bookedCount: Int! @counts(field: "bookings", max: "seatCount")
  guestCount: Int! @counts(field: "guests", max: "12")
  seats: [Seat!] @query(pk: "SHOW#{id}", sk: "SEAT#", atMost: 40)
  bookings: BookingConnection @query(pk: "SHOW#{id}", sk: "BOOKING#")
  guests: GuestConnection @query(pk: "GUESTS#{id}", sk: "GUEST#")
}
type Seat @item(pk: "SHOW#{showId}", sk: "SEAT#{number:03}") { id: ID! showId: ID! number: Int! }
type Booking @item(pk: "SHOW#{showId}", sk: "BOOKING#{bookingId}") { id: ID! showId: ID! bookingId: String! }
type Guest @item(pk: "GUESTS#{showId}", sk: "GUEST#{guestId}") { id: ID! showId: ID! guestId: String! }
type User @item(pk: "USER#{id}", sk: "USER")
  @index(pk: "EMAIL#{email}", sk: "{id}") @index(name: "GSI2", pk: "NAME#{name}", sk: "{id}") {
  id: ID!
  email: String! @unique(key: "EMAIL#{email}")
  name: String!
}
type Log @item(pk: "LOG#{at:month}", sk: "{at}#{logId}") { id: ID! at: Time! logId: String! }
`}))
	want := []string{
		"Booking item: at most `seatCount` (`Show.bookedCount`)",
		"Guest item: at most 12 (`Show.guestCount`)",
		"Log item: any number of one `{at:month}`",
		"Seat item: at most 40 (`Show.seats`)",
		"Show item: 1",
		"Show GSI1: any number: all with one `status`, in 4 partitions",
		"Show GSI2: any number: all objects",
		"Show byTitle: 1",
		"User item: 1",
		"User GSI1: 1",
		"User GSI2: any number",
	}
	text := string(s.AccessPatterns())
	var got []string
	for line := range strings.Lines(text) {
		if c := strings.Split(line, " | "); len(c) == 5 && strings.HasPrefix(c[0], "| `") && !strings.Contains(c[0], ".") {
			got = append(got, strings.Trim(c[0], "| `")+" "+c[1]+": "+strings.TrimSuffix(c[4], " |\n"))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	const local = "The table has local indexes (`byTitle`): with its entries there, a partition has at most\n[10 GB]("
	if !strings.Contains(text, local) {
		t.Error("the local index is not said")
	}
}
