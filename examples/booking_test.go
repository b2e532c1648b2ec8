package examples

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// crowdSize is how many users are there at the same time.
const crowdSize = 64

// TestBookingCrowd lets many users hold, book and cancel the same three seats and pay each other, while the table
// throttles and loses answers. A seat is never booked twice, and money is neither created nor lost.
func TestBookingCrowd(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "booking").Serve(t)
	users := make([]string, crowdSize)
	for i := range users {
		users[i] = fmt.Sprintf("user%d", i)
	}
	total := crowdSize*1000 + 1000 + 30 // what new accounts have, and those of data.jsonl
	each(users, func(i int, user string) {
		body := s.SendAs(t, viewer.Viewer{ID: user}, `mutation { openAccount(input: { name: "x" }) { userErrors { code } } }`)
		if !strings.Contains(body, `"userErrors":[]`) {
			t.Errorf("%s: %s", user, body)
		}
	})
	s.Engine.Proxy.Inject(tabletest.Faults{Throttled: 0.05, Failed: 0.02, Conflict: 0.05, Lost: 0.03})
	each(users, func(i int, user string) {
		send := func(format string, values ...any) string {
			return s.SendAs(t, viewer.Viewer{ID: user}, fmt.Sprintf(format, values...))
		}
		for n := range 3 {
			seat := fmt.Sprintf("Seat:hamlet/%d", 1+(i+n)%3)
			send(`mutation { holdSeat(input: { id: %q }) { userErrors { code } } }`, seat)
			send(`mutation { transfer(input: { toId: "Account:%s", amount: %d, idempotencyKey: "%d" }) { userErrors { code } }
			}`, users[(i+7*n+1)%crowdSize], 10+i, n)
			body := send(`mutation { bookSeat(input: { seatId: %q, price: %d, idempotencyKey: "%d" }) { booking { id } } }`,
				seat, []int{40, 40, 25}[(i+n)%3], n)
			if id := bookingIn(body); id != "" && i%2 == 0 {
				send(`mutation { cancelBooking(input: { bookingId: %q }) { deletedBookingId } }`, id)
			}
		}
	})
	s.Engine.Proxy.Inject(tabletest.Faults{})
	sum := 0
	for _, user := range append(users, "ada", "bob") {
		balance := accountOf(t, s, user)
		if sum += balance; balance < 0 {
			t.Errorf("the balance of %s is %d", user, balance)
		}
	}
	if booked := bookedSeats(t, s); sum+booked != total {
		t.Errorf("there are %d and seats for %d instead of %d", sum, booked, total)
	}
	s.Check(t)
}

// bookedSeats returns what the booked seats have cost. Each has one booking, and no other has any.
func bookedSeats(t *testing.T, s *exampletest.Service) (sum int) {
	t.Helper()
	var answer struct {
		Data struct {
			Show struct {
				BookedCount int
				Seats       []struct {
					Number, Price int
					Status        string
				}
				Bookings struct{ Nodes []struct{ Number, Price int } }
			}
		}
	}
	body := s.SendAs(t, viewer.Viewer{ID: "eve", Roles: []string{"ADMIN"}}, `{ show(id: "Show:hamlet") {
		bookedCount seats { number price status } bookings(first: 50) { nodes { number price } } } }`)
	if err := json.Unmarshal([]byte(body), &answer); err != nil || strings.Contains(body, "errors") {
		t.Fatal(body, err)
	}
	show, bookings := answer.Data.Show, map[int]int{}
	for _, b := range show.Bookings.Nodes {
		bookings[b.Number]++
		sum += b.Price
	}
	for _, seat := range show.Seats {
		if isBooked := seat.Status == "BOOKED"; isBooked != (bookings[seat.Number] == 1) || bookings[seat.Number] > 1 {
			t.Errorf("seat %d is %s, with %d bookings", seat.Number, seat.Status, bookings[seat.Number])
		}
	}
	if n := len(show.Bookings.Nodes); n == 0 || n != show.BookedCount {
		t.Errorf("%d bookings, and the counter is %d", n, show.BookedCount)
	}
	return sum
}

// each calls a function for all users at the same time.
func each(users []string, do func(int, string)) {
	var group sync.WaitGroup
	for i, user := range users {
		group.Go(func() { do(i, user) })
	}
	group.Wait()
}

// bookingIn returns the id of the booking in an answer, or "".
func bookingIn(body string) string {
	var answer struct {
		Data struct {
			BookSeat struct{ Booking struct{ ID string } }
		}
	}
	_ = json.Unmarshal([]byte(body), &answer)
	return answer.Data.BookSeat.Booking.ID
}

func accountOf(t *testing.T, s *exampletest.Service, user string) int {
	t.Helper()
	var answer struct {
		Data struct{ Account struct{ Balance int } }
	}
	body := s.SendAs(t, viewer.Viewer{ID: user}, fmt.Sprintf(`{ account(id: "Account:%s") { balance } }`, user))
	if err := json.Unmarshal([]byte(body), &answer); err != nil || strings.Contains(body, "errors") {
		t.Error(user, body, err)
	}
	return answer.Data.Account.Balance
}

// TestBookingRoom: what is written without a read before it has room in an object of the largest size, so that nothing
// consumes more than its price.
func TestBookingRoom(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "booking").Serve(t)
	user, longest := "", 0
	for n := range 1024 {
		id := fmt.Sprintf("u%d", n)
		body := s.SendAs(t, viewer.Viewer{ID: id}, fmt.Sprintf(
			`mutation { openAccount(input: { name: "%s" }) { userErrors { code } } }`, strings.Repeat("x", n)))
		if !strings.Contains(body, `"userErrors":[]`) {
			break
		}
		user, longest = id, n
	}
	if longest < 700 || longest > 950 {
		t.Errorf("the longest name has %d characters", longest)
	}
	price := write.WorkloadOf(s.Schema.Design, s.Schema.Mutation("transfer"), &write.Input{}).Units()
	for _, amount := range []int{1, 999, 1_000_000_000} {
		body := s.SendAs(t, viewer.Viewer{ID: user}, fmt.Sprintf(
			`mutation { transfer(input: { toId: "Account:ada", amount: %d }) { userErrors { code } } }`, amount))
		if cost := fmt.Sprintf(`"writeUnits":%d,`, price); !strings.Contains(body, cost) {
			t.Errorf("the price is %d: %s", price, body)
		}
	}
}
