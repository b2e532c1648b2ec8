package contract

import "github.com/vektah/gqlparser/v2/ast"

// usages are the types of an API that clients use.
type usages struct {
	// all are those that are used, lasting those of them that are used by what is not deprecated.
	all, lasting map[string]bool
	// named and lastingNamed are the same without objects that only an interface such as Node may return: a client has
	// them from a field.
	named, lastingNamed map[string]bool
}

func usage(schema *ast.Schema) usages {
	find := func(objects, deprecated bool) map[string]bool {
		r := reach{schema: schema, objects: objects, deprecated: deprecated, types: map[string]bool{}}
		for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
			r.definition(root)
		}
		return r.types
	}
	return usages{
		all: find(true, true), lasting: find(true, false), named: find(false, true), lastingNamed: find(false, false),
	}
}

// isAnnounced reports whether only deprecated fields use a type, or it has only those, so that clients expect its
// removal.
func (u usages) isAnnounced(name string) bool { return u.named[name] && !u.lastingNamed[name] }

// isDeprecated reports whether only deprecated elements use a type, so that clients expect any change of it.
func (u usages) isDeprecated(name string) bool { return u.all[name] && !u.lasting[name] }

// reach finds the types that are used.
type reach struct {
	schema *ast.Schema
	// objects adds the types that have an interface, deprecated what deprecated elements use.
	objects, deprecated bool
	types               map[string]bool
}

func (r *reach) named(name string) { r.definition(r.schema.Types[name]) }

func (r *reach) definition(def *ast.Definition) {
	if def == nil || r.types[def.Name] {
		return
	}
	fields := 0
	for _, f := range def.Fields {
		if r.counts(f.Directives) && !isOfGraphQL(f.Name) {
			fields++
		}
	}
	if fields == 0 && len(def.Fields) > 0 {
		return
	}
	r.types[def.Name] = true
	for _, f := range def.Fields {
		if !r.counts(f.Directives) {
			continue
		}
		r.named(f.Type.Name())
		for _, a := range f.Arguments {
			if r.counts(a.Directives) {
				r.named(a.Type.Name())
			}
		}
	}
	for _, name := range append(def.Types, def.Interfaces...) {
		r.named(name)
	}
	if r.objects && def.Kind == ast.Interface {
		for _, possible := range r.schema.GetPossibleTypes(def) {
			r.definition(possible)
		}
	}
}

func (r *reach) counts(directives ast.DirectiveList) bool {
	return r.deprecated || !isDeprecated(directives)
}
