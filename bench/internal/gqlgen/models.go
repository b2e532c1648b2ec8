package gqlgen

import (
	"strconv"

	"github.com/partita/partita/bench/internal/service"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/keys"
)

func newUser(it service.Item, v service.Viewer) *model.User {
	u := &model.User{
		ID:             keys.NewID("User", it.Text("id")),
		Name:           it.Text("name"),
		CreatedAt:      service.ParseTime(it.Text("createdAt")),
		OrderCount:     it.Int("orderCount"),
		FollowerCount:  it.Int("followerCount"),
		FollowingCount: it.Int("followingCount"),
		Version:        it.Int("version"),
	}
	if email := it.Text("email"); email != "" && v.MayRead(it.Text("id")) {
		u.Email = &email
	}
	return u
}

func newOrder(it service.Item) *model.Order {
	return &model.Order{
		ID:        keys.NewID("Order", it.Text("id")),
		UserID:    keys.NewID("User", it.Text("userId")),
		Status:    model.OrderStatus(it.Text("status")),
		CreatedAt: service.ParseTime(it.Text("createdAt")),
		Total:     newMoney(it, "total"),
		ItemCount: it.Int("itemCount"),
		Version:   it.Int("version"),
	}
}

func newItem(it service.Item) *model.Item {
	return &model.Item{
		ID:        keys.NewID("Item", it.Text("orderId"), strconv.Itoa(it.Int("line"))),
		OrderID:   keys.NewID("Order", it.Text("orderId")),
		UserID:    keys.NewID("User", it.Text("userId")),
		Line:      it.Int("line"),
		Sku:       it.Text("sku"),
		Name:      it.Text("name"),
		Quantity:  it.Int("quantity"),
		Price:     newMoney(it, "price"),
		CreatedAt: service.ParseTime(it.Text("createdAt")),
	}
}

func newMoney(it service.Item, name string) *model.Money {
	amount, currency := it.Money(name)
	return &model.Money{Amount: amount, Currency: currency}
}
