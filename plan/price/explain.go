package price

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
)

// Explanation is the worst-case plan of an operation, wave by wave.
type Explanation struct {
	ReadUnits  float64         `json:"estimatedReadUnits"`
	WriteUnits float64         `json:"estimatedWriteUnits"`
	Objects    float64         `json:"estimatedObjects"`
	Requests   int             `json:"requests"`
	Waves      []ExplainedWave `json:"waves"`
	// Cut is set if the plan has more fields than maxExplained; the rest is left out.
	Cut bool `json:"cut,omitempty"`
	// Event is the plan of each event of a subscription, whose first state the rest is about; nil for other operations.
	Event *Explanation `json:"event,omitempty"`
}

// ExplainedWave is what is sent in one wave.
type ExplainedWave struct {
	Requests  int             `json:"requests"`
	ReadUnits float64         `json:"readUnits"`
	Reads     []ExplainedRead `json:"reads"`
}

// ExplainedRead are the Reads of one field.
type ExplainedRead struct {
	// ID identifies the Reads in the Explanation; it is positive.
	ID int `json:"id"`
	// DependsOn are the ids of the Reads whose items have values for the key condition, or decide whether the viewer
	// may read the field. They are in earlier waves.
	DependsOn []int `json:"dependsOn,omitempty"`
	// Field is its path from the root, by the names in the schema and with the sizes of pages.
	Field string `json:"field"`
	// Path is the field's path in the response, without the indexes of lists. Of several fields that are one Read, it
	// leads through the first, also to what is selected below another.
	Path []string `json:"path"`
	// Line and Column are the place of the field in the document. They begin at 1.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Kind is Get, Query, or Resolver for a hand-written resolver with a @cost; Create, Update or Delete for a mutation
	// without one.
	Kind string `json:"kind"`
	// Condition is the key condition, with {id of User} for a value that is not known until the parent has been read.
	Condition string `json:"condition,omitempty"`
	// Key is the key condition in parts, if all of its values are known.
	Key *ExplainedKey `json:"key,omitempty"`
	// Times is for how many objects the field is read; ReadUnits and WriteUnits are those of one.
	Times      float64 `json:"times"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits,omitempty"`
	// Writes are the items that a mutation writes.
	Writes []ExplainedWrite `json:"writes,omitempty"`
}

// maxExplained limits the size of an Explanation: fragments can spread a selection at exponentially many places.
const maxExplained = 1000

// Explain returns the plan from which the operation's Price is computed.
func Explain(b *plan.Bound) Explanation {
	x := explain(b)
	x.Waves = slices.DeleteFunc(x.Waves, func(w ExplainedWave) bool { return len(w.Reads) == 0 })
	if b.Live != nil && !b.IsEvent() {
		event := Explain(b.OfEvent())
		x.Event = &event
	}
	return x.Explanation
}

func explain(b *plan.Bound) explainer {
	o := priced(b, pageLimits{})
	price := o.price()
	root := &Trace{isMutation: b.Operation.Operation == ast.Mutation}
	x := explainer{pricedOperation: o, trace: root, Explanation: Explanation{
		ReadUnits: price.ReadUnits, WriteUnits: price.WriteUnits, Objects: price.Objects,
		Requests: price.Requests, Waves: []ExplainedWave{},
	}}
	for _, w := range o.waves {
		requests := int(min(w.requests(), most))
		x.Waves = append(x.Waves, ExplainedWave{Requests: requests, ReadUnits: min(w.units, most)})
	}
	x.object(o.pricedObject, place{times: 1, trace: x.trace})
	return x
}

// explainer fills an Explanation.
type explainer struct {
	pricedOperation
	Explanation
	explained int
	// trace is that of the root.
	trace *Trace
	// id is the greatest one of the Reads so far.
	id int
}

// place is an object that is selected in an operation.
type place struct {
	// keyOnly are the key-only attributes of the object, as far as they follow from the arguments.
	keyOnly item.Item
	// fields and path are the paths of the object: in the schema and in the response.
	fields, path []string
	// phase and wave are where the object is read.
	phase, wave int
	// times is how often it is in the answer.
	times float64
	// known are the ids of the Reads from which the object's key follows, read those from which its item follows.
	known, read []int
	// trace is that of the field that returns the object.
	trace *Trace
}

// object explains what is read below an object.
func (x *explainer) object(o *pricedObject, at place) {
	for _, n := range o.fields {
		if x.explained++; x.explained > maxExplained {
			x.Cut = true
			return
		}
		x.field(n, at)
	}
}

func (x *explainer) field(n *pricedField, at place) {
	below := place{
		fields: slices.Concat(at.fields, []string{n.name()}),
		path:   slices.Concat(at.path, n.via, []string{n.Alias}),
		phase:  at.phase + n.phase,
		wave:   at.wave + n.after,
		known:  at.known,
		trace:  at.trace.add(n),
	}
	if n.isItem {
		below.fields, below.path = at.fields, at.path
	}
	if n.phase > 0 {
		below.wave = n.after
	}
	if n.phase > 0 || n.after > 0 {
		below.known = at.read
	}
	below.read = below.known
	if n.own != (wave{}) || n.writes > 0 {
		below.read = []int{x.add(n, at, below, 0)}
		for i := range n.rest {
			below.known = below.read
			below.wave++
			below.read = []int{x.add(n, at, below, 1+i)}
		}
		if n.read == nil || n.read.Kind == design.Query {
			below.known = below.read
		}
	}
	for _, c := range n.children {
		child := below
		child.path = slices.Concat(below.path, c.via)
		child.times = min(at.times*c.items, most)
		child.keyOnly = x.keyOnly(n, c.typeName, at.keyOnly)
		x.object(c.object, child)
	}
}

// add adds the Reads of a field of an object in one of its waves to that wave, and returns their id.
func (x *explainer) add(n *pricedField, at, field place, wave int) int {
	sent := x.starts[field.phase] + field.wave
	if n.own.deferredGets > 0 && n.own.gets == 0 {
		sent = x.sentIn[field.phase][field.wave]
	}
	own, writes, others := n.own, n.writes, n.otherRequests
	if wave > 0 {
		own, writes, others = n.rest[wave-1], 0, 0
	}
	x.id++
	field.trace.addRead(n, x.id)
	conditions := x.conditions(n, at.keyOnly)
	w := &x.Waves[sent]
	w.Reads = append(w.Reads, ExplainedRead{
		ID: x.id, DependsOn: field.known,
		Field: strings.Join(field.fields, "."), Path: field.path, Line: n.Position.Line, Column: n.Position.Column,
		Kind: n.kind(), Condition: x.condition(n, at.keyOnly, conditions, wave), Key: x.key(n, conditions, wave),
		Times: at.times, ReadUnits: own.allUnits(), WriteUnits: writes, Writes: x.writes(n),
	})
	if others > 0 {
		w.Requests += int(min(others*at.times, most))
	}
	return x.id
}

// keyOnly returns the key-only attributes of an object that a field of an object with the key-only attributes parent
// returns.
func (x *explainer) keyOnly(n *pricedField, typeName string, parent item.Item) item.Item {
	if n.read == nil || n.read.Kind == design.Query {
		return nil
	}
	var found []design.Condition
	for _, c := range x.conditions(n, parent) {
		if c.KeyOnly.Type() == typeName {
			found = append(found, c)
		}
	}
	if len(found) == 1 {
		return found[0].KeyOnly
	}
	return x.Schema.KeyNamesOfID(typeName).Item
}

// conditions returns the key conditions of a field that has values for them: one, or for nodes one for each object.
func (x *explainer) conditions(n *pricedField, parent item.Item) []design.Condition {
	if n.read == nil {
		return nil
	}
	if !n.read.Kind.IsByID() {
		if c, err := n.read.Bind(x.valuesOf(n, parent)).At(x.Now).Condition(); err == nil && !c.IsEmpty() {
			return []design.Condition{c}
		}
		return nil
	}
	var all []design.Condition
	for _, id := range x.Arguments(n.Field).IDs {
		c, err := x.Schema.Design.BindNode(n.read, id).Condition()
		if err == nil && !slices.ContainsFunc(all, func(o design.Condition) bool { return o.Key == c.Key }) {
			all = append(all, c)
		}
	}
	return all
}

// valuesOf returns the values of the variables of a field's key condition, as far as they are known.
func (x *explainer) valuesOf(n *pricedField, parent item.Item) func(string) keys.Value {
	if n.isNode {
		return func(string) keys.Value { return keys.Value{} }
	}
	return x.Values(n.Field, parent)
}

func (n *pricedField) kind() string {
	switch {
	case n.Mutation != nil:
		return mutationNames[n.Mutation.Kind]
	case n.read == nil && n.own.gets == 0:
		return "Resolver"
	case n.read != nil && n.read.Kind == design.Query:
		return "Query"
	}
	return "Get"
}

// condition returns the key condition of a field in one of its waves as an Explanation shows it. known are those with
// values.
func (x *explainer) condition(n *pricedField, parent item.Item, known []design.Condition, wave int) string {
	read, layout := n.read, x.Schema.Design.Layout
	switch {
	case n.isItem:
		return strings.Join(slices.Concat(layout.PK.Names(), layout.SK.Names()), ", ") + " of the entry"
	case read == nil:
		return ""
	case read.Kind.IsByID():
		return keysText(layout, known)
	}
	placeholder := func(name string) string {
		if read.Argument(name) != nil {
			return "{" + name + "}"
		}
		return "{" + name + " of " + n.parent + "}"
	}
	values := x.valuesOf(n, parent)
	pk, sk := read.PK.Describe(values, placeholder), read.SK.Describe(values, placeholder)
	if read.Kind == design.Get {
		if len(read.Shards()) > 1 {
			pk += read.PK.Delimiter() + "{shard}"
		}
		return layout.DescribeKey(pk, sk)
	}
	text := x.partitionsText(n, pk, known, wave) + x.rangeText(n, sk, known)
	if read.Descending != n.backward {
		text += ", descending"
	}
	return text + fmt.Sprintf(", limit %d", n.limit)
}
