package plan

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// isNotReady reports whether the design does not serve a field of a type. The nodes of a connection whose edges have a
// node of their own are the nodes of these.
func (c *compiler) isNotReady(t *objectType, f *Field) bool {
	return c.Design.IsNotReady(t.Name, f.Name) || c.isNodesOfNotReady(t, f)
}

func (c *compiler) isNodesOfNotReady(t *objectType, f *Field) bool {
	return t.connection != nil && t.connection.EdgeNode && connectionFields[f.Name] == NodesField &&
		c.Design.IsNotReady(t.connection.Edge, NodeName)
}

// NotReady returns the design.NotReadyError of a NotReadyField.
func (s *Schema) NotReady(f *Field) error {
	if err := s.Design.NotReady(f.Parent, f.Name); err != nil {
		return err
	}
	return s.Design.NotReady(s.types[f.Parent].connection.Edge, NodeName)
}

// NotReadyPart is a field of an operation that the design does not serve.
type NotReadyPart struct {
	// Coordinate is its schema coordinate, or that of the count of a connection.
	Coordinate string
	Position   *ast.Position
	Err        error
}

// NotReady returns what an operation selects and the design does not serve, in the order of the document.
func (p *Plan) NotReady() []NotReadyPart {
	d := p.Schema.Design
	if !d.HasNotReady() {
		return nil
	}
	var parts []NotReadyPart
	add := func(coordinate string, at *Field, err error) {
		// Fields with equal arguments are compiled again with all that is selected below them.
		isSame := func(known NotReadyPart) bool {
			return known.Position == at.Position && known.Coordinate == coordinate
		}
		if err != nil && !slices.ContainsFunc(parts, isSame) {
			parts = append(parts, NotReadyPart{coordinate, at.Position, err})
		}
	}
	for _, f := range p.fields {
		switch {
		case f.Kind == NotReadyField:
			add(f.Parent+"."+f.Name, f, p.Schema.NotReady(f))
		case f.Read != nil && f.Read.Result == design.Connection && f.selectsCount():
			count := f.Children[0].FieldOfKind(TotalCountField)
			add(f.Read.Coordinate()+"."+count.Name, count, d.CountNotReady(f.Read))
		}
	}
	return parts
}

// NotReadyLive returns the field of a subscription if the design does not serve it; otherwise nil.
func (p *Plan) NotReadyLive() *Field {
	if len(p.Root.Fields) == 1 && p.Root.Fields[0].Kind == NotReadyField {
		return p.Root.Fields[0]
	}
	return nil
}
