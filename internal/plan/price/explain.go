package price

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// maxExplained limits the size of an Explanation: fragments can spread a selection at exponentially many places.
const maxExplained = 1000

// Explain returns the plan from which the operation's Price is computed.
func Explain(b *plan.Bound) Explanation {
	x := explain(b)
	x.Waves = slices.DeleteFunc(x.Waves, func(w ExplainedWave) bool { return len(w.Reads) == 0 })
	if b.IsEvent() {
		return x.Explanation
	}
	for _, n := range b.NotReady() {
		x.NotReady = append(x.NotReady, problemOf(n.Coordinate, n.Position, n.Err))
	}
	for _, p := range b.ArgumentProblems() {
		x.Problems = append(x.Problems, problemOf(p.Coordinate, p.Position, p.Err))
	}
	if b.Live != nil {
		event := Explain(b.OfEvent())
		x.Event = &event
	}
	return x.Explanation
}

func problemOf(coordinate string, at *ast.Position, err error) ExplainedProblem {
	return ExplainedProblem{Field: coordinate, Line: at.Line, Column: at.Column, Reason: err.Error()}
}

func explain(b *plan.Bound) explainer {
	o := newOperation(b)
	price := o.price(pageLimits{})
	root := &Trace{isMutation: b.Operation.Operation == ast.Mutation}
	x := explainer{operation: o, trace: root, Explanation: Explanation{
		ReadUnits: price.ReadUnits, WriteUnits: price.WriteUnits, Objects: price.Objects,
		Requests: price.Requests, Waves: []ExplainedWave{},
	}}
	for _, w := range o.waves {
		requests := int(min(w.requests(), most))
		explained := ExplainedWave{Requests: requests, ReadUnits: min(w.units, most)}
		if n := int(min(b.Schema.RoundTrips(w.requests()), most)); n > 1 {
			explained.RoundTrips = n
		}
		x.Waves = append(x.Waves, explained)
	}
	x.object(o.root, place{times: 1, trace: x.trace})
	return x
}

// explainer fills an Explanation.
type explainer struct {
	*operation
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
func (x *explainer) object(o *object, at place) {
	for _, n := range o.fields {
		if x.explained++; x.explained > maxExplained {
			x.Cut = true
			return
		}
		x.field(n, at)
	}
}

func (x *explainer) field(n *field, at place) {
	below := place{
		fields: slices.Concat(at.fields, []string{n.name()}),
		path:   slices.Concat(at.path, n.via, []string{n.Alias}),
		phase:  at.phase + n.phase,
		wave:   at.wave + n.after,
		known:  at.known,
		trace:  at.trace.add(n),
	}
	if n.isItem || n.isMember {
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
	below.known, below.read = x.addMembers(n, at, below)
	for _, c := range n.children {
		child := below
		child.path = slices.Concat(below.path, c.via)
		child.times = min(at.times*c.items, most)
		child.keyOnly = x.keyOnly(n, c.typeName, at.keyOnly)
		x.object(c.object, child)
	}
}

// add adds the Reads of a field of an object in one of its waves to that wave, and returns their id.
func (x *explainer) add(n *field, at, field place, wave int) int {
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
		Sweep: x.sweep(n),
	})
	if others > 0 {
		w.Requests += int(min(others*at.times, most))
	}
	return x.id
}

// addMembers adds the Gets of the members that decide about a field. It returns the ids of the Reads on which what is
// below the field depends, if it follows from the field's key and if it follows from its item.
func (x *explainer) addMembers(n *field, at, field place) (known, read []int) {
	known, read = field.known, field.read
	sent := x.starts[field.phase] + at.wave + n.after
	if n.phase > 0 {
		sent = x.starts[field.phase] + n.after
	}
	for i := range n.members {
		m := &n.members[i]
		x.id++
		field.trace.addMembers(x.id)
		depends := at.known
		if n.phase > 0 || n.after > 0 {
			depends = at.read
		}
		w := &x.Waves[sent]
		w.Reads = append(w.Reads, ExplainedRead{
			ID: x.id, DependsOn: depends,
			Field: strings.Join(append(slices.Clone(field.fields), "@allow"), "."), Path: field.path,
			Line: n.Position.Line, Column: n.Position.Column,
			Kind: "Get", Condition: x.memberKey(n, m), Times: at.times, ReadUnits: m.own.allUnits(),
		})
		known, read = append(slices.Clip(known), x.id), append(slices.Clip(read), x.id)
	}
	return known, read
}

// memberKey returns the key of a member.
func (x *explainer) memberKey(n *field, m *member) string {
	values := func(name string) keys.Value {
		if usesArguments(n, m) {
			return x.Values(n.Field, nil)(name)
		}
		return keys.Value{}
	}
	placeholder := func(name string) string {
		switch {
		case name == keys.ViewerVariable, n.read != nil && n.read.Argument(name) != nil:
			return "{" + name + "}"
		}
		return "{" + name + " of " + m.parent + "}"
	}
	return x.Schema.Design.Layout.DescribeKey(m.pk.Describe(values, placeholder), m.sk.Describe(values, placeholder))
}
