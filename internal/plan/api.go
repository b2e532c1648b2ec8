package plan

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// buildDirectives are the directives that are no part of the API: those that declare the design of the table and the
// rules of access, and those that gqlgen reads.
var buildDirectives = []string{
	"allow", "check", "copy", "counts", "default", "difference", "exists", "get", "index", "item", liveDirective,
	"mutable", "now", "query", "sequence", "step", "stored", "table", "transitions", "unique", "version", "was",
	"goEnum", "goExtraField", "goField", "goModel", "goTag", "inlineArguments", "subscriptionContext",
}

// deferDirective is declared in every schema that gqlparser loads. Responses are sent in one part, so that it is no
// part of the API either.
const deferDirective = "defer"

// API returns the schema as clients see it: without the directives that only the build of a service reads, without the
// types that only they use, and without @defer, but with the subscriptions that @live declares. Types that nothing
// refers to remain. The schema that it is made from, which does not change, is needed to read the design. API of an API
// is the same schema.
func API(schema *ast.Schema) *ast.Schema {
	api := WithoutDirectives(schema, isHidden)
	addLive(api, schema)
	return api
}

// WithoutDirectives returns a copy of a schema without some directives, and without the types that only they use.
func WithoutDirectives(schema *ast.Schema, without func(name string) bool) *ast.Schema {
	internal := usedByAlone(schema, without)
	api := &ast.Schema{
		Description: schema.Description, Comment: schema.Comment,
		SchemaDirectives: others(schema.SchemaDirectives, without),
		Types:            make(map[string]*ast.Definition, len(schema.Types)),
		Directives:       maps.Clone(schema.Directives),
		PossibleTypes:    make(map[string][]*ast.Definition, len(schema.PossibleTypes)),
		Implements:       make(map[string][]*ast.Definition, len(schema.Implements)),
	}
	maps.DeleteFunc(api.Directives, func(name string, _ *ast.DirectiveDefinition) bool { return without(name) })
	for name, def := range schema.Types {
		if !internal[name] {
			api.Types[name] = definitionWithout(def, without)
		}
	}
	root := func(def *ast.Definition) *ast.Definition {
		if def == nil {
			return nil
		}
		return api.Types[def.Name]
	}
	api.Query, api.Mutation, api.Subscription = root(schema.Query), root(schema.Mutation), root(schema.Subscription)
	copyRelated(api.PossibleTypes, schema.PossibleTypes, api.Types)
	copyRelated(api.Implements, schema.Implements, api.Types)
	return api
}

func isHidden(directive string) bool {
	return directive == deferDirective || slices.Contains(buildDirectives, directive)
}

// usedByAlone returns the types that only the arguments of some directives use.
func usedByAlone(schema *ast.Schema, some func(name string) bool) map[string]bool {
	internal, used := map[string]bool{}, map[string]bool{}
	for name, d := range schema.Directives {
		into := used
		if some(name) {
			into = internal
		}
		for _, a := range d.Arguments {
			addInput(schema, a.Type.Name(), into)
		}
	}
	for name, def := range schema.Types {
		if internal[name] {
			continue
		}
		for _, f := range def.Fields {
			addInput(schema, f.Type.Name(), used)
			for _, a := range f.Arguments {
				addInput(schema, a.Type.Name(), used)
			}
		}
	}
	maps.DeleteFunc(internal, func(name string, _ bool) bool { return used[name] || schema.Types[name].BuiltIn })
	return internal
}

// addInput adds a type that arguments can have, and those of its fields, to a set.
func addInput(schema *ast.Schema, name string, into map[string]bool) {
	def := schema.Types[name]
	if into[name] || def == nil || !def.IsInputType() {
		return
	}
	into[name] = true
	for _, f := range def.Fields {
		addInput(schema, f.Type.Name(), into)
	}
}

// others returns the directives of a definition without some.
func others(list ast.DirectiveList, some func(name string) bool) ast.DirectiveList {
	return slices.DeleteFunc(slices.Clone(list), func(d *ast.Directive) bool { return some(d.Name) })
}

func definitionWithout(def *ast.Definition, some func(name string) bool) *ast.Definition {
	shown := *def
	shown.Directives = others(def.Directives, some)
	shown.Fields = slices.Clone(def.Fields)
	for i, f := range def.Fields {
		field := *f
		field.Directives = others(f.Directives, some)
		field.Arguments = slices.Clone(f.Arguments)
		for j, a := range f.Arguments {
			argument := *a
			argument.Directives = others(a.Directives, some)
			field.Arguments[j] = &argument
		}
		shown.Fields[i] = &field
	}
	shown.EnumValues = slices.Clone(def.EnumValues)
	for i, v := range def.EnumValues {
		value := *v
		value.Directives = others(v.Directives, some)
		shown.EnumValues[i] = &value
	}
	return &shown
}

// copyRelated copies the relations between types, such as those that implement an interface.
func copyRelated(to, from map[string][]*ast.Definition, types map[string]*ast.Definition) {
	for name, related := range from {
		if types[name] == nil {
			continue
		}
		to[name] = make([]*ast.Definition, len(related))
		for i, def := range related {
			to[name][i] = types[def.Name]
		}
	}
}
