package gen

import (
	_ "embed"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

var (
	//go:embed templates/design.gotpl
	designTemplate string
	//go:embed templates/fields.gotpl
	fieldsTemplate string
	//go:embed templates/types.gotpl
	typesTemplate string
)

func (p *Plugin) typedFile(name string) string { return filepath.Join(p.options.Typed, name) }

// typedName returns the package name of the typed keys.
func (p *Plugin) typedName() string { return filepath.Base(p.options.Typed) }

// importPath returns the import path of a directory, which need not exist yet.
func importPath(dir string) (string, error) {
	file, err := filepath.Abs(filepath.Join(dir, designName))
	pkg := config.PackageConfig{Filename: filepath.ToSlash(file)}
	return pkg.ImportPath(), err
}

func (p *Plugin) writeTyped() error {
	for _, f := range []struct {
		name, template string
		data           any
	}{
		{designName, designTemplate, p.designFile()},
		{"fields_gen.go", fieldsTemplate, p.bindings()},
		{"types_gen.go", typesTemplate, p.storedTypes()},
	} {
		if err := p.render(p.typedFile(f.name), p.typedName(), f.template, f.data); err != nil {
			return err
		}
	}
	return nil
}

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

// rangeInput is an input object with from and to.
type rangeInput struct {
	Name     string
	Type     types.Type
	From, To string
}

func (p *Plugin) bindings() bindings {
	var out bindings
	ranges := map[string]rangeInput{}
	for _, f := range p.schema.Fields {
		if p.schema.PayloadOf(f.Parent) != nil {
			continue // The plan has the values of a payload.
		}
		c := p.binding(f)
		out.Fields = append(out.Fields, c)
		for _, a := range f.Arguments {
			if input := p.argument(f, a.Name); a.Range {
				ranges[input.Type.Name()] = p.rangeInput(input, a.Kind)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ranges)) {
		out.Ranges = append(out.Ranges, ranges[name])
	}
	for _, name := range slices.Sorted(maps.Keys(p.schema.Connections)) {
		c := p.schema.Connections[name]
		if !c.EdgeNode || !c.HasNodes {
			continue
		}
		_, field := p.nodeOf(c)
		out.Nodes = append(out.Nodes, nodes{
			Connection: name,
			Name:       nodesFunc(name),
			Type:       p.object(name).Type,
			Node:       p.binding(p.schema.Field(c.Edge, "node")),
			Carrier:    field,
		})
	}
	return out
}

func bindFunc(f *design.Field) string { return templates.ToGo(f.Parent) + templates.ToGo(f.Name) }

func nodesFunc(connection string) string { return templates.ToGo(connection) + "Nodes" }

func (p *Plugin) binding(f *design.Field) binding {
	name := bindFunc(f)
	text := strings.ReplaceAll(p.schema.KeyCondition(f), "`", "")
	c := binding{Field: f, Name: name, Var: "field" + name, Text: text}
	if f.Kind.IsByID() {
		return c
	}
	names := variables(f)
	if owner := p.ownerVariable(f); owner != "" {
		names = append(names, owner)
	}
	taken := p.packagesOfTyped()
	taken[c.Var] = true
	for _, variable := range names {
		c.Params = append(c.Params, p.param(f, variable, paramName(variable, taken)))
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
	return names
}

// ownerVariable returns the attribute of the parent that the field's rule needs and no template
// names, or "".
func (p *Plugin) ownerVariable(f *design.Field) string {
	for _, r := range p.schema.Rules {
		if r.Parent != f.Parent || r.Name != f.Name {
			continue
		}
		if owner := r.Rule.Owner; owner != "" && !slices.Contains(variables(f), owner) {
			return owner
		}
	}
	return ""
}

func (p *Plugin) argument(f *design.Field, name string) *codegen.FieldArgument {
	for _, a := range p.field(f.Parent, f.Name).Args {
		if a.Name == name {
			return a
		}
	}
	panic(fmt.Sprintf("gen: bug: gqlgen has no argument %s of %s", name, f.Coordinate()))
}

func (p *Plugin) param(f *design.Field, variable, name string) param {
	out := param{Name: name, Variable: variable}
	if variable == keys.ViewerVariable {
		out.Type, out.Value = types.Typ[types.String], "keys.ViewerValue("+out.Name+")"
		return out
	}
	if a := f.Argument(variable); a != nil {
		out.argument = p.argument(f, variable)
		out.Type = out.argument.TypeReference.GO
		if a.Range {
			out.Value = rangeFunc(out.argument.Type.Name()) + "(" + addressed(out.Type, out.Name) + ")"
			return out
		}
		out.Value = keyValue(a.Kind, out.Type, out.Name)
		return out
	}
	parent := p.schema.Type(f.Parent)
	if parent == nil {
		parent = p.schema.EdgeItem(f.Parent)
	}
	field := p.field(parent.Name, variable)
	out.Type, out.attribute = field.TypeReference.GO, field.GoFieldName
	if isGlobalID(parent, field) {
		out.Value = fmt.Sprintf("keys.PartValue(%s, %d)", out.Name, slices.Index(parent.Identity, variable))
	} else {
		out.Value = keyValue(parent.Attribute(variable).Kind, out.Type, out.Name)
	}
	return out
}

// packagesOfTyped returns the names of the packages that the functions of the typed keys use.
func (p *Plugin) packagesOfTyped() map[string]bool {
	return map[string]bool{"keys": true, "item": true, "time": true, p.data.Config.Model.Package: true}
}

// paramName returns a name for a parameter that is not taken, and takes it.
func paramName(variable string, taken map[string]bool) string {
	name := templates.ToGoPrivate(variable)
	for taken[name] || name == "_" {
		name += "Value"
	}
	taken[name] = true
	return name
}

func addressed(t types.Type, name string) string {
	if isPointer(t) {
		return name
	}
	return "&" + name
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

func rangeFunc(input string) string { return "rangeOf" + templates.ToGo(input) }

func (p *Plugin) rangeInput(a *codegen.FieldArgument, kind keys.Kind) rangeInput {
	out := rangeInput{Name: rangeFunc(a.Type.Name()), Type: unpointed(a.TypeReference.GO)}
	for _, f := range p.data.Inputs.ByName(a.Type.Name()).Fields {
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
		}
	}
	return out
}
