package document

import (
	"math"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
)

// limitCheck compares the size of a parsed document with the limits, before it is validated. It takes time linear in
// the length of the document, because the size of each fragment is computed once: fragments that spread each other
// twice can select millions of fields in a few lines.
type limitCheck struct {
	limits        Limits
	introspection bool // whether __schema and __type may be selected
	fragments     map[string]*fragmentSize
	err           *response.Error // the first one
}

// A selectionSize is the size of a selection set with its fragments expanded. No number is greater than maxSize.
type selectionSize struct {
	fields  int // all fields
	top     int // fields of the set itself
	aliases int
	depth   int // levels of nested fields
}

type fragmentSize struct {
	definition *ast.FragmentDefinition
	measuring  bool
	measured   bool
	size       selectionSize
}

// maxNameBytes limits each name in a document. Responses contain names many times: that of an operation in one error
// for each variable that it does not use, an alias in each object and in the paths of all errors below it.
const maxNameBytes = 256

// maxSize is the greatest number that can be added to itself.
const maxSize = math.MaxInt / 2

func (s *selectionSize) add(other selectionSize) {
	s.fields = min(s.fields+other.fields, maxSize)
	s.top = min(s.top+other.top, maxSize)
	s.aliases = min(s.aliases+other.aliases, maxSize)
	s.depth = max(s.depth, other.depth)
}

// checkLimits returns an error for a document that exceeds a limit or would take too long to validate.
func checkLimits(doc *ast.QueryDocument, limits Limits, introspection bool) *response.Error {
	c := &limitCheck{
		limits: limits, introspection: introspection,
		fragments: make(map[string]*fragmentSize, len(doc.Fragments)),
	}
	for _, fragment := range doc.Fragments {
		if c.fragments[fragment.Name] != nil {
			return response.ErrorAt(fragment.Position, "There can be only one fragment named %q.", fragment.Name)
		}
		c.fragments[fragment.Name] = &fragmentSize{definition: fragment}
	}
	for _, operation := range doc.Operations {
		c.operation(operation)
	}
	for _, fragment := range doc.Fragments { // including those that no operation spreads
		c.check(c.fragment(c.fragments[fragment.Name]))
	}
	if c.err != nil {
		return c.err
	}
	return checkFieldMergeCost(doc)
}

func (c *limitCheck) fail(format string, args ...any) {
	if c.err == nil {
		c.err = response.Errorf(http.StatusUnprocessableEntity, response.CodeValidationFailed, format, args...)
	}
}

// names checks the lengths of names.
func (c *limitCheck) names(names ...string) {
	for _, name := range names {
		if len(name) > maxNameBytes {
			c.fail("The document has a name of more than %d bytes. Choose shorter names and aliases.", maxNameBytes)
		}
	}
}

func (c *limitCheck) operation(operation *ast.OperationDefinition) {
	c.names(operation.Name)
	c.directives(operation.Directives)
	for _, variable := range operation.VariableDefinitions {
		c.names(variable.Variable, variable.Type.Name())
		c.directives(variable.Directives)
		c.value(variable.DefaultValue, 0)
	}
	size := c.selectionSet(operation.SelectionSet, 1)
	c.check(size)
	if size.top > c.limits.MaxRootFields {
		c.fail("The operation selects more than %d fields of the %s. Split it into smaller operations.",
			c.limits.MaxRootFields, operation.Operation)
	}
}

func (c *limitCheck) check(size selectionSize) {
	switch {
	case size.fields > c.limits.MaxFields:
		c.fail("The operation selects more than %d fields, its fragments spread out. Split it into smaller operations.",
			c.limits.MaxFields)
	case size.aliases > c.limits.MaxAliases:
		c.fail("The operation uses more than %d aliases, its fragments spread out. Split it into smaller operations.",
			c.limits.MaxAliases)
	case size.depth > c.limits.MaxDepth:
		c.failDepth()
	}
}

func (c *limitCheck) failDepth() {
	c.fail("The operation nests fields deeper than %d levels. "+
		"Begin further down, by node(id:) or by a field of the query.", c.limits.MaxDepth)
}

// selectionSet returns the size of a selection set. The level counts from the operation or the fragment and limits the
// depth of the recursion.
func (c *limitCheck) selectionSet(set ast.SelectionSet, level int) selectionSize {
	var size selectionSize
	for _, selection := range set {
		if c.err != nil {
			return size
		}
		switch s := selection.(type) {
		case *ast.Field:
			size.add(c.field(s, level))
		case *ast.InlineFragment:
			c.names(s.TypeCondition)
			c.directives(s.Directives)
			size.add(c.selectionSet(s.SelectionSet, level))
		case *ast.FragmentSpread:
			c.names(s.Name)
			c.directives(s.Directives)
			size.add(c.spread(s))
		}
	}
	return size
}

func (c *limitCheck) field(field *ast.Field, level int) selectionSize {
	if level > c.limits.MaxDepth {
		c.failDepth()
		return selectionSize{}
	}
	if !c.introspection && (field.Name == "__schema" || field.Name == "__type") {
		c.err = introspectionDisabled()
	}
	c.names(field.Alias, field.Name)
	c.directives(field.Directives)
	c.arguments(field.Arguments)
	size := c.selectionSet(field.SelectionSet, level+1)
	size.fields++
	size.depth++
	size.top = 1
	if field.Alias != field.Name {
		size.aliases++
	}
	return size
}

func (c *limitCheck) spread(spread *ast.FragmentSpread) selectionSize {
	fragment := c.fragments[spread.Name]
	if fragment == nil { // validation returns the error
		return selectionSize{}
	}
	if fragment.measuring {
		c.err = response.ErrorAt(spread.Position, "Cannot spread fragment %q within itself.", spread.Name)
		return selectionSize{}
	}
	return c.fragment(fragment)
}

func (c *limitCheck) fragment(fragment *fragmentSize) selectionSize {
	if !fragment.measured {
		fragment.measuring = true
		c.names(fragment.definition.Name, fragment.definition.TypeCondition)
		c.directives(fragment.definition.Directives)
		fragment.size = c.selectionSet(fragment.definition.SelectionSet, 1)
		fragment.measuring, fragment.measured = false, true
	}
	return fragment.size
}

func (c *limitCheck) directives(directives ast.DirectiveList) {
	if len(directives) > c.limits.MaxDirectives {
		c.fail("The document has more than %d directives at one place. Leave some of them out.", c.limits.MaxDirectives)
		return
	}
	for _, directive := range directives {
		c.names(directive.Name)
		c.arguments(directive.Arguments)
	}
}

func (c *limitCheck) arguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		c.names(argument.Name)
		c.value(argument.Value, 0)
	}
}

// value checks a literal that is nested in depth lists and objects.
func (c *limitCheck) value(value *ast.Value, depth int) {
	if value == nil {
		return
	}
	if value.Kind == ast.Variable || value.Kind == ast.EnumValue {
		c.names(value.Raw)
	}
	if len(value.Children) == 0 {
		return
	}
	if depth++; depth > c.limits.MaxDepth {
		c.fail("A value nests lists and objects deeper than %d levels.", c.limits.MaxDepth)
		return
	}
	if value.Kind == ast.ListValue && len(value.Children) > c.limits.MaxListItems {
		c.fail("A list has more than %d items. Split the operation into smaller ones.", c.limits.MaxListItems)
		return
	}
	for _, child := range value.Children {
		c.names(child.Name)
		c.value(child.Value, depth)
	}
}

// introspectionDisabled returns the error for operations that select __schema or __type while they are disabled.
func introspectionDisabled() *response.Error {
	return response.Errorf(http.StatusUnprocessableEntity, response.CodeValidationFailed,
		"Introspection is switched off here. Ask the operators of this gateway for the schema.")
}
