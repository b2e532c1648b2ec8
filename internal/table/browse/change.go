package browse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/aws/smithy-go"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// Editor is a table whose items can be changed without the help of the schema, such as an admin.Scanner.
type Editor interface {
	check.Source
	WriteStored(ctx context.Context, before, after item.Item) (request.Result, error)
}

// Editing returns the Browser with a question that changes items: it is for a table that is for development only.
func (b *Browser) Editing(e Editor) *Browser {
	changed := *b
	changed.editor = e
	return &changed
}

// changeQuestion is a change of one item. Both are DynamoDB's JSON as the page has it, null for no item.
type changeQuestion struct {
	// Was is the item as the page shows it. Nothing is written if it is another one now.
	Was  json.RawMessage `json:"was"`
	Item json.RawMessage `json:"item"`
	// Despite is set by a visitor who has seen what the change breaks.
	Despite bool `json:"despite"`
}

type changeAnswer struct {
	// Written is set if the change was made: it is not if it would break something, unless Despite is set.
	Written bool `json:"written"`
	// Breaks is what is wrong with the change and not without it, Found what is wrong afterwards, in the same items.
	Breaks     []findingShown `json:"breaks"`
	Found      []findingShown `json:"found"`
	ReadUnits  float64        `json:"readUnits"`
	WriteUnits float64        `json:"writeUnits"`
}

// findingShown is what `table check` finds in an item, and what `table repair` does about it.
type findingShown struct {
	PK string `json:"pk"`
	SK string `json:"sk"`
	problemShown
	Fix string `json:"fix,omitempty"`
	// Needs is the flag that the repair needs.
	Needs string `json:"needs,omitempty"`
}

// The errors of a change.
var (
	errNotEditing = &Error{"FORBIDDEN", "Items are changed here on the local engine only."}
	errNoChange   = errorf("The question has no item. Load the page again.")
	errOtherKey   = errorf("An item keeps its key. Add an item with the other key, then delete this one.")
	errChanged    = &Error{"CONFLICT", "The item is not as this page shows it any more. Load the page again."}
	errUnchecked  = errorf("The item was written, but what is around it could not be read. Load the page again.")
)

// change checks a change, makes it unless it breaks something, and checks again.
func (b *Browser) change(ctx context.Context, q *changeQuestion) (changeAnswer, request.Result, error) {
	if b.editor == nil {
		return changeAnswer{}, request.Result{}, errNotEditing
	}
	before, after, err := b.changed(q)
	if err != nil {
		return changeAnswer{}, request.Result{}, err
	}
	c := changing{Browser: b, before: before, after: after}
	err = c.carryOut(ctx, q.Despite)
	c.used.CompanionReads = max(0, c.requests-1)
	c.answer.ReadUnits, c.answer.WriteUnits = c.used.ReadUnits, c.used.WriteUnits
	return c.answer, c.used, err
}

// changing is a change that is carried out.
type changing struct {
	*Browser
	// before and after are the item as it is stored, but for the tenant.
	before, after item.Item
	answer        changeAnswer
	used          request.Result
	requests      int
}

func (c *changing) carryOut(ctx context.Context, despite bool) (err error) {
	if c.answer.Breaks, err = c.look(ctx, check.Breaks); err != nil || len(c.answer.Breaks) > 0 && !despite {
		return err
	}
	written, err := c.editor.WriteStored(ctx, c.before, c.after)
	c.requests++
	c.used.WriteUnits, c.used.Retries = written.WriteUnits, written.Retries
	if err != nil {
		return writeError(err)
	}
	c.answer.Written = true
	if c.answer.Found, err = c.look(ctx, check.Around); err != nil {
		return errUnchecked
	}
	return nil
}

// look checks the items that the change concerns.
func (c *changing) look(
	ctx context.Context,
	how func(context.Context, check.Source, check.Options, check.Change) ([]check.Violation, check.Cost, error),
) ([]findingShown, error) {
	change := check.Change{Before: c.design.FromStored(c.before), After: c.design.FromStored(c.after)}
	found, cost, err := how(ctx, c.editor, c.options, change)
	c.requests += cost.Requests
	c.used.ReadUnits += cost.ReadUnits
	return c.findings(found), err
}

// changed returns the items of a question, as they are stored but for the tenant.
func (b *Browser) changed(q *changeQuestion) (before, after item.Item, err error) {
	if before, err = b.parse(q.Was); err != nil {
		return nil, nil, err
	}
	if after, err = b.parse(q.Item); err != nil {
		return nil, nil, err
	}
	layout := b.design.Layout
	switch {
	case before == nil && after == nil:
		return nil, nil, errNoChange
	case before != nil && after != nil && layout.KeyOf(before) != layout.KeyOf(after):
		return nil, nil, errOtherKey
	}
	return before, after, nil
}

// parse returns an item of a question, nil for null.
func (b *Browser) parse(text json.RawMessage) (item.Item, error) {
	if len(text) == 0 || bytes.Equal(text, []byte("null")) {
		return nil, nil
	}
	it, err := admin.ParseItem(b.source.Schema(), text)
	if err != nil {
		return nil, errorf("This cannot be stored: %v.", err)
	}
	return it, nil
}

// writeError returns the error of a write for the visitor, as far as it is about the item.
func writeError(err error) error {
	if errors.Is(err, table.ErrChanged) {
		return errChanged
	}
	if api, is := errors.AsType[smithy.APIError](err); is && api.ErrorCode() == "ValidationException" {
		return errorf("The table rejects this: %s", api.ErrorMessage())
	}
	return err
}

// findings returns violations with their keys as the page shows them.
func (b *Browser) findings(found []check.Violation) []findingShown {
	all := make([]findingShown, len(found))
	for i, v := range found {
		pk, sk := b.design.Layout.ShowKey(keys.Key{PK: v.PK, SK: v.SK})
		all[i] = findingShown{pk, sk, problemShown{v.Kind, v.Problem}, v.Fix, v.Needs}
	}
	return all
}
