package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// model is the schema while it is made.
type model struct {
	*layout
	// entries are all items, and placed is how many items of the table each type of the finished schema has.
	entries      []*entry
	placed       map[string]float64
	claims       []*claim
	types        []*typ
	objects      []*object
	unclassified []unclassified
	omitted      []string
	// unfitInKeys are the attributes in keys for which types are left out.
	unfitInKeys []string
	// isConstant is set if the type attribute is a constant of each type, because their keys can be equal.
	isConstant bool
	// queries are the fields of Query.
	queries []*read
	// unions are those of the types in one partition.
	unions []*union
}

// element is some lines of the schema that settle may turn into a comment.
type element struct {
	// fault is why the lines are a comment, "" for lines of the schema.
	fault string
}

func (e *element) self() *element { return e }

// lined is a part of the model that is printed as lines.
type lined interface{ self() *element }

// typ is an object type with @item.
type typ struct {
	element
	name string
	// stored are the shapes of its items: the item itself, then its copies.
	stored []*storedType
	fields []*field
	reads  []*read
	// constants are attributes that all items have with the same value, as texts of the schema.
	constants []string
	// expires is the field with the time after which an item is deleted, nil for none.
	expires *field
}

func (t *typ) item() *storedType { return t.stored[0] }

// entries returns the items of the type, copies included.
func (t *typ) entries() []*entry {
	var all []*entry
	for _, s := range t.stored {
		all = append(all, s.entries...)
	}
	return all
}

// field returns the field with the value of a variable, by the variable's name.
func (t *typ) field(variable string) *field {
	return find(t.fields, func(f *field) bool { return f.variable == variable })
}

// variables returns those of all keys of the type.
func (t *typ) variables() template {
	var templates, entries []template
	for _, s := range t.stored {
		templates = append(templates, s.pk, s.sk)
		for _, ix := range s.indexes {
			entries = append(entries, ix.pk, ix.sk)
		}
	}
	return variablesOf(append(templates, entries...)...)
}

// variable returns the variable of an attribute in the type's keys: one with a width, if there is one.
func (t *typ) variable(attribute string) *keys.Segment {
	var found *keys.Segment
	for _, v := range t.variables() {
		if v.Variable == attribute && (found == nil || v.Width > 0) {
			found = &v
		}
	}
	return found
}

// hidden returns what is known of a hidden value of the type.
func (t *typ) hidden(label string) *hidden {
	return find(t.stored, func(s *storedType) bool { return s.shape.hidden[label] != nil }).shape.hidden[label]
}

// isInKey reports whether a variable is in a primary key of the type.
func (t *typ) isInKey(name string) bool {
	return slices.ContainsFunc(t.stored, func(s *storedType) bool {
		return name != "" && (has(s.pk, name) || has(s.sk, name))
	})
}

// nameOf returns the name of the field of a variable.
func (t *typ) nameOf(variable string) string {
	if f := t.field(variable); f != nil {
		return f.name
	}
	if label, isHidden := labelOf(variable); isHidden {
		return label
	}
	return ""
}

func (t *typ) hasName(name string) bool {
	return slices.ContainsFunc(t.fields, func(f *field) bool { return f.name == name }) ||
		slices.ContainsFunc(t.reads, func(r *read) bool { return r.name == name })
}

// stored is one stored item of a type.
type storedType struct {
	element
	*shape
	// latest is the variable whose greatest value the item has, "" if its key identifies the object.
	latest  string
	indexes []*index
	// note is a comment for the person who reads the schema.
	note string
}

func (s *storedType) entry(name string) *index {
	return find(s.indexes, func(ix *index) bool { return ix.name == name })
}

// index is the entry of a stored item in an index.
type index struct {
	element
	name   string
	pk, sk template
	shards int
	// isNumber is set if an attribute of the sort key is a Number.
	isNumber bool
	// isDerived is set if the keys are attributes or keys of the table themselves, so that no @index declares them.
	isDerived bool
	// own are the key attributes that consist of other values, and so are no fields.
	own []string
	// note is a comment for the person who reads the schema.
	note string
}

// field is an attribute of a type, or a hidden value.
type field struct {
	element
	name string
	// variable is the name of its variable in keys.
	variable string
	// attribute is the stored name, "" for a hidden value.
	attribute string
	value
	// required is set if a primary key needs the value. Any other one may be missing in items to come, even if all of
	// an export have it.
	required bool
	// isKeyOnly is set if the value is in the primary key and has no attribute.
	isKeyOnly bool
	// unique is the directive @unique, "" for none.
	unique string
}

// value is the type of an attribute's values.
type value struct {
	scalar
	list   bool
	object *object
	// note is a comment for the person who reads the schema.
	note string
}

// text returns the GraphQL type without the sign for non-null.
func (v value) text() string {
	name := v.typ
	if v.object != nil {
		name = v.object.name
	}
	if v.list {
		return "[" + name + "!]"
	}
	return name
}

// object is an object type inside an item.
type object struct {
	name   string
	fields []*field
}

// read is a field with @get or @query.
type read struct {
	element
	// parent is nil for a field of Query.
	parent    *typ
	name      string
	arguments []argument
	// result is the name of the type that the field returns, and paged is set for a connection of it.
	result string
	paged  bool
	// directive is @get or @query as text.
	directive string
	// plain is the same field with fewer arguments, if this one can be rejected for what they select; nil for none.
	plain *read
}

type argument struct{ name, typ string }

// union is the types that a partition has together.
type union struct {
	name  string
	types []string
}

// claim is the items with which a library keeps the values of a field unique: _unique#User#email#{email} of OneTable,
// which may have a scope in front of the type, or DRM_GEN_USER.EMAIL#{email} of TypeDORM.
type claim struct {
	claimed
	entries map[*entry]claimed
	field   *field
	// name is that of the claims in the report.
	name string
}

// scopePart is one value within which another one is unique, or a literal in front of it.
type scopePart struct {
	literal string
	field   *field
}

// collection is the items of one type in a partition of the table or of an index.
type collection struct {
	of     *typ
	pk, sk template
	index  string
}

func (m *model) omit(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !slices.Contains(m.omitted, line) {
		m.omitted = append(m.omitted, strings.TrimSpace(line))
	}
}

// hasType reports whether a type, or an object type, has the name.
func hasType(m *model, name string) bool {
	return slices.ContainsFunc(m.types, func(t *typ) bool { return t.name == name }) ||
		slices.ContainsFunc(m.objects, func(o *object) bool { return o.name == name })
}

// reads returns the fields of the schema that read something.
func reads(m *model) []*read {
	var all []*read
	for _, t := range m.types {
		if t.fault == "" {
			all = append(all, t.reads...)
		}
	}
	all = append(all, m.queries...)
	return slices.DeleteFunc(all, func(r *read) bool { return r.fault != "" })
}

// attributes returns the names of the attributes that are not keys of the table, sorted.
func attributes(table *layout, entries []*entry) []string {
	names := map[string]bool{}
	for _, e := range entries {
		for _, a := range e.Item {
			if !table.IsKey(a.Name) && a.Name != table.Type {
				names[a.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
