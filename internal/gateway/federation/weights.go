package federation

import (
	"math"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// unitWeight is how much a read unit weighs: the cheapest read consumes half of one, and a weight is a whole number.
// writeWeight is that of a write unit, by the ratio of their on-demand prices.
const (
	unitWeight  = 2
	writeWeight = 5 * unitWeight
)

// defaultWeight is the weight that a router assumes for an object.
const defaultWeight = 1

// weigh returns the weight of units, at least that of an object.
func weigh(units float64) int { return max(defaultWeight, roundedWeight(units, 0)) }

// weightOf returns the weight of an object of a type: of a Get if it is stored.
func (p *printer) weightOf(name string) int {
	if t := p.design.Type(name); t != nil {
		return weigh(capacity.Get(t.MaxBytes, false))
	}
	return defaultWeight
}

// weighItems sets the weights of edges and nodes, by the coordinates of these fields: those of one more item of the
// most expensive field that returns the connection.
func (p *printer) weighItems() {
	for _, f := range p.design.Fields {
		if f.Result != design.Connection {
			continue
		}
		connection := p.own.Types[p.definitionOf(f).Type.Name()]
		_, each := p.pageWeights(f)
		for _, name := range itemFields(connection) {
			weight := each
			if name == nodesField && f.EdgeNode {
				weight += p.weightOf(connection.Fields.ForName(name).Type.Name())
			}
			at := connection.Name + "." + name
			p.items[at] = max(p.items[at], weight)
		}
	}
}

func (p *printer) definitionOf(f *design.Field) *ast.FieldDefinition {
	return p.own.Types[f.Parent].Fields.ForName(f.Name)
}

// itemFields are the fields of a connection with its items.
func itemFields(connection *ast.Definition) []string {
	return slices.DeleteFunc([]string{"edges", nodesField}, func(name string) bool {
		return connection.Fields.ForName(name) == nil
	})
}

// pageWeights returns the weight of a page of one item without that item, and that of each item. A page of any size
// weighs at least as much as it costs.
func (p *printer) pageWeights(f *design.Field) (page, each int) {
	size := "first"
	if f.Bucketed() != "" && !f.Descending {
		size = "last" // All buckets before now have an end, but no beginning.
	}
	units := func(n int) float64 {
		return price.OfField(p.plans, f.Parent, f.Name, argument(size, intValue(n))).ReadUnits
	}
	one, most := units(1), units(plan.MaxPage)
	return weigh(one), weigh((most - one) / (plan.MaxPage - 1))
}

// fieldWeights returns the directives from which a router computes what a field costs.
func (p *printer) fieldWeights(parent *ast.Definition, f *ast.FieldDefinition) ast.DirectiveList {
	if weight, is := p.items[parent.Name+"."+f.Name]; is {
		return ast.DirectiveList{cost(weight)}
	}
	read := p.design.Field(parent.Name, f.Name)
	switch {
	case read != nil && read.Result == design.Connection:
		page, _ := p.pageWeights(read)
		return ast.DirectiveList{cost(page), p.pageSize(f)}
	case read != nil && read.Result == design.Many:
		return ast.DirectiveList{directive(listSizeDirective, argument("assumedSize", intValue(read.AtMost)))}
	case read != nil && read.Kind == design.Get && p.design.Type(f.Type.Name()) != nil:
		return nil // The type has the weight.
	case read == nil && parent != p.subgraph.Mutation && !p.hasCost(parent, f):
		return nil
	}
	weight := p.operationWeight(parent, f)
	if weight <= defaultWeight {
		return nil
	}
	return ast.DirectiveList{cost(weight)}
}

// hasCost reports whether the service declares what a field costs.
func (p *printer) hasCost(parent *ast.Definition, f *ast.FieldDefinition) bool {
	return p.own.Types[parent.Name].Fields.ForName(f.Name).Directives.ForName("cost") != nil
}

// operationWeight returns what a field with a price of its own weighs: a mutation with any input.
func (p *printer) operationWeight(parent *ast.Definition, f *ast.FieldDefinition) int {
	m := p.design.Mutation(f.Name)
	if parent != p.subgraph.Mutation || m == nil || p.design.IsHandWritten(parent.Name, f.Name) {
		worst := price.OfField(p.plans, parent.Name, f.Name)
		return roundedWeight(worst.ReadUnits, worst.WriteUnits)
	}
	work := write.WorkloadOf(p.design, m, nil)
	return roundedWeight(work.ReadUnits, float64(work.Units()))
}

// roundedWeight returns the weight of read units and write units.
func roundedWeight(reads, writes float64) int {
	return int(math.Ceil(reads*unitWeight + writes*writeWeight))
}

// pageSize returns the directive for the size of a page.
func (p *printer) pageSize(f *ast.FieldDefinition) *ast.Directive {
	slicing := slices.DeleteFunc([]string{"first", "last"}, func(name string) bool {
		return f.Arguments.ForName(name) == nil
	})
	// A page after a cursor needs neither argument, and totalCount no page.
	no := &ast.Value{Kind: ast.BooleanValue, Raw: "false"}
	return directive(listSizeDirective,
		argument("assumedSize", intValue(plan.DefaultPage)), argument("slicingArguments", namesValue(slicing)),
		argument("sizedFields", namesValue(itemFields(p.own.Types[f.Type.Name()]))),
		argument("requireOneSlicingArgument", no))
}
