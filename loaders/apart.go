package loaders

import (
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// nodeFor returns the node for what a resolver reads: that of its own field if it has the same types, so that
// everything that is selected there is read. Otherwise the resolver uses what it reads for something else, and the node
// selects nothing below it.
func (e *Engine) nodeFor(f *plan.Field, read *design.Field) *plan.Field {
	if e.returns(f, read) {
		return f
	}
	if known, is := e.apart.Load(read); is {
		return known.(*plan.Field)
	}
	node, _ := e.apart.LoadOrStore(read, e.newApart(read))
	return node.(*plan.Field)
}

// returns reports whether a field can return what is read.
func (e *Engine) returns(f *plan.Field, read *design.Field) bool {
	if f.Kind != plan.GoField {
		return true
	}
	if read.Result == design.Connection {
		return f.Definition.Type.Name() == e.schema.AST.Types[read.Parent].Fields.ForName(read.Name).Type.Name()
	}
	for _, name := range read.Types {
		if f.Child(name) == nil {
			return false
		}
	}
	return true
}

// newApart returns a node whose objects are read completely, because Go code may use each of their attributes.
func (e *Engine) newApart(read *design.Field) *plan.Field {
	node := &plan.Field{Kind: plan.GoField, Read: read}
	if read.Result == design.Connection {
		edges := &plan.Field{Kind: plan.EdgesField, Children: []*plan.Object{{}}}
		node.Children = []*plan.Object{{Fields: []*plan.Field{edges}, Slots: 1}}
		return node
	}
	for _, name := range read.Types {
		attributes := &plan.Field{Kind: plan.GoField}
		object := &plan.Object{Name: name, Type: e.design.Type(name), Fields: []*plan.Field{attributes}}
		node.Children = append(node.Children, object)
	}
	return node
}
