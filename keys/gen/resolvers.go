package gen

import (
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/partita/partita/keys"
)

// stub is the beginning of the body that gqlgen writes for a resolver.
const stub = `panic(fmt.Errorf("not implemented: `

// Implement returns the body of a resolver: the present one, or else for a read field the line that
// reads it. A person may edit that line; if the body is removed, it is generated again. gqlgen
// calls Implement while a file is rendered, so that the line can add imports.
func (p *Plugin) Implement(previous string, field *codegen.Field) string {
	if previous != "" && !strings.HasPrefix(previous, stub) {
		return previous
	}
	if f := p.schema.Field(field.Object.Name, field.Name); f != nil {
		return p.readLine(f, field)
	}
	if c := p.schema.Connections[field.Object.Name]; c != nil && c.EdgeNode && field.Name == "nodes" {
		return fmt.Sprintf("return %s.Objects(ctx, %s.%s(obj), %s)",
			p.loaders(), p.typed(), nodesFunc(c.Name), p.constructor(field))
	}
	return fmt.Sprintf("%s%s - %s\"))", stub, field.GoFieldName, field.Name)
}

func (p *Plugin) loaders() string { return templates.CurrentImports.Lookup(loadersPath) }

func (p *Plugin) typed() string { return templates.CurrentImports.Lookup(p.typedPath) }

// constructor returns the function that fills the type of the field.
func (p *Plugin) constructor(field *codegen.Field) string {
	t := field.TypeReference.GO
	if field.Type.Elem != nil {
		t = elementOf(t)
	}
	return templates.CurrentImports.Lookup(p.data.Config.Model.ImportPath()) + ".New" + goName(t)
}

func (p *Plugin) readLine(f *keys.Field, field *codegen.Field) string {
	c := p.binding(f)
	arguments := make([]string, len(c.Params))
	for i, param := range c.Params {
		arguments[i] = p.resolverValue(param, field)
	}
	if f.Kind == keys.Node || f.Kind == keys.Nodes {
		arguments = []string{field.Args[0].VarName}
	}
	key := fmt.Sprintf("%s.%s(%s)", p.typed(), c.Name, strings.Join(arguments, ", "))
	switch {
	case f.Kind == keys.Nodes:
		return fmt.Sprintf("return %s.Objects(ctx, %s, %s)", p.loaders(), key, p.constructor(field))
	case f.Result == keys.Many:
		return fmt.Sprintf("return %s.List(ctx, %s, %s)", p.loaders(), key, p.constructor(field))
	case f.Result == keys.Connection:
		build := p.constructor(field)
		if p.schema.Connections[field.Type.Name()].HasTotalCount {
			build += "(obj." + p.field(f.Parent, f.Count).GoFieldName + ")"
		}
		return fmt.Sprintf("return %s.Connection(ctx, %s, %s, %s)", p.loaders(), key, p.paging(field), build)
	default:
		return fmt.Sprintf("return %s.Object(ctx, %s, %s)", p.loaders(), key, p.constructor(field))
	}
}

// resolverValue returns the expression that a resolver passes for a variable.
func (p *Plugin) resolverValue(param param, field *codegen.Field) string {
	if param.argument != nil {
		return param.argument.VarName
	}
	if param.Variable == keys.ViewerVariable {
		return templates.CurrentImports.Lookup(viewerPath) + ".FromContext(ctx).ID"
	}
	if it := p.schema.EdgeItem(field.Object.Name); it != nil {
		return "obj." + carrier(p.schema.AST, field.Object.Name, it) + "." + param.attribute
	}
	return "obj." + param.attribute
}

// paging returns the loaders.Paging of the connection arguments that a field has.
func (p *Plugin) paging(field *codegen.Field) string {
	var parts []string
	for _, name := range []string{"first", "after", "last", "before"} {
		for _, a := range field.Args {
			if a.Name == name {
				parts = append(parts, templates.ToGo(name)+": "+addressed(a.TypeReference.GO, a.VarName))
			}
		}
	}
	return p.loaders() + ".Paging{" + strings.Join(parts, ", ") + "}"
}

// renameArguments renames arguments of read resolvers that have the names of packages in their
// bodies.
func (p *Plugin) renameArguments() {
	packages := map[string]bool{
		"loaders": true, "viewer": true, p.typedName(): true, p.data.Config.Model.Package: true,
	}
	for _, f := range p.schema.Fields {
		for _, a := range p.field(f.Parent, f.Name).Args {
			if packages[a.VarName] {
				a.VarName += "Arg"
			}
		}
	}
}
