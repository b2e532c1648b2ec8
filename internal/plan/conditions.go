package plan

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Condition returns the key condition of a field of kind ReadField for a parent, which may be key-only, or nil at the
// root. The error is a keys.InputError. The condition is then empty but has its owner.
func (b *Bound) Condition(f *Field, parent item.Item) (design.Condition, error) {
	c, err := f.condition().Bind(b.Values(f, parent)).At(b.Now).Condition()
	c.Cursors, c.Tenant = b.Schema.Cursors, b.Tenant()
	return c, err
}

// Values returns the values of the variables of a field's key condition.
func (b *Bound) Values(f *Field, parent item.Item) func(string) keys.Value {
	return func(name string) keys.Value {
		arguments := f.condition().Arguments
		for i := range arguments {
			if arguments[i].Name == name {
				return b.arguments[f.index].values[i]
			}
		}
		if name == keys.ViewerVariable && b.Viewer != nil {
			b.Witness.noteViewer()
			return keys.ViewerValue(b.Viewer.ID)
		}
		return keys.AttributeValue(parent, name)
	}
}

// IDCondition returns the key condition of the object that a global ID names, for a field by global ID. The error is a
// keys.InputError.
func (b *Bound) IDCondition(f *Field, id keys.ID) (design.Condition, error) {
	return b.Schema.Design.BindNode(f.Read, id).Condition()
}

// NodeCondition returns the key condition of an edge's node for the item of the edge. The error is a keys.InputError.
func NodeCondition(node *design.Field, edge item.Item) (design.Condition, error) {
	return node.Bind(func(name string) keys.Value { return keys.AttributeValue(edge, name) }).Condition()
}

// Partitions returns the maximum number of partitions that a page of a field reads. The error is a keys.InputError.
func (b *Bound) Partitions(f *Field) (int, error) {
	n, hasNoBeginning, err := f.Read.PartitionCount(b.Values(f, nil), b.Now)
	a := b.Arguments(f)
	// A time of the parent, with which the buckets begin, is known when the parent has been read.
	hasNoBeginning = hasNoBeginning && f.Read.SinceVariable() == ""
	if err == nil && hasNoBeginning && !a.Paging.HasCursor() && f.Read.Descending == a.Window.Backward {
		return 0, f.Read.NeedsFrom()
	}
	return n, err
}
