package examples

import (
	"context"
	"fmt"
	"testing"

	"github.com/partita/partita/viewer"
)

// paidIn is what each account of the wallet gets from the bank.
const paidIn = 1000

// bank is the crowd of the example wallet: all transfer to each other, are frozen, and close accounts.
type bank struct{ owners []*owner }

func newBank() crowd { return &bank{} }

// owner has an account. The ledger is what it has been told.
type owner struct {
	*caller
	bank *bank
	id   string
	// balance is without what others have paid, and paid is what each other one has got; entries are without theirs.
	balance, entries int
	paid, sent       map[*owner]int
	// isClosed is set once the account is closed, and mayBeClosed if it may be.
	isClosed, mayBeClosed bool
}

func (b *bank) enter(c *caller) (open, step func(context.Context) error) {
	o := &owner{caller: c, bank: b, balance: paidIn, entries: 1, paid: map[*owner]int{}, sent: map[*owner]int{}}
	b.owners = append(b.owners, o)
	return o.open, o.step
}

// teller is who may freeze accounts.
var teller = viewer.Viewer{ID: "bank", Roles: []string{"ADMIN"}}

func (o *owner) open(ctx context.Context) error {
	out, err := o.do(ctx, "openAccount", input{"name": o.Name, "idempotencyKey": "open"}, "account { id balance }")
	if err := orError(err, out, ""); err != nil {
		return err
	}
	o.id = out.field("account", "id")
	out, err = o.as(ctx, teller, "deposit",
		input{"accountId": o.id, "amount": paidIn, "idempotencyKey": o.Next("deposit")}, "")
	return orError(err, out, "")
}

func (o *owner) step(ctx context.Context) error {
	other, _ := one(o.caller, o.bank.owners)
	switch n := o.Random.IntN(100); {
	case n < 4:
		return o.move(ctx, other, "freeze")
	case n < 18:
		return o.move(ctx, other, "unfreeze")
	case n == 18:
		return o.close(ctx)
	case other == o:
		return nil
	}
	return o.transfer(ctx, other)
}

// move freezes an account, or no longer.
func (o *owner) move(ctx context.Context, of *owner, action string) error {
	out, err := o.as(ctx, teller, action, input{"id": of.id}, "")
	return orError(err, out, "", "ILLEGAL_TRANSITION", "CONFLICT")
}

// close pays out what the account has, and closes it.
func (o *owner) close(ctx context.Context) error {
	in := input{"fromId": o.id, "toId": o.bank.owners[0].id, "amount": max(1, o.balance), "idempotencyKey": o.Next("last")}
	if o != o.bank.owners[0] {
		if err := o.send(ctx, o.bank.owners[0], in); err != nil {
			return err
		}
	}
	out, err := o.do(ctx, "closeAccount", input{"id": o.id}, "")
	if err != nil {
		return err
	}
	switch {
	case out.done() && o.isClosed:
		return fmt.Errorf("%s is closed twice", o.Name)
	case out.done():
		o.isClosed = true
	case out.doubt:
		o.mayBeClosed = true
	}
	return out.want("", "ILLEGAL_TRANSITION", "NOT_EMPTY", "CONFLICT")
}

func (o *owner) transfer(ctx context.Context, to *owner) error {
	return o.send(ctx, to, input{
		"fromId": o.id, "toId": to.id, "amount": 1 + o.Random.IntN(600), "idempotencyKey": o.Next("pay"),
	})
}

// send transfers an amount, sometimes twice with one key. What is closed pays nothing.
func (o *owner) send(ctx context.Context, to *owner, in input) error {
	out, err := o.do(ctx, "transfer", in, "debit { amount }")
	if err != nil || !out.done() {
		return orError(err, out, "INVALID", "NOT_OPEN", "NOT_OPEN NOT_OPEN", "CONFLICT")
	}
	if o.isClosed {
		return fmt.Errorf("%s pays, and is closed", o.Name)
	}
	amount := in["amount"].(int)
	o.balance -= amount
	o.entries++
	o.paid[to] += amount
	o.sent[to]++
	if o.Random.IntN(3) > 0 {
		return nil
	}
	out, err = o.do(ctx, "transfer", in, "")
	return orError(err, out, "")
}

// check: each balance is exact and above its limit, each entry is there, and what is closed is empty and stays so.
func (b *bank) check(t *testing.T, all objects) {
	t.Helper()
	balances, entries := map[*owner]int{}, map[*owner]int{}
	for _, o := range b.owners {
		balances[o] += o.balance
		entries[o] += o.entries
		for to, amount := range o.paid {
			balances[to] += amount
			entries[to] += o.sent[to]
		}
	}
	stored := map[string]int{}
	for _, it := range all["Entry"] {
		stored[it.Text("accountId")]++
	}
	for _, o := range b.owners {
		it := all["Account"][o.id]
		got := fmt.Sprint(it.Text("balance"), " ", stored[it.Text("id")])
		if want := fmt.Sprint(balances[o], " ", entries[o]); got != want || balances[o] < -500 {
			t.Errorf("%s has balance and entries %s instead of %s", o.Name, got, want)
		}
		if state := it.Text("state"); state != "CLOSED" && o.isClosed || state == "CLOSED" && !o.isClosed && !o.mayBeClosed ||
			state == "CLOSED" && balances[o] != 0 {
			t.Errorf("%s has %d and is %s, closed %v, perhaps %v", o.Name, balances[o], state, o.isClosed, o.mayBeClosed)
		}
	}
}
