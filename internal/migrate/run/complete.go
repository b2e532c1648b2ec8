package run

import (
	"context"
	"errors"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// maxLooks limits how often a proof looks for what an object lacks. That somebody writes the object during each look is
// unlikely, and leads to one more pass.
const maxLooks = 4

// completer gives the objects of a side their form by the other design.
type completer struct {
	*Migrator
	of side
	// by is the table by the design of the side, whose transactions write the other form.
	by      *table.Table
	blocked *BlockedError
	// onlyLooks is set for a pass that completes nothing.
	onlyLooks bool
	// companion is an item of both designs by the other one, from which the migration may have removed what only the
	// side has; nil otherwise.
	companion item.Item
}

// complete gives an object its form by the other design, if the item is its base item, and a loose item its tenant. It
// reports whether anything was missing.
func (c completer) complete(ctx context.Context, it item.Item) (bool, error) {
	typ := c.of.design.Type(it.Type())
	isObject := typ != nil && isBase(typ, it)
	if !isObject && !c.of.isLoose(keys.KeyOf(it)) || c.of.design.ExpiryAt(c.by.Now()).IsExpired(it) {
		return false, nil
	}
	if isObject {
		c.progress.update(func(p *Progress) { p.Objects++ })
		if b, is := c.of.blocks(typ, it, c.companion); is {
			c.progress.block(c.blocked, b)
			return false, nil
		}
	}
	touch := touchOf(it)
	preview, err := c.preview(ctx, touch)
	if errors.As(err, new(*write.TakenError)) {
		c.progress.block(c.blocked, conflict(it))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if preview.Writes == 0 && !isObject {
		return false, nil
	}
	if preview.Writes == 0 {
		return c.isUnique(ctx, typ, it)
	}
	if c.onlyLooks {
		return true, nil
	}
	result, err := c.by.TransactWriteItems(ctx, touch)
	if spent := c.progress.consume(ctx, result); spent != nil {
		return false, spent
	}
	var failed *write.ConditionError
	switch {
	case errors.As(err, &failed) && failed.Find(0) != nil && failed.Find(0).Item == nil:
		return false, nil // it has been deleted meanwhile
	case errors.As(err, &failed), errors.As(err, new(*write.TakenError)):
		c.progress.block(c.blocked, conflict(it))
		return false, nil
	}
	return err == nil, err
}

// preview returns what the transaction would write. The forms of an object are read one after the other, so that one
// seems to be missing that is written meanwhile: what a proof misses is looked for again.
func (c completer) preview(ctx context.Context, touch write.Transaction) (preview table.Preview, err error) {
	for range maxLooks {
		preview, err = c.by.Preview(ctx, touch)
		if err := c.progress.consume(ctx, preview.Read); err != nil {
			return preview, err
		}
		if err != nil || preview.Writes == 0 || c.progress.get().Phase == phaseFill {
			break
		}
	}
	return preview, err
}

// isBase reports whether an item is the base item of an object, and not how the other design stores it.
func isBase(t *design.Type, it item.Item) bool {
	return t.IsBase(keys.KeyOf(it)) && (t.Shards <= 1 || t.StoresBase(it))
}

// isUnique proves that no other object has a unique value of a complete one. It reports whether a claim is missing.
func (c completer) isUnique(ctx context.Context, typ *design.Type, it item.Item) (bool, error) {
	if c.progress.get().Phase == phaseFill {
		return false, nil
	}
	b, is, isMissing, err := c.duplicate(ctx, c.by, c.of, typ, it)
	if is {
		c.progress.block(c.blocked, b)
	}
	return isMissing, err
}

// conflict returns why the transaction with the other form of an object was not carried out.
func conflict(it item.Item) Blocked {
	key := keys.KeyOf(it)
	return Blocked{Code: Duplicate, Type: it.Type(), PK: key.PK, SK: key.SK,
		Problem: "it lacks its form by the other design, because an item that this needs is there already: change the " +
			"value of one of both objects, or delete the item, and run the command again"}
}

// touchOf returns the transaction that writes both forms of an object, or of a loose item, without a change.
func touchOf(it item.Item) write.Transaction {
	return write.Transaction{Actions: []write.Action{{
		Kind: write.ActionUpdate, Key: keys.KeyOf(it), Type: it.Type(), If: []write.Precondition{write.IfStored()},
	}}}
}
