package federation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/plan"
)

// link names the version of Federation whose directives the schema uses: the first one with prices.
const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", ` +
	"import: [%s])\n\n"

// The directives of Federation in the schema.
const (
	keyDirective       = "key"
	shareableDirective = "shareable"
	costDirective      = "cost"
	listSizeDirective  = "listSize"
)

// standard are the directives of GraphQL itself on definitions. A router knows no others than these and Federation's.
var standard = []string{"deprecated", "oneOf", "specifiedBy"}

// printer prints the schema for the router: the API's, as clients see it, without what is only meant for them.
type printer struct {
	api     *ast.Schema
	design  *keys.Design
	prices  *plan.Schema
	weights map[string]int
}

func newPrinter(schema *ast.Schema, design *keys.Design) *printer {
	p := &printer{api: schema, design: design, prices: plan.NewSchema(design, schema), weights: map[string]int{}}
	p.weighItems()
	return p
}

// sdl returns the schema.
func (p *printer) sdl() string {
	linked := *p.api
	linked.Directives, linked.SchemaDirectives = nil, nil
	linked.Types = make(map[string]*ast.Definition, len(p.api.Types))
	used := map[string]bool{}
	for name, def := range p.api.Types {
		changed := p.definition(def)
		if def == p.api.Query {
			linked.Query = changed
			if len(changed.Fields) == 0 {
				linked.Query = nil
				continue // A subgraph needs no fields of its own at the root.
			}
		}
		linked.Types[name] = changed
		collectFederated(changed, used)
	}
	imports := make([]string, 0, len(used))
	for _, name := range []string{keyDirective, shareableDirective, costDirective, listSizeDirective} {
		if used[name] {
			imports = append(imports, `"@`+name+`"`)
		}
	}
	var b bytes.Buffer
	_, _ = fmt.Fprintf(&b, link, strings.Join(imports, ", "))
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(&linked)
	return b.String()
}

func collectFederated(def *ast.Definition, used map[string]bool) {
	for _, d := range def.Directives {
		used[d.Name] = true
	}
	for _, f := range def.Fields {
		for _, d := range f.Directives {
			used[d.Name] = true
		}
	}
}

// definition returns a copy of a definition with the directives that the router needs.
func (p *printer) definition(def *ast.Definition) *ast.Definition {
	changed := *def
	changed.Directives = own(def.Directives)
	changed.Fields = make(ast.FieldList, 0, len(def.Fields))
	for _, f := range def.Fields {
		if def == p.api.Query && p.isRelayRoot(f.Name) {
			continue
		}
		field := *f
		field.Directives = own(f.Directives)
		field.Arguments = make(ast.ArgumentDefinitionList, len(f.Arguments))
		for i, a := range f.Arguments {
			argument := *a
			argument.Directives = own(a.Directives)
			field.Arguments[i] = &argument
		}
		if def.Kind == ast.Object && !def.BuiltIn && !strings.HasPrefix(f.Name, "__") {
			field.Directives = append(field.Directives, p.fieldWeights(def, f)...)
		}
		changed.Fields = append(changed.Fields, &field)
	}
	changed.EnumValues = make(ast.EnumValueList, len(def.EnumValues))
	for i, v := range def.EnumValues {
		value := *v
		value.Directives = own(v.Directives)
		changed.EnumValues[i] = &value
	}
	changed.Directives = append(changed.Directives, p.typeDirectives(def)...)
	return &changed
}

// isRelayRoot reports whether a field of the root of queries is Relay's node or nodes. They are not part of the graph:
// several subgraphs have them, each for its own objects, and the router does not know which one to ask.
func (p *printer) isRelayRoot(name string) bool {
	f := p.design.Field(p.api.Query.Name, name)
	return f != nil && f.Kind.IsByID()
}

// typeDirectives returns those of an object type: an entity has its key and what it costs to read; other types may be
// in several subgraphs, except for the roots.
func (p *printer) typeDirectives(def *ast.Definition) ast.DirectiveList {
	switch {
	case def.Kind != ast.Object || def.BuiltIn || p.isRoot(def):
		return nil
	case slices.Contains(p.design.Entities(), def.Name):
		return ast.DirectiveList{
			directive(keyDirective, argument("fields", stringValue("id"))),
			cost(p.weightOf(def.Name)),
		}
	}
	return ast.DirectiveList{directive(shareableDirective)}
}

func (p *printer) isRoot(def *ast.Definition) bool {
	return def == p.api.Query || def == p.api.Mutation || def == p.api.Subscription
}

// own returns the directives of GraphQL itself.
func own(list ast.DirectiveList) ast.DirectiveList {
	return slices.DeleteFunc(slices.Clone(list), func(d *ast.Directive) bool { return !slices.Contains(standard, d.Name) })
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
