package resolvers

import (
	"fmt"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// Violations of the shop's rules, in addition to those of the design.
const (
	// TombstoneWrong: a deleted user's item is not as the sweep needs it.
	TombstoneWrong check.Kind = "TOMBSTONE_WRONG"
	// OrderWrong: an order's itemCount or total is not that of its lines.
	OrderWrong check.Kind = "ORDER_WRONG"
)

// Invariants are the shop's rules for `partita table check`, in addition to those of the design.
var Invariants = []check.Rule{
	{Type: "User", Inspect: tombstoneIsWhole},
	{Type: claim.Orders.Type, Inspect: orderClaimHolds},
	{Type: "Order", Inspect: orderFitsLines},
}

// tombstoneIsWhole: a deleted user has only what the sweep needs, where the sweep looks for it.
func tombstoneIsWhole(it item.Item, _ check.Reader) []check.Violation {
	if !keys.IsDeleted(it) {
		return nil
	}
	at := keys.KeyOf(it)
	whole, err := deletion.Whole(it)
	if err != nil {
		return []check.Violation{check.At(at, TombstoneWrong, fmt.Sprintf("the sweep cannot remove this user: %v", err))}
	}
	change := write.Change(it, whole)
	if len(change.Set)+len(change.Remove) == 0 {
		return nil
	}
	change.If = write.IfUnchanged(typed.Design, it)
	v := check.At(at, TombstoneWrong,
		"the item of a deleted user holds more than its counters, or is not where the sweep looks for it")
	return []check.Violation{v.FixedBy("make it as deleteUser does", change)}
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
