package examples

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/partita/partita/keys"
)

// credit is what each new account of the theatre has.
const credit = 1000

// prices are those of the seats of Hamlet, in their order.
var prices = []int{40, 40, 25}

// theatre is the crowd of the example booking: all want the same three seats, and pay each other.
type theatre struct{ guests []*guest }

func newTheatre() crowd { return &theatre{} }

// guest holds, books and cancels. The ledger is what it has been told.
type guest struct {
	*caller
	theatre *theatre
	// balance is without what others have paid, and paid is what each other one has got.
	balance int
	paid    map[*guest]int
	// bookings are the numbers of seats, by the id of the booking.
	bookings map[string]int
}

func (th *theatre) enter(c *caller) (open, step func(context.Context) error) {
	g := &guest{caller: c, theatre: th, balance: credit, paid: map[*guest]int{}, bookings: map[string]int{}}
	th.guests = append(th.guests, g)
	return g.open, g.step
}

func (g *guest) open(ctx context.Context) error {
	o, err := g.do(ctx, "openAccount", input{"name": g.Name}, "")
	if err != nil || o.doubt && o.code() == "ALREADY" {
		return err
	}
	return o.want("")
}

func (g *guest) step(ctx context.Context) error {
	switch n := g.Random.IntN(4); {
	case n == 0:
		return g.pay(ctx)
	case len(g.bookings) > 1, len(g.bookings) == 1 && n == 1:
		return g.cancel(ctx)
	}
	return g.book(ctx)
}

// pay transfers an amount, sometimes twice with one key.
func (g *guest) pay(ctx context.Context) error {
	to, _ := one(g.caller, g.theatre.guests)
	if to == g {
		return nil
	}
	in := input{
		"toId": keys.NewID("Account", to.Name).Encode(), "amount": 1 + g.Random.IntN(30), "idempotencyKey": g.Next("pay"),
	}
	o, err := g.do(ctx, "transfer", in, "")
	if err != nil || !o.done() {
		return orError(err, o, "INSUFFICIENT", "CONFLICT")
	}
	g.balance -= in["amount"].(int)
	g.paid[to] += in["amount"].(int)
	if g.Random.IntN(3) > 0 {
		return nil
	}
	o, err = g.do(ctx, "transfer", in, "")
	return orError(err, o, "")
}

// book holds a seat, which others may have, and books it. It is not held for anybody at another price.
func (g *guest) book(ctx context.Context) error {
	price, i := one(g.caller, prices)
	seat := keys.NewID("Seat", "hamlet", strconv.Itoa(i+1)).Encode()
	o, err := g.do(ctx, "holdSeat", input{"id": seat}, "seat { heldBy }")
	if err != nil || !o.done() && !o.doubt {
		return orError(err, o, "TAKEN", "CONFLICT")
	}
	isHeld := o.done()
	o, err = g.do(ctx, "bookSeat", input{"seatId": seat, "price": price - 1, "idempotencyKey": g.Next("cheap")}, "")
	if err := orError(err, o, "NOT_HELD"); err != nil {
		return err
	}
	o, err = g.do(ctx, "bookSeat", input{"seatId": seat, "price": price, "idempotencyKey": g.Next("book")},
		"booking { id number price }")
	switch {
	case err == nil && o.done():
		g.balance -= price
		g.bookings[o.field("booking", "id")] = i + 1
		return nil
	case isHeld:
		return orError(err, o, "INSUFFICIENT", "CONFLICT")
	}
	return orError(err, o, "NOT_HELD", "INSUFFICIENT", "CONFLICT")
}

// cancel gives a seat back, and tries to get its price twice.
func (g *guest) cancel(ctx context.Context) error {
	for id, number := range g.bookings {
		in := input{"bookingId": id, "idempotencyKey": g.Next("cancel")}
		o, err := g.do(ctx, "cancelBooking", in, "")
		if err != nil || !o.done() {
			return orError(err, o, "CONFLICT")
		}
		g.balance += prices[number-1]
		delete(g.bookings, id)
		o, err = g.do(ctx, "cancelBooking", input{"bookingId": id}, "")
		return orError(err, o, "NOT_FOUND")
	}
	return nil
}

// orError returns an error unless the code of the outcome is one of these.
func orError(err error, o outcome, codes ...string) error {
	if err != nil {
		return err
	}
	return o.want(codes...)
}

// check: each seat is booked once or not at all, by whom was told so, and each balance is exact.
func (th *theatre) check(t *testing.T, all objects) {
	t.Helper()
	booked := 0
	seats := map[string]string{}
	balances := map[*guest]int{}
	for _, g := range th.guests {
		balances[g] += g.balance
		for to, amount := range g.paid {
			balances[to] += amount
		}
		for id, number := range g.bookings {
			booked++
			if other := seats[strconv.Itoa(number)]; other != "" {
				t.Errorf("seat %d is booked by %s and by %s", number, other, g.Name)
			}
			seats[strconv.Itoa(number)] = g.Name
			if it := all["Booking"][id]; it.Text("userId") != g.Name || it.Text("number") != strconv.Itoa(number) {
				t.Errorf("%s booked seat %d, and the table has %v", g.Name, number, it)
			}
		}
	}
	for _, it := range all["Seat"] {
		if isBooked := it.Text("status") == "BOOKED"; isBooked != (seats[it.Text("number")] != "") {
			t.Errorf("seat %s is %s, and booked by %q", it.Text("number"), it.Text("status"), seats[it.Text("number")])
		}
	}
	for g, want := range balances {
		got := all["Account"][keys.NewID("Account", g.Name).Encode()].Text("balance")
		if got != fmt.Sprint(want) || want < 0 {
			t.Errorf("%s has %s instead of %d", g.Name, got, want)
		}
	}
	if n := len(all["Booking"]); n != booked {
		t.Errorf("%d bookings instead of %d", n, booked)
	}
}
