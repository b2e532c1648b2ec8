package plan

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// A subscription has one plan for its first state and its events. The first state is what its field reads: one object,
// or the connection of an event. The item of an event is known, and only what is selected below it is read.

// LiveCondition returns the key condition of a subscription. The error is a keys.InputError, an ArgumentError or an
// AccessError.
func (b *Bound) LiveCondition() (*design.Condition, error) {
	f := b.Live
	arguments := b.Arguments(f)
	if arguments.Err != nil {
		return nil, arguments.Err
	}
	c, err := b.Condition(f, nil)
	if err := b.Authorize(&c, err); err != nil {
		return nil, err
	}
	if f.Kind == LiveField && !c.IsEmpty() {
		page := c // the window of a cursor may have other partitions
		if _, err := arguments.Paging.Window(&page); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// Allows reports whether the viewer may read an item that the condition selects.
func (b *Bound) Allows(c *design.Condition, it item.Item) bool {
	return b.AllowsItems(c, []item.Item{it}, nil)
}

// NotLive returns the first field that a subscription cannot have, and why; nil if there is none.
func (p *Plan) NotLive() (f *Field, reason string) {
	switch {
	case p.HandWritten && p.goField != nil:
		return p.goField, "its resolver is written in Go, and subscriptions have none; query it when an event arrives"
	case p.Live.Kind == LiveField:
		for _, part := range p.Live.Children[0].Fields {
			if part.of != nil && part.selectsCount() {
				return part.Children[0].FieldOfKind(TotalCountField),
					"the object with the counter is not read; subscribe to that object, or query it"
			}
		}
	}
	return nil, ""
}
