package plan

import (
	"fmt"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// MaxPage is the largest size of a page, and the largest number of ids in one field. DefaultPage is the size of a page
// with a cursor and without first or last.
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

// HasCursor reports whether the page begins at a cursor.
func (p Paging) HasCursor() bool { return p.After != nil || p.Before != nil }

// Window is a checked Paging: number of items, direction and start.
type Window struct {
	Count    int
	Backward bool
	Cursor   *design.CursorPosition
}

// size checks the arguments against each other. The cursor is not part of the result. Errors are keys.InputErrors.
func (p Paging) size() (Window, error) {
	forward := p.First != nil || p.After != nil
	backward := p.Last != nil || p.Before != nil
	switch {
	case forward && backward:
		return Window{}, &keys.InputError{
			Message: "give first (with after) to page forwards or last (with before) to page backwards, not both",
		}
	case !forward && !backward:
		message := fmt.Sprintf("give first or last, from 0 to %d", MaxPage)
		return Window{}, &keys.InputError{Argument: "first", Message: message}
	}
	w := Window{Count: DefaultPage, Backward: backward}
	name, count := "first", p.First
	if backward {
		name, count = "last", p.Last
	}
	if count != nil {
		if *count < 0 || *count > MaxPage {
			message := fmt.Sprintf("%s must be from 0 to %d", name, MaxPage)
			return Window{}, &keys.InputError{Argument: name, Message: message}
		}
		w.Count = *count
	}
	return w, nil
}

// Window is size with the cursor, which is checked against the collection. Of a range over time buckets without a lower
// end, the condition then has the partitions around the cursor. Errors are keys.InputErrors.
func (p Paging) Window(c *design.Condition) (Window, error) {
	w, err := p.size()
	if err != nil {
		return Window{}, err
	}
	position, cursor := "after", p.After
	if w.Backward {
		position, cursor = "before", p.Before
	}
	if cursor != nil {
		pos, err := c.ParseCursor(position, *cursor)
		if err != nil {
			return Window{}, err
		}
		w.Cursor = &pos
	}
	if c.HasNoBeginning() && w.Cursor == nil && c.Field.Descending == w.Backward {
		return Window{}, c.Field.NeedsFrom()
	}
	return w, nil
}
