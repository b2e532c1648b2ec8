package gen

import (
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// bodies writes the bodies of read resolvers.
type bodies struct {
	*schema
	// packageName returns the name by which a file refers to the package with an import path.
	packageName func(path string) string
}

// body returns the line that resolves a read field.
func (b bodies) body(field *codegen.Field) string {
	if m := b.mutation(field); m != nil {
		return b.mutate(m, field)
	}
	if f := b.Field(field.Object.Name, field.Name); f != nil {
		return b.read(f, field)
	}
	return fmt.Sprintf("return %s.Objects(ctx, %s.%s(obj), %s)",
		b.loaders(), b.typed(), nodesFunc(field.Object.Name), b.constructor(field))
}

func (b bodies) loaders() string { return b.packageName(loadersPath) }

func (b bodies) typed() string { return b.packageName(b.typedPath) }

// constructor returns the function that fills the type of the field.
func (b bodies) constructor(field *codegen.Field) string {
	t := field.TypeReference.GO
	if field.Type.Elem != nil {
		t = elementOf(t)
	}
	return b.packageName(b.data.Config.Model.ImportPath()) + ".New" + goName(t)
}

func (b bodies) read(f *design.Field, field *codegen.Field) string {
	if b.PayloadOf(f.Parent) != nil {
		if f.Kind == design.Get && f.Result == design.Many {
			return fmt.Sprintf("return %s.Objects(ctx, nil, %s)", b.loaders(), b.constructor(field))
		}
		return b.call(f, field, b.packageName(designPath)+".BoundField{}")
	}
	c := newBinding(b.schema, f)
	arguments := make([]string, len(c.Params))
	for i, param := range c.Params {
		arguments[i] = b.variable(param, field)
	}
	if f.Kind.IsByID() {
		arguments = []string{field.Args[0].VarName}
	}
	key := fmt.Sprintf("%s.%s(%s)", b.typed(), c.Name, strings.Join(arguments, ", "))
	return b.call(f, field, key)
}

// mutate returns the line that resolves a mutation.
func (b bodies) mutate(m *design.Mutation, field *codegen.Field) string {
	parts := []string{b.field(field.Type.Name(), "userErrors").GoFieldName + ": p.UserErrors"}
	if m.Deleted != "" {
		parts = append(parts, b.field(field.Type.Name(), m.Deleted).GoFieldName+": p.Deleted")
	}
	for _, s := range m.Steps {
		if s.Deleted != "" {
			name, from := b.field(field.Type.Name(), s.Deleted).GoFieldName, "DeletedIDs"
			if s.Each != "" {
				from = "DeletedLists"
			}
			parts = append(parts, fmt.Sprintf("%s: p.%s[%q]", name, from, s.Deleted))
		}
	}
	payload := b.packageName(b.data.Config.Model.ImportPath()) + "." + goName(field.TypeReference.GO)
	return fmt.Sprintf("return %s.Mutate(ctx, func(p %[1]s.Payload) *%s { return &%[2]s{%s} })",
		b.loaders(), payload, strings.Join(parts, ", "))
}

// call returns the line that calls package loaders for a read field with a key condition.
func (b bodies) call(f *design.Field, field *codegen.Field, key string) string {
	switch {
	case f.Kind == design.Nodes:
		return fmt.Sprintf("return %s.Objects(ctx, %s, %s)", b.loaders(), key, b.constructor(field))
	case f.Result == design.Many:
		return fmt.Sprintf("return %s.List(ctx, %s, %s)", b.loaders(), key, b.constructor(field))
	case f.Result == design.Connection:
		build := b.constructor(field)
		if b.Connections[field.Type.Name()].HasTotalCount {
			build += "(obj." + b.field(f.Parent, f.Count).GoFieldName + ")"
		}
		return fmt.Sprintf("return %s.Connection(ctx, %s, %s, %s)", b.loaders(), key, b.paging(field), build)
	default:
		return fmt.Sprintf("return %s.Object(ctx, %s, %s)", b.loaders(), key, b.constructor(field))
	}
}

// variable returns the expression that a resolver passes for a variable.
func (b bodies) variable(param param, field *codegen.Field) string {
	if param.argument != nil {
		return param.argument.VarName
	}
	if param.Variable == keys.ViewerVariable {
		return b.packageName(viewerPath) + ".FromContext(ctx).ID"
	}
	if it := b.EdgeItem(field.Object.Name); it != nil {
		return "obj." + carrier(b.AST, field.Object.Name, it) + "." + param.attribute
	}
	return "obj." + param.attribute
}

// paging returns the loaders.Paging of the connection arguments that a field has.
func (b bodies) paging(field *codegen.Field) string {
	var parts []string
	for _, name := range []string{"first", "after", "last", "before"} {
		for _, a := range field.Args {
			if a.Name == name {
				parts = append(parts, templates.ToGo(name)+": "+addressed(a.TypeReference.GO, a.VarName))
			}
		}
	}
	return b.loaders() + ".Paging{" + strings.Join(parts, ", ") + "}"
}
