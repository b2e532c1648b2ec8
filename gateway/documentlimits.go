package gateway

import (
	"math"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"
)

// bounds holds a parsed document to the limits, before it is validated. Nothing here takes longer than the document
// is, because what a fragment measures is remembered: fragments that spread each other twice make a few lines select
// millions of fields.
type bounds struct {
	limits        Limits
	introspection bool // whether __schema and __type may be selected
	fragments     map[string]*fragmentExtent
	refused       *requestError // the first one
}

// An extent is how large a selection set is, its fragments spread out. No number is more than enough.
type extent struct {
	fields  int // all fields
	top     int // fields of the set itself
	aliases int
	depth   int // levels of fields
}

type fragmentExtent struct {
	definition *ast.FragmentDefinition
	measuring  bool
	measured   bool
	extent     extent
}

// enough is the most that two of can be added.
const enough = math.MaxInt / 2

func (e *extent) add(of extent) {
	e.fields = min(e.fields+of.fields, enough)
	e.top = min(e.top+of.top, enough)
	e.aliases = min(e.aliases+of.aliases, enough)
	e.depth = max(e.depth, of.depth)
}

// checkBounds refuses a document that is beyond a limit, or whose validation would take too long.
func checkBounds(doc *ast.QueryDocument, limits Limits, introspection bool) *requestError {
	b := &bounds{
		limits: limits, introspection: introspection,
		fragments: make(map[string]*fragmentExtent, len(doc.Fragments)),
	}
	for _, fragment := range doc.Fragments {
		if b.fragments[fragment.Name] != nil {
			return requestErrorAt(fragment.Position, "There can be only one fragment named %q.", fragment.Name)
		}
		b.fragments[fragment.Name] = &fragmentExtent{definition: fragment}
	}
	for _, operation := range doc.Operations {
		b.operation(operation)
	}
	for _, fragment := range doc.Fragments { // those too that no operation spreads
		b.check(b.fragment(b.fragments[fragment.Name]))
	}
	if b.refused != nil {
		return b.refused
	}
	return checkComparisons(doc)
}

func (b *bounds) refuse(format string, args ...any) {
	if b.refused == nil {
		b.refused = requestErrorf(http.StatusUnprocessableEntity, codeValidationFailed, format, args...)
	}
}

func (b *bounds) operation(operation *ast.OperationDefinition) {
	b.directives(operation.Directives)
	for _, variable := range operation.VariableDefinitions {
		b.directives(variable.Directives)
		b.value(variable.DefaultValue, 0)
	}
	size := b.set(operation.SelectionSet, 1)
	b.check(size)
	if size.top > b.limits.MaxRootFields {
		b.refuse("The operation selects more than %d fields of the %s. Split it into smaller operations.",
			b.limits.MaxRootFields, operation.Operation)
	}
}

func (b *bounds) check(size extent) {
	switch {
	case size.fields > b.limits.MaxFields:
		b.refuse("The operation selects more than %d fields, its fragments spread out. Split it into smaller operations.",
			b.limits.MaxFields)
	case size.aliases > b.limits.MaxAliases:
		b.refuse("The operation uses more than %d aliases, its fragments spread out. Split it into smaller operations.",
			b.limits.MaxAliases)
	case size.depth > b.limits.MaxDepth:
		b.refuseDepth()
	}
}

func (b *bounds) refuseDepth() {
	b.refuse("The operation nests fields deeper than %d levels. Begin further down, by node(id:) or by a field of the query.",
		b.limits.MaxDepth)
}

// set measures a selection set. The level is that in the document, so that the recursion ends at any document.
func (b *bounds) set(set ast.SelectionSet, level int) extent {
	var size extent
	for _, selection := range set {
		if b.refused != nil {
			return size
		}
		switch s := selection.(type) {
		case *ast.Field:
			size.add(b.field(s, level))
		case *ast.InlineFragment:
			b.directives(s.Directives)
			size.add(b.set(s.SelectionSet, level))
		case *ast.FragmentSpread:
			b.directives(s.Directives)
			size.add(b.spread(s))
		}
	}
	return size
}

func (b *bounds) field(field *ast.Field, level int) extent {
	if level > b.limits.MaxDepth {
		b.refuseDepth()
		return extent{}
	}
	if !b.introspection && (field.Name == "__schema" || field.Name == "__type") {
		b.refused = introspectionDisabled()
	}
	b.directives(field.Directives)
	b.arguments(field.Arguments)
	size := b.set(field.SelectionSet, level+1)
	size.fields++
	size.depth++
	size.top = 1
	if field.Alias != field.Name {
		size.aliases++
	}
	return size
}

func (b *bounds) spread(spread *ast.FragmentSpread) extent {
	fragment := b.fragments[spread.Name]
	if fragment == nil { // which validation refuses
		return extent{}
	}
	if fragment.measuring {
		b.refused = requestErrorAt(spread.Position, "Cannot spread fragment %q within itself.", spread.Name)
		return extent{}
	}
	return b.fragment(fragment)
}

func (b *bounds) fragment(fragment *fragmentExtent) extent {
	if !fragment.measured {
		fragment.measuring = true
		b.directives(fragment.definition.Directives)
		fragment.extent = b.set(fragment.definition.SelectionSet, 1)
		fragment.measuring, fragment.measured = false, true
	}
	return fragment.extent
}

func (b *bounds) directives(directives ast.DirectiveList) {
	if len(directives) > b.limits.MaxDirectives {
		b.refuse("The document has more than %d directives at one place. Leave some of them out.",
			b.limits.MaxDirectives)
		return
	}
	for _, directive := range directives {
		b.arguments(directive.Arguments)
	}
}

func (b *bounds) arguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		b.value(argument.Value, 0)
	}
}

// value checks a literal that stands within depth lists and objects.
func (b *bounds) value(value *ast.Value, depth int) {
	if value == nil || len(value.Children) == 0 {
		return
	}
	if depth++; depth > b.limits.MaxDepth {
		b.refuse("A value nests lists and objects deeper than %d levels.", b.limits.MaxDepth)
		return
	}
	if value.Kind == ast.ListValue && len(value.Children) > b.limits.MaxListItems {
		b.refuse("A list has more than %d items. Split the operation into smaller ones.",
			b.limits.MaxListItems)
		return
	}
	for _, child := range value.Children {
		b.value(child.Value, depth)
	}
}
