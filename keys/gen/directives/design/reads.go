package directives

import (
	"cmp"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// access is what the fields of a schema read.
type access struct {
	*storage
	connections map[string]*Connection
	// edges are the connections by the name of their edge type.
	edges map[string]*Connection
	reads []*read
	// misreads and unclear are what could not be read: reading goes on without it.
	misreads []misread
	unclear  []unclearRef
}

// read is a field with @get or @query, one of Relay's root fields, or the field of a payload with an object.
type read struct {
	*keys.Field
	def *ast.FieldDefinition
	// directive is nil for Relay's root fields and for the fields of payloads.
	directive *ast.Directive
	// parent is the stored type whose attributes are variables; nil on a root.
	parent *storedType
	// connection is the field's type if that is one.
	connection *Connection
	// possible are the object types that the answer can have. It is nil for a connection whose nodes
	// are read by their own keys, since its type does not show the types of the items.
	possible []string
	matches  []keys.Match
	// misfits are literals of the read that are not values of the enum in their place, with its name; otherwise
	// the read would match.
	misfits map[string]string
}

// misread is a read that cannot be one.
type misread struct {
	*read
	fault readFault
	// other is the type that is stored where the field reads, "" if none is.
	other string
}

type readFault int

const (
	// twoDirectives are @get and @query on one field.
	twoDirectives readFault = iota
	// noCollection is a Query of a table without a sort key: each of its partitions has one object at most.
	noCollection
	scalarResult
	// notStored is the fault of a field that returns what is no object of its own.
	notStored
)

func (r *access) misread(rd *read, fault readFault) {
	r.misreads = append(r.misreads, misread{read: rd, fault: fault})
}

// readDirective returns the field's @get or @query, or nil.
func readDirective(f *ast.FieldDefinition) *ast.Directive {
	if d := f.Directives.ForName("get"); d != nil {
		return d
	}
	return f.Directives.ForName("query")
}

func (r *access) readFields() {
	for _, def := range r.objects() {
		if r.edges[def.Name] != nil {
			continue // The items of the edges are known later: see readEdgeNodes.
		}
		for _, f := range def.Fields {
			switch d := readDirective(f); {
			case d == nil && def == r.schema.Query && r.isNodeField(f):
				r.reads = append(r.reads, r.nodeField(f))
			case d != nil && r.canRead(def):
				r.readField(def.Name, r.types[def.Name], f)
			}
		}
	}
}

// canRead reports whether fields of an object type can read: those of the root of queries, and those of stored types.
func (r *source) canRead(def *ast.Definition) bool {
	isOther := def == r.schema.Mutation || def == r.schema.Subscription
	return !isOther && (def == r.schema.Query || def.Directives.ForName("item") != nil)
}

// readField adds the read of a field, unless its directives cannot be read.
func (r *access) readField(parent string, item *storedType, f *ast.FieldDefinition) {
	d := readDirective(f)
	coordinate := parent + "." + f.Name
	rd := &read{
		Field:      &keys.Field{Parent: parent, Name: f.Name},
		def:        f,
		directive:  d,
		parent:     item,
		connection: r.connections[f.Type.Name()],
		possible:   r.possible(f.Type.Name()),
	}
	if live := f.Directives.ForName("live"); live != nil {
		rd.LiveAs = cmp.Or(textArgument(live, "name"), f.Name)
	}
	switch {
	case d.Name == "get" && f.Directives.ForName("query") != nil:
		r.misread(rd, twoDirectives)
		return
	case d.Name == "query" && textArgument(d, "index") == "" && !r.names().HasSortKey():
		r.misread(rd, noCollection)
		return
	}
	var pk, sk bool
	rd.PK, pk = r.template(d, coordinate, "pk")
	rd.SK, sk = r.template(d, coordinate, "sk")
	if !pk || !sk {
		return
	}
	if d.Name == "query" {
		rd.Kind = keys.Query
		rd.Index = textArgument(d, "index")
		rd.Descending = textArgument(d, "order") == "DESC"
		rd.AtMost = intArgument(d, "atMost")
		rd.Count = textArgument(d, "count")
		counter := counterField(item, f.Name)
		if rd.Count == "" && counter != nil && rd.connection != nil && rd.connection.HasTotalCount {
			rd.Count = counter.Name
		}
	}
	switch {
	case rd.connection != nil: // checkResults finds a list of connections.
		rd.Result = keys.Connection
		rd.Edge = rd.connection.Edge
		rd.EdgeNode = rd.connection.EdgeNode
		rd.possible = rd.connection.NodeTypes
		if rd.EdgeNode {
			rd.possible = nil
		}
	case f.Type.Elem != nil:
		rd.Result = keys.Many
	}
	if result := r.schema.Types[f.Type.Name()]; result != nil && !result.IsCompositeType() {
		r.misread(rd, scalarResult)
		return
	}
	r.reads = append(r.reads, rd)
}

// isNodeField reports whether a field is one of Relay's root fields, by name and type.
//
// https://relay.dev/graphql/objectidentification.htm
func (r *source) isNodeField(f *ast.FieldDefinition) bool {
	node := r.schema.Types["Node"]
	if node == nil || node.Kind != ast.Interface || len(f.Arguments) != 1 || f.Type.Name() != node.Name {
		return false
	}
	argument := f.Arguments[0].Name + ": " + f.Arguments[0].Type.String()
	return f.Name == "node" && argument == "id: ID!" && f.Type.Elem == nil ||
		f.Name == "nodes" && argument == "ids: [ID!]!" && f.Type.Elem != nil && f.Type.Elem.Elem == nil
}

func (r *access) nodeField(f *ast.FieldDefinition) *read {
	rd := &read{
		Field: &keys.Field{
			Parent:    r.schema.Query.Name,
			Name:      f.Name,
			Kind:      keys.Node,
			Arguments: []keys.Argument{{Name: f.Arguments[0].Name, Kind: keys.IDKind}},
		},
		def: f,
	}
	if f.Name == "nodes" {
		rd.Kind, rd.Result = keys.Nodes, keys.Many
	}
	for _, name := range r.possible(f.Type.Name()) {
		if r.types[name] != nil {
			rd.Types = append(rd.Types, name)
		}
	}
	return rd
}

// match finds the stored keys that each read selects.
func (r *access) match(reads []*read) {
	types := r.keyTypes()
	for _, rd := range reads {
		if rd.Kind.IsByID() {
			continue
		}
		for _, m := range keys.FindMatches(types, rd.Field) {
			if name := r.misfit(m); name != "" {
				if rd.misfits == nil {
					rd.misfits = map[string]string{}
				}
				if f := m.Type.Attribute(name); f != nil && f.Kind == keys.Enum {
					rd.misfits[m.Constants[name]] = r.types[m.Type.Name].def.Fields.ForName(name).Type.Name()
				}
				continue
			}
			rd.matches = append(rd.matches, m)
			if !slices.Contains(rd.Types, m.Type.Name) {
				rd.Types = append(rd.Types, m.Type.Name)
			}
		}
		r.narrow(rd)
	}
}

// narrow removes the matches of types that the field does not return, if constants tell these apart: those of a Get,
// for which the field is null, and those of a Query if a value in their sort keys looks like a literal of the field.
func (r *access) narrow(rd *read) {
	isReturned := func(m keys.Match) bool { return slices.Contains(rd.possible, m.Type.Name) }
	if rd.EdgeNode || !slices.ContainsFunc(rd.matches, isReturned) {
		return
	}
	rd.matches = slices.DeleteFunc(rd.matches, func(m keys.Match) bool {
		isApart := !isReturned(m) && slices.ContainsFunc(rd.matches, func(own keys.Match) bool {
			switch {
			case !isReturned(own):
				return false
			case rd.Kind == keys.Get:
				return r.isApart(own.Type, m.Type)
			}
			return own.Type.IsApart(m.Type) && looksLike(rd.SK.Segments(), m.Shape.SK.Segments())
		})
		if isApart {
			rd.Types = slices.DeleteFunc(rd.Types, func(name string) bool { return name == m.Type.Name })
		}
		return isApart
	})
}

// misfit returns a variable for which the read has a literal that is not a value of it, or "".
func (r *storage) misfit(m keys.Match) string {
	t := r.types[m.Type.Name]
	for _, name := range slices.Sorted(maps.Keys(m.Constants)) {
		f := t.def.Fields.ForName(name)
		if f == nil {
			return name
		}
		text := m.Constants[name]
		switch r.kind(f.Type) {
		case keys.String, keys.IDKind:
		case keys.Boolean:
			if text != "true" && text != "false" {
				return name
			}
		case keys.Enum:
			if r.schema.Types[f.Type.Name()].EnumValues.ForName(text) == nil {
				return name
			}
		default:
			return name
		}
	}
	return ""
}

// readEdgeNodes reads the nodes of edges that have a @get of their own.
func (r *access) readEdgeNodes() {
	first := len(r.reads)
	for _, def := range r.objects() {
		if r.edges[def.Name] == nil {
			continue
		}
		item, node := r.edgeItem(def.Name), def.Fields.ForName("node")
		if item != nil && node != nil && readDirective(node) != nil && readDirective(node).Name == "get" {
			r.readField(def.Name, item, node)
		}
	}
	r.match(r.reads[first:])
}

// edgeItem returns the stored type of the items of an edge type, or nil when no matched read
// returns it.
func (r *access) edgeItem(edge string) *storedType {
	fields := make([]*keys.Field, len(r.reads))
	for i, rd := range r.reads {
		fields[i] = rd.Field
	}
	return r.types[keys.EdgeItem(fields, edge)]
}

// source returns the argument that has the value of a variable, or else the attribute of the
// parent. Both are nil if there is neither.
func (rd *read) source(variable string) (*ast.ArgumentDefinition, *keys.Attribute) {
	if a := rd.def.Arguments.ForName(variable); a != nil {
		return a, nil
	}
	if rd.parent != nil {
		return nil, rd.parent.Attribute(variable)
	}
	return nil, nil
}

// variables returns the names in the read's templates, once each.
func (rd *read) variables() []string {
	var names []string
	for _, name := range append(rd.PK.Variables(), rd.SK.Variables()...) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// attribute returns the stored attribute in place of a variable of the read in a match, or "".
func attribute(m keys.Match, variable string) string {
	for _, t := range [...]keys.Template{m.Shape.PK, m.Shape.SK} {
		for _, name := range t.Variables() {
			if m.Variables[name] == variable {
				return name
			}
		}
	}
	return ""
}

// isApart reports whether an attribute of an existing table, that of the type or a constant, shows which of two types
// an item has. Partita gives the types of its own tables keys of their own.
func (r *source) isApart(a, b *keys.Type) bool {
	hasType := r.layout != nil && r.layout.Type != "" && cmp.Or(a.Value, a.Name) != cmp.Or(b.Value, b.Name)
	return hasType || a.IsApart(b)
}

// looksLike reports whether a sort key begins with the segments of a read only if a value in one of them looks like a
// literal of the other.
func looksLike(read, stored []keys.Segment) bool {
	for i, s := range read[:min(len(read), len(stored))] {
		// An empty literal at the end is that of each sort key with more segments.
		isEnd := i == len(read)-1 && s.Literal == "" && s.Variable == ""
		if !isEnd && (s.Variable == "") != (stored[i].Variable == "") {
			return true
		}
	}
	return false
}
