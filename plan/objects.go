package plan

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// FieldsPerObject is how many fields of an object in the answer are counted as one object: a wider one counts as
// several, because an alias costs as much as a field. An alias of AliasBytes or more counts as several fields.
const (
	FieldsPerObject = 16
	AliasBytes      = 64
)

// weigh sets how much an object of the node counts in the answer.
func (o *Object) weigh() {
	o.Weight = max(1, (o.width()+FieldsPerObject-1)/FieldsPerObject)
	for _, f := range o.Fields {
		switch f.Kind {
		case AttributeField, PageInfoField, NodeField:
			o.Weight += f.Weight()
		}
	}
}

// width returns the number of fields of an object, where one with a long alias counts as several.
func (o *Object) width() int {
	fields := 0
	for _, f := range o.Fields {
		fields += 1 + len(f.Alias)/AliasBytes
	}
	return fields
}

// PageWeight returns how much a page of a connection counts in the answer: the connection and its items, at each place.
// Nodes that are read by themselves are not included.
func (f *Field) PageWeight(items int) int {
	connection := f.Children[0]
	weight := connection.Weight
	for _, part := range connection.Fields {
		if part.Kind == EdgesField || part.Kind == NodesField && !f.Read.EdgeNode {
			weight += items * part.Weight()
		}
	}
	return weight
}

// Weight returns how much an object that the field returns counts in the answer: the greatest Weight of its types.
func (f *Field) Weight() int {
	weight := 0
	for _, o := range f.Children {
		weight = max(weight, o.Weight)
	}
	return weight
}

// answerSize is the fold that computes how many objects the answer has at worst, counted at each place.
type answerSize struct {
	*Bound
	limits pageLimits
	// below are the objects below one object of a node, itself included, by the node's index; 0 if not yet known.
	below []float64
}

func (b *Bound) answerSize(limits pageLimits) *answerSize {
	return &answerSize{b, limits, make([]float64, b.objects)}
}

// object returns the number of objects of a node and below it. The items of a connection are not included.
func (s *answerSize) object(o *Object) float64 {
	if s.below[o.index] > 0 {
		return s.below[o.index]
	}
	n := float64(o.Weight)
	for _, f := range o.Fields {
		n = bounded(n + s.field(f))
	}
	s.below[o.index] = n
	return n
}

// field returns the number of objects of a field that are not part of its object's weight.
func (s *answerSize) field(f *Field) float64 {
	switch f.Kind {
	case AttributeField, PageInfoField, EdgesField, NodesField, IntrospectionField:
		return 0
	case EdgeField, ItemField:
		if !s.event {
			return 0
		}
	case NodeField:
		return s.most(f.Children) - float64(f.Weight())
	}
	if f.of != nil && s.event {
		return 0
	}
	n := float64(s.items(f)) * s.most(f.Children)
	if page := s.page(f); page > 0 {
		n += float64(page) * s.item(f.Children[0])
	}
	return bounded(n)
}

// most returns the number of objects of the largest of the nodes.
func (s *answerSize) most(nodes []*Object) float64 {
	n := 0.0
	for _, o := range nodes {
		n = max(n, s.object(o))
	}
	return n
}

// items returns how many objects a field returns: 1 for a connection. A hand-written resolver is assumed to return
// MaxPage elements of a list.
func (s *answerSize) items(f *Field) int {
	switch {
	case f.Read == nil && f.Definition.Type.Elem != nil:
		return MaxPage
	case f.Read == nil:
		return 1
	case f.Read.Kind == design.Nodes, f.Read.Kind == design.Entities:
		return len(s.Arguments(f).answered(f.Read))
	case f.Read.Result == design.Many:
		return f.Read.AtMost
	}
	return 1
}

// answered returns the ids of the list that a field by global id returns: none if nodes has too many. The number of
// representations has no other limit than lists in arguments have: a router sends those of a whole response at once.
func (a *Arguments) answered(f *design.Field) []keys.ID {
	if f.Kind == design.Nodes && len(a.IDs) > MaxPage {
		return nil
	}
	return a.IDs
}

// page returns the size of a connection's page; 0 for any other field. That of a hand-written resolver is assumed to be
// MaxPage.
func (s *answerSize) page(f *Field) int {
	switch {
	case f.Read == nil && len(f.Children) == 1 && f.Children[0].selects(EdgesField, NodesField):
		return MaxPage
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
func (s *answerSize) item(connection *Object) float64 {
	n := 0.0
	for _, f := range connection.Fields {
		if f.Kind == EdgesField || f.Kind == NodesField {
			n = bounded(n + s.most(f.Children))
		}
	}
	return n
}

// chain returns the fields from the root to the one with most of the objects.
func (s *answerSize) chain() (chain []step, largest float64) {
	times, nodes := 1.0, []*Object{s.Root}
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
func (s *answerSize) largest(nodes []*Object) (largest *Field, objects float64) {
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
func below(nodes []*Object) []*Object {
	all := slices.Clone(nodes)
	for _, o := range nodes {
		for _, f := range o.Fields {
			switch f.Kind {
			case EdgesField, NodesField, NodeField:
				all = append(all, below(f.Children)...)
			}
		}
	}
	return all
}

func (s *answerSize) step(f *Field) step {
	if f.Read == nil || f.Read.Result != design.Connection {
		return step{f, -1, false}
	}
	return step{f, s.limits.apply(f, s.Arguments(f).Window.Count), s.Arguments(f).Window.Backward}
}
