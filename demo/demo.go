// Package demo generates the shop's demo data. They are the same on every machine, and enough for several pages, all
// shards and a popular user.
package demo

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
)

// Numbers of users and orders. Shoppers place orders and follow each other; readers only follow Ada.
const (
	Shoppers = 200
	Readers  = 2000
	Orders   = 2000
	// follows is the number of users that a shopper follows; Ada follows adaFollows.
	follows    = 10
	adaFollows = 30
	// adaOrders of the orders are Ada's.
	adaOrders = 40
)

// opened is when the shop opened; everything happens in the year after it.
var opened = time.Date(2025, time.October, 1, 8, 0, 0, 0, time.UTC)

const year = 365 * 24 * time.Hour

// Ada returns the id of the user in the examples.
func Ada() keys.ID { return newShop().user(0).ID }

// Items returns all stored items, copies included, in a fixed order.
func Items() iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		s := newShop()
		s.fill()
		s.yield(yield)
	}
}

type shop struct {
	random  *rand.Rand
	users   []*model.User
	orders  []*model.Order
	items   []*model.Item
	follows []*model.Follow
}

func newShop() *shop {
	return &shop{random: rand.New(rand.NewPCG(20251001, 7))}
}

// fill generates everything.
func (s *shop) fill() {
	for i := range Shoppers + Readers {
		s.users = append(s.users, s.user(i))
	}
	s.placeOrders()
	s.followEachOther()
}

func (s *shop) user(i int) *model.User {
	first := firstNames[i%len(firstNames)]
	last := lastNames[(i/len(firstNames)+i)%len(lastNames)]
	email := fmt.Sprintf("user%04d@example.com", i)
	if i == 0 {
		email = "ada@example.com"
	}
	at := opened.Add(time.Duration(i) * time.Minute)
	return &model.User{
		ID:        keys.NewID("User", s.uuid(at)),
		Name:      first + " " + last,
		Email:     &email,
		CreatedAt: at,
		Version:   1,
	}
}

// uuid returns a version 7 UUID (RFC 9562, section 5.7). Its random bits are from the shop's generator, so that ids are
// the same each time.
func (s *shop) uuid(at time.Time) string {
	var u uuid.UUID
	ms := uint64(at.UnixMilli())
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	for i := 6; i < 16; i++ {
		u[i] = byte(s.random.Uint32())
	}
	u[6] = u[6]&0x0f | 0x70
	u[8] = u[8]&0x3f | 0x80
	return u.String()
}

func (s *shop) placeOrders() {
	for i := range Orders {
		customer := s.users[s.random.IntN(Shoppers)]
		if i%(Orders/adaOrders) == 0 {
			customer = s.users[0]
		}
		// Each order has a millisecond of its own, so that no two have the same time.
		at := opened.Add(24*time.Hour + time.Duration(i)*(year/(Orders+10)) + time.Duration(i)*time.Millisecond)
		s.placeOrder(i, customer, at)
	}
}

func (s *shop) placeOrder(i int, customer *model.User, at time.Time) {
	o := &model.Order{
		ID:        keys.NewID("Order", s.uuid(at)),
		UserID:    customer.ID,
		Status:    s.status(i),
		CreatedAt: at,
		ItemCount: 1 + s.random.IntN(5),
		Total:     &model.Money{Currency: "EUR"},
		Version:   1,
	}
	for line := 1; line <= o.ItemCount; line++ {
		p := products[s.random.IntN(len(products))]
		it := &model.Item{
			ID:        keys.NewID("Item", o.ID.Value(), fmt.Sprint(line)),
			OrderID:   o.ID,
			UserID:    customer.ID,
			Line:      line,
			Sku:       p.sku,
			Name:      p.name,
			Quantity:  1 + s.random.IntN(3),
			Price:     &model.Money{Amount: p.price, Currency: "EUR"},
			CreatedAt: at,
		}
		o.Total.Amount += it.Quantity * it.Price.Amount
		s.items = append(s.items, it)
	}
	customer.OrderCount++
	s.orders = append(s.orders, o)
}

// status depends on the age: the newest orders are pending, most of the others delivered.
func (s *shop) status(i int) model.OrderStatus {
	switch age := Orders - i; {
	case s.random.IntN(20) == 0:
		return model.OrderStatusCancelled
	case age <= 150:
		return model.OrderStatusPending
	case age <= 250:
		return model.OrderStatusPaid
	case age <= 400:
		return model.OrderStatusShipped
	default:
		return model.OrderStatusDelivered
	}
}

func (s *shop) followEachOther() {
	for i, u := range s.users[:Shoppers] {
		n := follows
		if i == 0 {
			n = adaFollows
		}
		for _, k := range s.random.Perm(Shoppers - 1)[:n] {
			s.follow(u, s.users[(i+1+k)%Shoppers])
		}
	}
	for _, u := range s.users[Shoppers:] {
		s.follow(u, s.users[0])
	}
}

func (s *shop) follow(follower, followee *model.User) {
	follower.FollowingCount++
	followee.FollowerCount++
	s.follows = append(s.follows, &model.Follow{
		ID:         keys.NewID("Follow", follower.ID.Value(), followee.ID.Value()),
		FollowerID: follower.ID,
		FolloweeID: followee.ID,
		FollowedAt: opened.Add(72*time.Hour + time.Duration(len(s.follows))*time.Minute),
	})
}

// yield yields all stored items, as the mutations write them.
func (s *shop) yield(yield func(item.Item) bool) {
	_ = yieldAll(s.users, typed.StoredUser, yield) &&
		yieldAll(s.users, emailClaim, yield) &&
		yieldAll(s.orders, typed.StoredOrder, yield) &&
		yieldAll(s.items, typed.StoredItem, yield) &&
		yieldAll(s.follows, typed.StoredFollow, yield)
}

// emailClaim returns the claim that makes a user's e-mail address unique.
func emailClaim(u *model.User) ([]item.Item, error) {
	claimed, err := claim.Email(*u.Email, u.ID)
	return []item.Item{claimed}, err
}

func yieldAll[T any](all []T, stored func(T) ([]item.Item, error), yield func(item.Item) bool) bool {
	for _, one := range all {
		items, err := stored(one)
		if err != nil {
			panic("demo: bug in the demo data: " + err.Error())
		}
		for _, it := range items {
			if !yield(it) {
				return false
			}
		}
	}
	return true
}
