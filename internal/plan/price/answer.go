package price

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// pageLimits replaces larger sizes of pages by size, if it is positive: those of the fields at some positions of the
// document, or of all if there are none.
type pageLimits struct {
	size   int
	fields []*ast.Position
}

func (l pageLimits) apply(f *plan.Field, page int) int {
	if l.size == 0 || len(l.fields) > 0 && !slices.Contains(l.fields, f.Position) {
		return page
	}
	return min(page, l.size)
}

// answerSize is the fold that computes how many objects the answer has at worst, counted at each place.
type answerSize struct {
	*plan.Bound
	limits pageLimits
	// below are the objects below one object of a node, itself included, by the node's index; 0 if not yet known.
	below []float64
}

func newAnswerSize(b *plan.Bound, limits pageLimits) *answerSize {
	return &answerSize{b, limits, make([]float64, b.Objects())}
}

// object returns the number of objects of a node and below it. The items of a connection are not included.
func (s *answerSize) object(o *plan.Object) float64 {
	if s.below[o.Index] > 0 {
		return s.below[o.Index]
	}
	n := float64(o.Weight)
	for _, f := range o.Fields {
		n = bounded(n + s.field(f))
	}
	s.below[o.Index] = n
	return n
}

// field returns the number of objects of a field that are not part of its object's weight.
func (s *answerSize) field(f *plan.Field) float64 {
	switch f.Kind {
	case plan.AttributeField, plan.DifferenceField, plan.PageInfoField, plan.EdgesField, plan.NodesField,
		plan.IntrospectionField:
		return 0
	case plan.EdgeField, plan.ItemField:
		if !s.IsEvent() {
			return 0
		}
	case plan.NodeField:
		return s.most(f.Children) - float64(f.Weight())
	}
	if f.IsOfEvent() && s.IsEvent() {
		return 0
	}
	n := float64(s.items(f)) * s.most(f.Children)
	if page := s.page(f); page > 0 {
		n += float64(page) * s.item(f.Children[0])
	}
	return bounded(n)
}

// most returns the number of objects of the largest of the nodes.
func (s *answerSize) most(nodes []*plan.Object) float64 {
	n := 0.0
	for _, o := range nodes {
		n = max(n, s.object(o))
	}
	return n
}

// items returns how many objects a field returns: 1 for a connection. A hand-written resolver is assumed to return
// MaxPage elements of a list.
func (s *answerSize) items(f *plan.Field) int {
	switch {
	case f.Read == nil && f.Definition.Type.Elem != nil:
		return plan.MaxPage
	case f.Read == nil:
		return 1
	case f.Read.Kind == design.Nodes, f.Read.Kind == design.Entities:
		return len(s.Arguments(f).Answered(f.Read))
	case f.Read.Kind == design.Get:
		return s.Elements(f)
	case f.Read.Result == design.Many:
		return f.Read.AtMost
	}
	return 1
}

// page returns the size of a connection's page; 0 for any other field. That of a hand-written resolver is assumed to be
// MaxPage.
func (s *answerSize) page(f *plan.Field) int {
	switch {
	case f.Read == nil && len(f.Children) == 1 && f.Children[0].Selects(plan.EdgesField, plan.NodesField):
		return plan.MaxPage
	case f.Read == nil || f.Read.Result != design.Connection:
		return 0
	}
	arguments := s.Arguments(f)
	if arguments.WindowErr != nil {
		return 0
	}
	page := s.limits.apply(f, arguments.Window.Count)
	if f.Read.AtMost > 0 {
		page = min(page, f.Read.AtMost)
	}
	return page
}

// item returns the number of objects of an item of a connection: its edge and its node, at each place.
func (s *answerSize) item(connection *plan.Object) float64 {
	n := 0.0
	for _, f := range connection.Fields {
		if f.Kind == plan.EdgesField || f.Kind == plan.NodesField {
			n = bounded(n + s.most(f.Children))
		}
	}
	return n
}

// chain returns the fields from the root to the one with most of the objects.
func (s *answerSize) chain() (chain []step, largest float64) {
	times, nodes := 1.0, []*plan.Object{s.Root}
	for {
		f, n := s.largest(nodes)
		if n *= times; f == nil || 2*n < largest {
			return chain, largest
		}
		largest = n
		page := s.page(f)
		times *= float64(max(1, page) * s.items(f))
		chain = append(chain, s.step(f))
		nodes = below(f.Children)
	}
}

// largest returns the field of an object of one of the nodes that has the most objects.
func (s *answerSize) largest(nodes []*plan.Object) (largest *plan.Field, objects float64) {
	for _, o := range nodes {
		for _, f := range o.Fields {
			if n := s.field(f); n > objects {
				largest, objects = f, n
			}
		}
	}
	return largest, objects
}

// below returns the nodes with those of the items of a connection.
func below(nodes []*plan.Object) []*plan.Object {
	all := slices.Clone(nodes)
	for _, o := range nodes {
		for _, f := range o.Fields {
			switch f.Kind {
			case plan.EdgesField, plan.NodesField, plan.NodeField:
				all = append(all, below(f.Children)...)
			}
		}
	}
	return all
}

func (s *answerSize) step(f *plan.Field) step {
	if f.Read == nil || f.Read.Result != design.Connection {
		return step{f, -1, false}
	}
	return step{f, s.limits.apply(f, s.Arguments(f).Window.Count), s.Arguments(f).Window.Backward}
}
