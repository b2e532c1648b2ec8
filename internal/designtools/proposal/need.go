package proposal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// How many objects a field returns.
const (
	one  = "one"
	list = "list"
	page = "page"
)

// need is a pattern with what a key must have for it.
type need struct {
	Pattern
	parent, field string
	// of is the type of the objects that are read.
	of     string
	result string
	def    *ast.FieldDefinition
	before ast.ArgumentList
	// equal are the fields of the type with a value, sorted; sort are those that follow in the order of the key.
	equal, sort []string
}

// unservedError is why no key serves a pattern, and what would help.
type unservedError struct{ reason, help string }

func (e *unservedError) Error() string { return e.reason + ": " + e.help }

func unserved(reason, help string) error { return &unservedError{reason, help} }

// need returns what a key must have for a pattern. A field that the schema does not have is added. The error is an
// *unservedError.
func (m *model) need(p Pattern, before former) (*need, error) {
	n := &need{Pattern: p, before: before[p.Field]}
	n.Equals, n.Prefix = clone(p.Equals), slices.Clone(p.Prefix)
	var ok bool
	if n.parent, n.field, ok = strings.Cut(p.Field, "."); !ok || !isName(n.field) || m.kind(n.parent) != ast.Object {
		return nil, unserved("there is no type of this name", "write the field as Query.orders or User.orders")
	}
	n.def = m.field(n.parent, n.field)
	n.of, n.result = p.Type, cmp.Or(p.Result, page)
	if n.def != nil {
		n.of, n.result = cmp.Or(n.of, m.node(n.def.Type)), resultOf(n.def.Type)
	}
	switch k := m.kind(n.of); {
	case n.of == "":
		return nil, unserved("it is not known of which type the objects are", "name it in type")
	case k == ast.Union || k == ast.Interface:
		return nil, unserved(n.of+" has objects of several types", "write the @query by hand: "+
			"it reads a partition with objects of exactly these types")
	case k != ast.Object || n.of == query:
		return nil, unserved("there is no object type "+n.of, likelyHelp(n.of, m.names))
	case n.result != one && n.result != list && n.result != page:
		return nil, unserved("the result is not one, list or page", "correct result")
	}
	if n.def == nil {
		if err := m.declare(n); err != nil {
			return nil, err
		}
	}
	if err := m.complete(n, n.before); err != nil {
		return nil, err
	}
	return n, m.check(n)
}

func resultOf(t *ast.Type) string {
	switch {
	case isPage(t):
		return page
	case t.Elem != nil:
		return list
	}
	return one
}

func isName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" &&
		!strings.HasPrefix(text, "__") && (text[0] < '0' || text[0] > '9')
}

func likelyHelp(name string, known []string) string {
	if likely := finding.Likely(name, known); likely != "" {
		return "write " + likely + ", which is the likely name"
	}
	return "declare it, or correct the name"
}

// check checks the fields that a pattern names, and sets equal and sort.
func (m *model) check(n *need) error {
	for attribute := range n.Constants {
		if n.Equals[attribute] != "" {
			return unserved(attribute+" is equal to an argument and to a constant", "leave one of them out")
		}
	}
	n.equal = slices.Sorted(keysOf(n.Equals, n.Constants))
	switch {
	case n.Range != "" && n.Sort != "" && n.Sort != n.Range:
		return unserved(fmt.Sprintf("it has a range of %s and sorts by %s, and a Query has one order", n.Range, n.Sort),
			fmt.Sprintf("sort by %s, or divide %[1]s into values that an argument can be equal to", n.Range))
	case n.Order != "" && n.Order != "ASC" && n.Order != "DESC":
		return unserved("the order is neither ASC nor DESC", "correct order")
	case n.result == list && n.AtMost <= 0:
		return unserved("a list is read as a whole, and nothing says how long it can be",
			"give atMost, or return "+n.of+sdl.ConnectionSuffix)
	}
	n.sort = slices.Clone(n.Prefix)
	if by := cmp.Or(n.Range, n.Sort); by != "" {
		n.sort = append(n.sort, by)
	}
	n.sort = slices.DeleteFunc(n.sort, func(a string) bool { return slices.Contains(n.equal, a) })
	for _, a := range slices.Concat(n.equal, n.sort) {
		if err := m.checkKey(n, a); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) checkKey(n *need, name string) error {
	f := m.attribute(n.of, name)
	isSort := slices.Contains(n.sort, name)
	switch {
	case f == nil:
		return m.noField(n, name)
	case f.Type.Elem != nil:
		return unserved(fmt.Sprintf("%s.%s is a list, and a key has one value: a Scan would be needed", n.of, name),
			"store what is in the list as objects of a type of their own that refer to the "+n.of)
	case f.Type.Name() == "Float":
		return unserved(fmt.Sprintf("%s.%s is a Float, which has no order as a text", n.of, name),
			"store a whole number, such as cents")
	case !m.isKey(f):
		return unserved(fmt.Sprintf("%s.%s is a %s, which no key can have", n.of, name, f.Type.Name()),
			"name a field that is a text, a number, a time or an enum")
	case f.Type.Name() == "ID" && name == n.Range:
		return unserved(fmt.Sprintf("%s.%s is an ID, which has no range", n.of, name),
			"make it a String, or equal to something")
	case f.Type.Name() == "Boolean" && isSort:
		return unserved(fmt.Sprintf("%s.%s is a Boolean, which sorts nothing", n.of, name),
			"make it an enum, or equal to something")
	}
	if c, has := n.Constants[name]; has && (c == "" || strings.ContainsAny(c, "#{} \t\n\"")) {
		return unserved(fmt.Sprintf("the constant of %s cannot be in a key", name),
			"write a value without #, braces and spaces")
	}
	source := cmp.Or(n.Equals[name], name)
	isKnown := source == keys.ViewerVariable || n.def.Arguments.ForName(source) != nil ||
		m.attribute(n.parent, source) != nil || strings.HasSuffix(n.parent, "Edge") // which has the fields of its item
	if slices.Contains(n.equal, name) && n.Constants[name] == "" && !isKnown {
		return unserved(fmt.Sprintf("%s is neither an argument of the field nor a field of %s", source, n.parent),
			fmt.Sprintf("correct the source of %s in equals", name))
	}
	return nil
}

// declare adds a field that the schema does not have, with its arguments.
func (m *model) declare(n *need) error {
	def := &ast.FieldDefinition{Name: n.field}
	switch n.result {
	case one:
		def.Type = ast.NamedType(n.of, nil)
	case list:
		def.Type = ast.ListType(ast.NonNullNamedType(n.of, nil), nil)
	default:
		def.Type = ast.NamedType(n.of+sdl.ConnectionSuffix, nil)
	}
	add := func(name, attribute string, isNeeded bool, suffix string) error {
		f := m.attribute(n.of, attribute)
		if f == nil || !isName(name) {
			return m.noField(n, attribute)
		}
		def.Arguments = append(def.Arguments, &ast.ArgumentDefinition{
			Name: name, Type: &ast.Type{NamedType: f.Type.Name() + suffix, NonNull: isNeeded},
		})
		return nil
	}
	for _, attribute := range slices.Sorted(keysOf(n.Equals)) {
		source := cmp.Or(n.Equals[attribute], attribute)
		if source == keys.ViewerVariable || n.parent != query && m.attribute(n.parent, source) != nil {
			continue
		}
		if err := add(source, attribute, true, ""); err != nil {
			return err
		}
	}
	for _, attribute := range n.Prefix {
		if err := add(attribute, attribute, false, ""); err != nil {
			return err
		}
	}
	if n.Range != "" {
		if err := add(n.Range, n.Range, false, "Range"); err != nil {
			return err
		}
	}
	to := m.defs[n.parent][0]
	n.def, to.Fields = def, append(to.Fields, def)
	return nil
}

// noField returns the error for a field that the type does not have.
func (m *model) noField(n *need, name string) error {
	var names []string
	for _, known := range m.fields(n.of) {
		names = append(names, known.Name)
	}
	return unserved(fmt.Sprintf("%s has no stored field %s", n.of, name), likelyHelp(name, names))
}
