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
	// ClaimMissing: there is no claim of a user's e-mail address.
	ClaimMissing check.Kind = "CLAIM_MISSING"
	// ClaimWrong: the claim of a user's e-mail address is for another user.
	ClaimWrong check.Kind = "CLAIM_WRONG"
	// ClaimOrphan: a claim is for something that does not exist.
	ClaimOrphan check.Kind = "CLAIM_ORPHAN"
	// TombstoneWrong: a deleted user's item is not as the sweep needs it.
	TombstoneWrong check.Kind = "TOMBSTONE_WRONG"
	// OrderWrong: an order's itemCount or total is not that of its lines.
	OrderWrong check.Kind = "ORDER_WRONG"
)

// Invariants are the shop's rules for `partita table check`, in addition to those of the design.
var Invariants = []check.Rule{
	{Type: "User", Inspect: userIsClaimed},
	{Type: "User", Inspect: tombstoneIsWhole},
	{Type: claim.Emails.Type, Inspect: emailClaimHolds},
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

// userIsClaimed: a user's e-mail address is claimed by that user.
func userIsClaimed(it item.Item, r check.Reader) []check.Violation {
	email, has := it.Get("email")
	if !has || keys.IsDeleted(it) {
		return nil
	}
	at, user := keys.KeyOf(it), keys.NewID("User", it.Text("id"))
	claimed, err := claim.Email(email.Text, user)
	if err != nil {
		return []check.Violation{check.At(at, check.ItemInvalid, fmt.Sprintf("nothing can claim this email: %v", err))}
	}
	still := write.CheckItem(at, write.IfUnchanged(typed.Design, it)...)
	stored := r.Get(keys.KeyOf(claimed))
	if stored == nil {
		v := check.At(at, ClaimMissing, fmt.Sprintf("nothing claims %s for this user", email.Text))
		return []check.Violation{v.FixedBy("put the claim", write.PutItem(claimed, write.IfMissing()), still)}
	}
	owner, err := typed.UserKey(claim.Emails.HolderOf(stored))
	if err == nil && owner == at {
		return nil
	}
	v := check.At(at, ClaimWrong, fmt.Sprintf("%s is claimed for another user, %s", email.Text, owner.PK))
	other := write.CheckItem(owner, write.IfMissing())
	if err == nil {
		rival := r.Get(owner)
		if key, err := claim.EmailKey(rival.Text("email")); err == nil && key == keys.KeyOf(claimed) {
			return []check.Violation{v} // Two users have the address; which may keep it is for people to say.
		} else if rival != nil {
			other.If = write.IfUnchanged(typed.Design, rival)
		}
	}
	actions := []write.Action{write.PutItem(claimed, write.IfUnchanged(typed.Design, stored)...), still}
	if err == nil {
		actions = append(actions, other)
	}
	return []check.Violation{v.FixedBy("claim it for this user", actions...)}
}

// emailClaimHolds: the claim of an e-mail address names a user who has it.
func emailClaimHolds(it item.Item, r check.Reader) []check.Violation {
	at := keys.KeyOf(it)
	remove := write.DeleteItem(at, write.IfUnchanged(typed.Design, it)...)
	user, err := typed.UserKey(claim.Emails.HolderOf(it))
	if err != nil {
		v := check.At(at, ClaimOrphan, "the claim names no user")
		return []check.Violation{v.FixedBy("delete it", remove)}
	}
	stored := r.Get(user)
	if stored == nil {
		v := check.At(at, ClaimOrphan, fmt.Sprintf("the user %s does not exist", user.PK))
		gone := write.CheckItem(user, write.IfMissing())
		return []check.Violation{v.FixedBy("delete it", remove, gone)}
	}
	if key, err := claim.EmailKey(stored.Text("email")); err == nil && key == at && !keys.IsDeleted(stored) {
		return nil
	}
	v := check.At(at, ClaimOrphan, fmt.Sprintf("the user %s does not have this email", user.PK))
	still := write.CheckItem(user, write.IfUnchanged(typed.Design, stored)...)
	return []check.Violation{v.FixedBy("delete it", remove, still)}
}

// orderClaimHolds: the claim of an order names an order that exists, or one of a deleted customer.
func orderClaimHolds(it item.Item, r check.Reader) []check.Violation {
	at := keys.KeyOf(it)
	remove := write.DeleteItem(at, write.IfUnchanged(typed.Design, it)...)
	order, err := typed.OrderKey(claim.Orders.HolderOf(it))
	if err != nil {
		v := check.At(at, ClaimOrphan, "the claim names no order")
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
	v := check.At(at, ClaimOrphan, fmt.Sprintf("the order %s does not exist", order.PK))
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
