package gen

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// bindings are the functions that bind the read fields to their values.
type bindings struct {
	Fields []binding
	Nodes  []nodes
	Ranges []rangeInput
}

// binding is the function of one read field.
type binding struct {
	*design.Field
	// Name is the function's name, Var that of the variable with its field.
	Name, Var string
	Params    []param
	// Text is the key condition as a comment.
	Text string
}

// param is a parameter of a binding: one of the variables of its condition.
type param struct {
	Name     string
	Variable string
	Type     types.Type
	Value    string
	// argument is the GraphQL argument, nil for an attribute of the parent.
	argument *codegen.FieldArgument
	// attribute is the parent's Go field.
	attribute string
}

// ByID reports whether the field is Relay's node.
func (b binding) ByID() bool { return b.Kind == design.Node }

// ByIDs reports whether the field is Relay's nodes.
func (b binding) ByIDs() bool { return b.Kind == design.Nodes }

// nodes is the function of a connection whose nodes are read by their own keys.
type nodes struct {
	Connection, Name string
	Type             types.Type
	// Node is the binding of the edge's node, Carrier the edge's Go field with
	// the item.
	Node    binding
	Carrier string
}

// Arguments returns those of the node's binding, from the loop variable edge.
func (n nodes) Arguments() []string {
	arguments := make([]string, len(n.Node.Params))
	for i, param := range n.Node.Params {
		arguments[i] = "edge." + n.Carrier + "." + param.attribute
	}
	return arguments
}

// rangeInput is an input object with from and to, or with prefix. Those that it lacks are "".
type rangeInput struct {
	Name             string
	Type             types.Type
	From, To, Prefix string
}

// newBindings returns the functions of all read fields.
func newBindings(s *schema) bindings {
	var out bindings
	ranges := map[string]rangeInput{}
	for _, f := range s.Fields {
		if s.PayloadOf(f.Parent) != nil {
			continue // The plan has the values of a payload.
		}
		c := newBinding(s, f)
		out.Fields = append(out.Fields, c)
		for _, a := range f.Arguments {
			if input := s.argument(f, a.Name); a.Range {
				ranges[input.Type.Name()] = newRangeInput(s, input, a.Kind)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ranges)) {
		out.Ranges = append(out.Ranges, ranges[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Connections)) {
		c := s.Connections[name]
		if !c.EdgeNode || !c.HasNodes {
			continue
		}
		_, field := nodeOf(s, c)
		out.Nodes = append(out.Nodes, nodes{
			Connection: name,
			Name:       nodesFunc(name),
			Type:       s.object(name).Type,
			Node:       newBinding(s, s.Field(c.Edge, "node")),
			Carrier:    field,
		})
	}
	return out
}

func newBinding(s *schema, f *design.Field) binding {
	name := bindFunc(f)
	text := strings.ReplaceAll(s.KeyCondition(f), "`", "")
	c := binding{Field: f, Name: name, Var: "field" + name, Text: text}
	if f.Kind.IsByID() {
		return c
	}
	names := variables(f)
	for _, name := range ruleVariables(s, f) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	taken := packagesOfTyped(s)
	taken[c.Var] = true
	for _, variable := range names {
		c.Params = append(c.Params, newParam(s, f, variable, paramName(variable, taken)))
	}
	return c
}

// variables returns those of the templates in order and once each, then the arguments that are in
// none.
func variables(f *design.Field) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range append(f.PK.Variables(), f.SK.Variables()...) {
		add(name)
	}
	for _, a := range f.Arguments {
		add(a.Name)
	}
	if name := f.SinceVariable(); name != "" {
		add(name)
	}
	return names
}

// ruleVariables returns the attributes of the parent that the field's rule needs and no template names.
func ruleVariables(s *schema, f *design.Field) []string {
	var names []string
	for _, r := range s.Rules {
		if r.Parent != f.Parent || r.Name != f.Name {
			continue
		}
		if r.Rule.Owner != "" {
			names = append(names, r.Rule.Owner)
		}
		for _, m := range r.Rule.Members {
			names = append(append(names, m.PK.Variables()...), m.SK.Variables()...)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return name == keys.ViewerVariable || slices.Contains(variables(f), name)
	})
}

func newParam(s *schema, f *design.Field, variable, name string) param {
	out := param{Name: name, Variable: variable}
	if variable == keys.ViewerVariable {
		out.Type, out.Value = types.Typ[types.String], "keys.ViewerValue("+out.Name+")"
		return out
	}
	if a := f.Argument(variable); a != nil {
		out.argument = s.argument(f, variable)
		out.Type = out.argument.TypeReference.GO
		if a.Range {
			out.Value = rangeFunc(out.argument.Type.Name()) + "(" + addressed(out.Type, out.Name) + ")"
			return out
		}
		out.Value = keyValue(a.Kind, out.Type, out.Name)
		return out
	}
	parent := s.Type(f.Parent)
	if parent == nil {
		parent = s.EdgeItem(f.Parent)
	}
	field := s.field(parent.Name, variable)
	out.Type, out.attribute = field.TypeReference.GO, field.GoFieldName
	if isGlobalID(parent, field) {
		out.Value = fmt.Sprintf("keys.PartValue(%s, %d)", out.Name, slices.Index(parent.Identity, variable))
	} else {
		out.Value = keyValue(parent.Attribute(variable).Kind, out.Type, out.Name)
	}
	return out
}

// packagesOfTyped returns the names of the packages that the functions of the typed keys use.
func packagesOfTyped(s *schema) map[string]bool {
	return map[string]bool{"keys": true, "item": true, "time": true, s.data.Config.Model.Package: true}
}

// keyValue returns the expression of the Value of a variable.
func keyValue(kind keys.Kind, t types.Type, name string) string {
	constructor := valueConstructor(kind)
	if isPointer(t) {
		return "keys.Optional(" + name + ", " + constructor + ")"
	}
	return constructor + "(" + name + ")"
}

func valueConstructor(kind keys.Kind) string {
	switch kind {
	case keys.IDKind:
		return "keys.IDValue"
	case keys.Int, keys.Int64:
		return "keys.IntValue"
	case keys.Float:
		return "keys.FloatValue"
	case keys.Boolean:
		return "keys.BooleanValue"
	case keys.Enum:
		return "keys.EnumValue"
	case keys.Time:
		return "keys.TimeValue"
	case keys.Date:
		return "keys.DateValue"
	default:
		return "keys.StringValue"
	}
}

func newRangeInput(s *schema, a *codegen.FieldArgument, kind keys.Kind) rangeInput {
	out := rangeInput{Name: rangeFunc(a.Type.Name()), Type: unpointed(a.TypeReference.GO)}
	for _, f := range s.data.Inputs.ByName(a.Type.Name()).Fields {
		constructor := valueConstructor(kind)
		expression := "r." + f.GoFieldName
		if f.Name == "from" && kind == keys.Time {
			constructor = "keys.EarliestTime"
		}
		if isPointer(f.TypeReference.GO) {
			expression = "keys.Optional(" + expression + ", " + constructor + ")"
		} else {
			expression = constructor + "(" + expression + ")"
		}
		switch f.Name {
		case "from":
			out.From = expression
		case "to":
			out.To = expression
		case "prefix":
			out.Prefix = expression
		}
	}
	return out
}
