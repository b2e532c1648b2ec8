package executors

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// selection returns a selection set of a type.
func (b *builder) selection(def *ast.Definition, at *scope, depth int) string {
	var parts []string
	for range 1 + b.IntN(4) {
		var part string
		switch chance := b.IntN(100); {
		case chance < 66:
			part = b.field(def, at, depth)
		case chance < 75:
			part = b.repeated(def, at, depth)
		case chance < 79:
			part = "... " + b.directives() + b.selection(def, at, depth)
		case chance < 86 || def.IsAbstractType() && chance < 96:
			on := pick(b, b.overlapping[def])
			part = "... on " + on.Name + " " + b.directives() + b.selection(on, at, depth)
		default:
			part = b.spread(def, depth)
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		parts = append(parts, b.typename(at))
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

// spread returns a spread of a new or of a known fragment; "" if there are enough.
func (b *builder) spread(def *ast.Definition, depth int) string {
	if b.chance(50) {
		for _, f := range b.fragments {
			if slices.Contains(b.overlapping[def], f.on) {
				return "..." + f.name + " " + b.directives()
			}
		}
	}
	if len(b.fragments) >= maxFragments {
		return ""
	}
	f := fragment{name: b.name("F"), on: pick(b, b.overlapping[def])}
	f.text = "fragment " + f.name + " on " + f.on.Name + " " + b.selection(f.on, &scope{aliased: true}, depth)
	b.fragments = append(b.fragments, f)
	return "..." + f.name + " " + b.directives()
}

// directives returns @skip and @include, or nothing.
func (b *builder) directives() string {
	text := ""
	if b.chance(10) {
		text += "@include(if: " + b.condition(true) + ") "
	}
	if b.chance(10) {
		text += "@skip(if: " + b.condition(false) + ") "
	}
	return text
}

// condition returns the argument of a directive, which is more often one with which the field is selected.
func (b *builder) condition(usual bool) string {
	if b.chance(30) {
		usual = !usual
	}
	return b.argument(ast.NonNullNamedType("Boolean", nil), usual)
}

// typename returns the field __typename.
func (b *builder) typename(at *scope) string {
	if at.aliased || b.chance(20) {
		return b.name("t") + ": __typename"
	}
	return "__typename"
}

// mergeable reports whether gqlgen merges an object field with the same one of another type. It does so for a type and
// its interface, and otherwise leaves out the second selection. TestWhatGqlgenMerges shows it.
func mergeable(f *selected, def *ast.Definition) bool {
	return !slices.ContainsFunc(f.parents, func(parent *ast.Definition) bool {
		return parent != def && (parent.IsAbstractType() || def.IsAbstractType()) &&
			!slices.Contains(parent.Interfaces, def.Name) && !slices.Contains(def.Interfaces, parent.Name)
	})
}

// field returns a field of a type that is not selected at the place.
func (b *builder) field(def *ast.Definition, at *scope, depth int) string {
	var usable []*ast.FieldDefinition
	for _, f := range def.Fields {
		isComposite := b.schema.Types[f.Type.Name()].IsCompositeType()
		switch {
		case isMeta(f.Name) && !b.Introspection || !b.HandWritten && b.isHandWritten(def, f):
		case isComposite && (depth == maxDepth || b.fields >= maxFields):
		case isComposite && !isMeta(f.Name):
			usable = append(usable, f, f, f) // fields that read are more interesting
		default:
			usable = append(usable, f)
		}
	}
	if len(usable) == 0 || b.chance(8) {
		return b.typename(at)
	}
	f := &selected{definition: pick(b, usable), parents: []*ast.Definition{def}}
	f.below = &scope{aliased: at.aliased}
	f.key = f.definition.Name
	f.head = f.key
	if at.aliased || at.find(f.key) != nil || b.chance(50) {
		f.key = b.name("a")
		f.head = f.key + ": " + f.head
	}
	f.head += b.arguments(f)
	at.fields = append(at.fields, f)
	return b.occurrence(f, depth)
}

// isMeta reports whether a name is that of a type or a field of introspection.
func isMeta(name string) bool { return strings.HasPrefix(name, "__") }

// isHandWritten reports whether only Go code can resolve a field.
func (g *Generator) isHandWritten(def *ast.Definition, f *ast.FieldDefinition) bool {
	if isMeta(def.Name) || isMeta(f.Name) {
		return false
	}
	if def == g.schema.Mutation && g.design.Mutation(f.Name) == nil {
		return true
	}
	isRead := g.design.Field(def.Name, f.Name) != nil || def == g.schema.Mutation
	return g.design.IsHandWritten(def.Name, f.Name) || !isRead && (def == g.schema.Query || len(f.Arguments) > 0)
}

// repeated returns a field that is already selected at the place, with another selection; "" if there is none.
func (b *builder) repeated(def *ast.Definition, at *scope, depth int) string {
	var usable []*selected
	for _, f := range at.fields {
		same := def.Fields.ForName(f.definition.Name)
		switch {
		case same == nil || same.Type.String() != f.definition.Type.String():
		case same != f.definition && len(same.Arguments)+len(f.definition.Arguments) > 0:
		case b.schema.Types[same.Type.Name()].IsCompositeType() && !mergeable(f, def):
		default:
			usable = append(usable, f)
		}
	}
	if len(usable) == 0 {
		return ""
	}
	f := pick(b, usable)
	f.parents = append(f.parents, def)
	return b.occurrence(f, depth)
}

// occurrence returns a field with directives and with a selection.
func (b *builder) occurrence(f *selected, depth int) string {
	b.fields++
	text := f.head + " " + b.directives()
	def := b.schema.Types[f.definition.Type.Name()]
	if !def.IsCompositeType() {
		return text
	}
	selection := b.selection(def, f.below, min(depth+1, maxDepth))
	if f.paged != "" {
		selection = "{ " + f.paged + strings.TrimPrefix(selection, "{")
	}
	return text + selection
}
