package resolvers

import (
	"fmt"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// OrderWrong is the violation of an order whose itemCount or total is not that of its lines.
const OrderWrong check.Kind = "ORDER_WRONG"

// Invariants are the shop's rules for `partita table check`, in addition to those of the design.
var Invariants = []check.Rule{
	{Type: claim.Orders.Type, Inspect: orderClaimHolds},
	{Type: "Order", Inspect: orderFitsLines},
}

// orderClaimHolds: the claim of an order names an order that exists, or one of a deleted customer.
func orderClaimHolds(it item.Item, r check.Reader) []check.Violation {
	at := keys.KeyOf(it)
	remove := write.DeleteItem(at, write.IfUnchanged(typed.Design, it)...)
	order, err := typed.OrderKey(claim.Orders.HolderOf(it))
	if err != nil {
		v := check.At(at, check.ClaimOrphan, "the claim names no order")
		return []check.Violation{v.FixedBy("delete it", remove)}
	}
	if r.Get(order) != nil {
		return nil
	}
	if user, err := typed.UserKey(claim.CustomerOf(at)); err == nil {
		if customer := r.Get(user); customer == nil || keys.IsDeleted(customer) {
			return nil // It goes by itself when it expires.
		}
	}
	v := check.At(at, check.ClaimOrphan, fmt.Sprintf("the order %s does not exist", order.PK))
	gone := write.CheckItem(order, write.IfMissing())
	return []check.Violation{v.FixedBy("delete it", remove, gone)}
}

// orderFitsLines: itemCount and total of an order fit its lines.
func orderFitsLines(it item.Item, r check.Reader) []check.Violation {
	at := keys.KeyOf(it)
	order, err := model.NewOrder(it)
	if err != nil {
		return nil // reported as ITEM_INVALID
	}
	lines, total := 0, 0
	items, err := typed.OrderItems(order.ID).Condition()
	if err != nil {
		return nil // reported as ITEM_INVALID
	}
	for _, p := range items.Partitions {
		for stored := range r.Range("", p.PK, items.Prefix) {
			line, err := model.NewItem(stored)
			if err != nil {
				return nil // reported when the line is inspected
			}
			lines++
			total += line.Quantity * line.Price.Amount
		}
	}
	var found []check.Violation
	if lines != order.ItemCount {
		found = append(found, check.At(at, OrderWrong,
			fmt.Sprintf("itemCount is %d; the order has %d lines", order.ItemCount, lines)))
	}
	if lines == order.ItemCount && total != order.Total.Amount {
		found = append(found, check.At(at, OrderWrong,
			fmt.Sprintf("total is %d; the lines come to %d", order.Total.Amount, total)))
	}
	return found
}
