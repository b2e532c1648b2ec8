package directives

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// Design is what the directives of a schema say.
type Design struct {
	// Types by name and Fields by coordinate are ready for keys.NewDesign.
	Types  []*keys.Type
	Fields []*keys.Field
	Schema *ast.Schema
	// Connections are the schema's Relay connection types by name.
	Connections map[string]*Connection
	// Rules are the access rules of fields, by coordinate. Those of types are theirs.
	Rules []*keys.FieldRule
}

// Read reads the directives of a schema that gqlparser has validated. The error
// is Findings: all faults of the design.
func Read(schema *ast.Schema) (*Design, error) {
	r := &reader{
		schema:      schema,
		types:       map[string]*storedType{},
		connections: map[string]*Connection{},
		edges:       map[string]*Connection{},
	}
	// 1. What the schema holds: connections, then types and their forms, then the
	// reads.
	r.readConnections()
	r.readTypes()
	r.readFields()
	r.supplyItems()
	// 2. Which forms each read selects. An edge's node is read with the
	// attributes of the connection's items, so its matches come second.
	r.match(r.reads)
	r.readEdgeNodes()
	// 3. What follows from the matches: the types that IDs name, arguments,
	// results.
	r.resolveRefs()
	r.resolveArguments()
	// 4. The checks.
	r.readAllows()
	r.checkAll()
	if len(r.findings) > 0 {
		r.findings.sort()
		return nil, r.findings
	}
	return r.design(), nil
}

// reader is one run of Read.
type reader struct {
	schema      *ast.Schema
	types       map[string]*storedType
	reads       []*read
	connections map[string]*Connection
	// edges are the connections by the name of their edge type.
	edges    map[string]*Connection
	rules    []*keys.FieldRule
	findings Findings
}

func (r *reader) checkAll() {
	r.checkNames()
	r.checkFormats()
	r.checkVariables()
	r.checkLimits()
	r.checkIndexes()
	r.checkShapes()
	r.checkPrefixes()
	r.checkUndeclared()
	r.checkMatches()
	r.checkSources()
	r.checkArguments()
	r.checkResults()
	r.checkConnections()
	r.checkCounts()
	r.checkNulls()
	r.checkCosts()
	r.checkRules()
}

func (r *reader) design() *Design {
	d := &Design{Schema: r.schema, Connections: r.connections, Rules: r.rules}
	for _, t := range r.sortedTypes() {
		d.Types = append(d.Types, t.Type)
	}
	for _, rd := range r.reads {
		d.Fields = append(d.Fields, rd.Field)
	}
	slices.SortFunc(d.Rules, func(a, b *keys.FieldRule) int {
		return cmp.Or(cmp.Compare(a.Parent, b.Parent), cmp.Compare(a.Name, b.Name))
	})
	slices.SortFunc(d.Fields, func(a, b *keys.Field) int { return cmp.Compare(a.Coordinate(), b.Coordinate()) })
	return d
}

// TypeDef is the definition of the type of that name, or nil.
func (d *Design) TypeDef(name string) *ast.Definition { return d.Schema.Types[name] }

// FieldDef is the definition of a field of a type, or nil.
func (d *Design) FieldDef(parent, name string) *ast.FieldDefinition {
	def := d.Schema.Types[parent]
	if def == nil {
		return nil
	}
	return def.Fields.ForName(name)
}

// Type is the stored type of that name, or nil.
func (d *Design) Type(name string) *keys.Type {
	for _, t := range d.Types {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Field is the read field of that name, or nil.
func (d *Design) Field(parent, name string) *keys.Field {
	for _, f := range d.Fields {
		if f.Parent == parent && f.Name == name {
			return f
		}
	}
	return nil
}

// EdgeItem is the stored type whose attributes the fields of an edge type are,
// or nil for an edge that adds none or serves several types.
func (d *Design) EdgeItem(edge string) *keys.Type {
	for _, f := range d.Fields {
		if f.Edge == edge && len(f.Types) == 1 {
			return d.Type(f.Types[0])
		}
	}
	return nil
}
