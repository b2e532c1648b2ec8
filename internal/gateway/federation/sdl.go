package federation

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// link names the version of Federation whose directives the schema uses: the first one with prices.
const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [%s])`

// The directives of Federation in the schema, in the order of the import.
const (
	keyDirective       = "key"
	shareableDirective = "shareable"
	costDirective      = "cost"
	listSizeDirective  = "listSize"
)

var linked = []string{keyDirective, shareableDirective, costDirective, listSizeDirective}

// standard are the directives of GraphQL itself on definitions. A router knows no others than these and Federation's.
var standard = []string{"deprecated", "oneOf", "specifiedBy"}

// printer prints the schema for the router.
type printer struct {
	// own is the schema of the service, and subgraph the one for the router, to which directives are added.
	own, subgraph *ast.Schema
	design        *design.Design
	plans         *plan.Schema
	// items are the weights of edges and nodes by their coordinates.
	items map[string]int
}

func newPrinter(schema *ast.Schema, design *design.Design) *printer {
	others := func(name string) bool { return !slices.Contains(standard, name) }
	p := &printer{
		own: schema, subgraph: plan.WithoutDirectives(schema, others),
		design: design, plans: plan.NewSchema(design, schema), items: map[string]int{},
	}
	p.weighItems()
	return p
}

// sdl returns the schema.
func (p *printer) sdl() string {
	for _, def := range p.subgraph.Types {
		if def.Kind == ast.Object && !def.BuiltIn {
			p.direct(def)
		}
	}
	p.removeRelayRoots()
	var b bytes.Buffer
	_, _ = fmt.Fprintf(&b, link+"\n\n", strings.Join(p.imports(), ", "))
	maps.DeleteFunc(p.subgraph.Directives, func(string, *ast.DirectiveDefinition) bool { return true })
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(p.subgraph)
	return b.String()
}

// direct adds the directives of Federation to an object type: an entity has its key; other types may be in several
// subgraphs, except for the roots. What is stored costs a read.
func (p *printer) direct(def *ast.Definition) {
	switch {
	case p.isRoot(def):
	case slices.Contains(p.design.Entities(), def.Name):
		def.Directives = append(def.Directives, directive(keyDirective, argument("fields", stringValue("id"))))
	default:
		def.Directives = append(def.Directives, directive(shareableDirective))
	}
	if p.design.Type(def.Name) != nil {
		def.Directives = append(def.Directives, cost(p.weightOf(def.Name)))
	}
	for _, f := range def.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			f.Directives = append(f.Directives, p.fieldWeights(def, f)...)
		}
	}
}

func (p *printer) isRoot(def *ast.Definition) bool {
	return def == p.subgraph.Query || def == p.subgraph.Mutation || def == p.subgraph.Subscription
}

// removeRelayRoots removes Relay's node and nodes: several subgraphs have them, each for its own objects, and a router
// does not know which one to ask. A subgraph needs no other field of the root.
func (p *printer) removeRelayRoots() {
	query := p.subgraph.Query
	query.Fields = slices.DeleteFunc(query.Fields, func(f *ast.FieldDefinition) bool {
		read := p.design.Field(query.Name, f.Name)
		return read != nil && read.Kind.IsByID()
	})
	if !slices.ContainsFunc(query.Fields, func(f *ast.FieldDefinition) bool { return !strings.HasPrefix(f.Name, "__") }) {
		delete(p.subgraph.Types, query.Name)
		p.subgraph.Query = nil
	}
}

// imports returns the directives that the schema uses.
func (p *printer) imports() []string {
	used := map[string]bool{}
	add := func(list ast.DirectiveList) {
		for _, d := range list {
			used[d.Name] = true
		}
	}
	for _, def := range p.subgraph.Types {
		add(def.Directives)
		for _, f := range def.Fields {
			add(f.Directives)
		}
	}
	var names []string
	for _, name := range linked {
		if used[name] {
			names = append(names, `"@`+name+`"`)
		}
	}
	return names
}

func directive(name string, arguments ...*ast.Argument) *ast.Directive {
	return &ast.Directive{Name: name, Arguments: arguments}
}

func argument(name string, value *ast.Value) *ast.Argument {
	return &ast.Argument{Name: name, Value: value}
}

func stringValue(text string) *ast.Value { return &ast.Value{Kind: ast.StringValue, Raw: text} }

func intValue(n int) *ast.Value { return &ast.Value{Kind: ast.IntValue, Raw: fmt.Sprint(n)} }

func namesValue(names []string) *ast.Value {
	list := &ast.Value{Kind: ast.ListValue}
	for _, name := range names {
		list.Children = append(list.Children, &ast.ChildValue{Value: stringValue(name)})
	}
	return list
}

func cost(weight int) *ast.Directive {
	return directive(costDirective, argument("weight", intValue(weight)))
}
