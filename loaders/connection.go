package loaders

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// MaxPage is the largest size of a page, and the largest number of ids in one field. DefaultPage is
// the size of a page with a cursor and without first or last.
const (
	MaxPage     = keys.MaxPage
	DefaultPage = 10
)

// Paging are the four arguments of a Relay connection.
//
// https://relay.dev/graphql/connections.htm#sec-Arguments
type Paging struct {
	First  *int
	After  *string
	Last   *int
	Before *string
}

// window is a checked Paging: number of items, direction and start.
type window struct {
	count    int
	backward bool
	cursor   *keys.CursorPosition
}

// size checks the arguments against each other. The cursor is not part of the result. Errors are
// keys.InputErrors.
func (p Paging) size() (window, error) {
	forward := p.First != nil || p.After != nil
	backward := p.Last != nil || p.Before != nil
	switch {
	case forward && backward:
		return window{}, &keys.InputError{
			Message: "give first (with after) to page forwards or last (with before) to page backwards, not both",
		}
	case !forward && !backward:
		message := fmt.Sprintf("give first or last, from 0 to %d", MaxPage)
		return window{}, &keys.InputError{Argument: "first", Message: message}
	}
	w := window{count: DefaultPage, backward: backward}
	name, count := "first", p.First
	if backward {
		name, count = "last", p.Last
	}
	if count != nil {
		if *count < 0 || *count > MaxPage {
			message := fmt.Sprintf("%s must be from 0 to %d", name, MaxPage)
			return window{}, &keys.InputError{Argument: name, Message: message}
		}
		w.count = *count
	}
	return w, nil
}

// window is size with the cursor, which is checked against the collection. Errors are
// keys.InputErrors.
func (p Paging) window(c keys.Condition) (window, error) {
	w, err := p.size()
	if err != nil {
		return window{}, err
	}
	position, cursor := "after", p.After
	if w.backward {
		position, cursor = "before", p.Before
	}
	if cursor != nil {
		pos, err := c.ParseCursor(position, *cursor)
		if err != nil {
			return window{}, err
		}
		w.cursor = &pos
	}
	return w, nil
}

// pagingOf returns the four arguments from a map that gqlparser made.
func pagingOf(args map[string]any) Paging {
	return Paging{
		First: intArgument(args["first"]), After: textArgument(args["after"]),
		Last: intArgument(args["last"]), Before: textArgument(args["before"]),
	}
}

func intArgument(raw any) *int {
	var n int
	switch raw := raw.(type) {
	case int64:
		n = int(raw)
	case int:
		n = raw
	case json.Number:
		i, err := raw.Int64()
		if err != nil {
			return nil
		}
		n = int(i)
	default:
		return nil
	}
	return &n
}

func textArgument(raw any) *string {
	s, ok := raw.(string)
	if !ok {
		return nil
	}
	return &s
}

// Page is one page of a connection.
type Page struct {
	// Items are in the order of the field, in both directions of paging.
	Items                        []item.Item
	HasNextPage, HasPreviousPage bool

	condition  keys.Condition
	partitions []int
}

// Cursor returns the cursor of the item at index i.
func (p *Page) Cursor(i int) string { return p.condition.Cursor(p.partitions[i], p.Items[i]) }

// StartCursor returns the first item's cursor, or nil for an empty page.
func (p *Page) StartCursor() *string { return p.cursorAt(0) }

// EndCursor returns the last item's cursor, or nil for an empty page.
func (p *Page) EndCursor() *string { return p.cursorAt(len(p.Items) - 1) }

func (p *Page) cursorAt(i int) *string {
	if len(p.Items) == 0 {
		return nil
	}
	c := p.Cursor(i)
	return &c
}

// assemble merges the outcomes of the partitions into a page: by sort key in the direction of
// reading, and by partition if sort keys are equal.
func assemble(c keys.Condition, w window, partitions []int, results []outcome) (*Page, error) {
	type entry struct {
		sk        string
		partition int
		item      item.Item
	}
	attribute := keys.AttributeSK
	if c.Field.Index != "" {
		attribute = keys.IndexSK(c.Field.Index)
	}
	n := 0
	for _, o := range results {
		if o.err != nil {
			return nil, o.err
		}
		n += len(o.items)
	}
	entries := make([]entry, 0, n)
	for i, o := range results {
		for _, it := range o.items {
			entries = append(entries, entry{it.Text(attribute), partitions[i], it})
		}
	}
	if len(results) > 1 {
		sign := 1
		if c.Field.Descending != w.backward {
			sign = -1
		}
		slices.SortStableFunc(entries, func(a, b entry) int {
			return sign * cmp.Or(cmp.Compare(a.sk, b.sk), cmp.Compare(a.partition, b.partition))
		})
	}
	more := len(entries) > w.count
	if more {
		entries = entries[:w.count]
	}
	p := &Page{HasNextPage: more, HasPreviousPage: w.cursor != nil, condition: c}
	if w.backward {
		slices.Reverse(entries)
		p.HasNextPage, p.HasPreviousPage = w.cursor != nil, more
	}
	p.Items = make([]item.Item, len(entries))
	p.partitions = make([]int, len(entries))
	for i, e := range entries {
		p.Items[i], p.partitions[i] = e.item, e.partition
	}
	return p, nil
}

// Connection resolves a field that returns a connection. Errors are keys.InputErrors, ReadErrors and
// AccessErrors. A page with any item that the viewer may not read is denied as a whole.
func Connection[C any](ctx context.Context, b keys.BoundField, p Paging, build func(*Page) (C, error)) (C, error) {
	var none C
	page, err := connectionPage(ctx, b, p)
	if err != nil {
		return none, err
	}
	return filled(page, build)
}

func connectionPage(ctx context.Context, b keys.BoundField, p Paging) (*Page, error) {
	op, f := current(ctx)
	c, invalid := b.Condition()
	if err := op.authorize(c, invalid); err != nil {
		return nil, err
	}
	selected := op.selectsPage(f)
	if c.IsEmpty() || !selected && p == (Paging{}) {
		return &Page{condition: c}, nil
	}
	// Errors of the arguments do not depend on what is selected.
	w, err := p.window(c)
	if err != nil {
		return nil, err
	}
	if !selected {
		return &Page{condition: c}, nil
	}
	reads, partitions := rangesOf(c, w)
	var page *Page
	results := op.read(reads, func() {
		if len(reads) > 0 && op.firstWalk(reads[0], f) {
			op.after(reads, func(results []outcome) {
				if page, err := assemble(c, w, partitions, results); err == nil {
					op.walkPage(c.Field, page, f)
				}
			})
		}
	})
	page, err = assemble(c, w, partitions, results)
	if err != nil {
		return nil, err
	}
	if err := op.answer(len(page.Items)); err != nil {
		return nil, err
	}
	if !op.allowsItems(c, page.Items) {
		return nil, errForbidden
	}
	if err := checkTypes(c, page.Items); err != nil {
		return nil, err
	}
	return page, nil
}
