package plan

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// A subscription has one plan for its first state and its events. The first state is what its field reads: one object,
// or the connection of an event. The item of an event is known, and only what is selected below it is read.

// connectionName is the name of the field of an event with the first page of its connection.
const connectionName = "connection"

// eventFields are the fields of the events of a connection.
var eventFields = map[string]Kind{
	"change": ChangeField, connectionName: ReadField, "edge": EdgeField, NodeName: ItemField,
	"nodeId": NodeIDField, "cursor": CursorField,
}

// setEvents sets which types are those of the events of a connection.
func (s *Schema) setEvents() {
	if s.AST.Subscription == nil {
		return
	}
	for _, f := range s.Design.Live {
		if f.Result == design.Connection {
			s.types[s.AST.Subscription.Fields.ForName(f.Name).Type.Name()].event = f
		}
	}
}

// live sets what a field of Subscription, or the connection of its events, reads.
func (c *compiler) live(t *objectType, f *Field) {
	switch {
	case t.Definition == c.AST.Subscription && f.Read != nil:
		f.Live, c.plan.Live = f.Read, f
		if f.Read.Result == design.Connection {
			f.Kind, f.Read = LiveField, nil
		}
	case t.event != nil && f.Kind == ReadField:
		f.Read, f.of = c.plan.Live.Live, c.plan.Live
	}
}

// eventItem returns the nodes of everything that is selected of the item of an event, by its edge or its node.
func (c *compiler) eventItem(o *Object, live *design.Field, fields []collected) *Group {
	var edges, nodes []ast.SelectionSet
	for i, f := range fields {
		switch o.Fields[i].Kind {
		case ItemField:
			nodes = append(nodes, f.sets...)
		case EdgeField:
			edges = append(edges, f.sets...)
			nodes = append(nodes, c.nodeSets(live, f.sets)...)
		}
	}
	g := &Group{}
	c.items(g, live, edges, nodes)
	return g
}

// condition returns the field whose key condition a field has; nil for a field that reads nothing.
func (f *Field) condition() *design.Field {
	if f.Live != nil {
		return f.Live
	}
	return f.Read
}

// IsOfEvent reports whether a field is the connection of an event.
func (f *Field) IsOfEvent() bool { return f.of != nil }

// IsLive reports whether a field returns the live field of a subscription: one object, an event, or its connection.
func (f *Field) IsLive() bool { return f.Live != nil || f.of != nil }

// OfEvent returns the plan of an event of the subscription: the item of its field is given and nothing of it is read,
// and the Reads below it are eventually consistent.
func (b *Bound) OfEvent() *Bound {
	event := *b
	event.event, event.Consistent = true, false
	return &event
}

// IsEvent reports whether the plan is that of an event of a subscription.
func (b *Bound) IsEvent() bool { return b.event }

// ReadsState reports whether the Reads of a field are the first state of a subscription. They are strongly consistent,
// as far as those of an index can be, because the events continue it.
func (b *Bound) ReadsState(f *Field) bool { return f.IsLive() && !b.event }

// IsConsistent reports whether the Reads of a field are strongly consistent, as far as those of an index can be.
func (b *Bound) IsConsistent(f *Field) bool { return b.Consistent || b.ReadsState(f) }

// LiveCondition returns the key condition of a subscription. The error is a keys.InputError, an ArgumentError or an
// AccessError.
func (b *Bound) LiveCondition() (*design.Condition, error) {
	f := b.Live
	arguments := b.Arguments(f)
	if arguments.Err != nil {
		return nil, arguments.Err
	}
	c, err := b.Condition(f, nil)
	if err := b.Authorize(c, err); err != nil {
		return nil, err
	}
	if f.Kind == LiveField && !c.IsEmpty() {
		page := *c // the window of a cursor may have other partitions
		if _, err := arguments.Paging.Window(&page); err != nil {
			return nil, err
		}
	}
	return c, nil
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
