package directives

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

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
	// isAmbiguous is set if the read also selects items that do not match.
	isAmbiguous bool
	// misfits are literals of the read that are not values of the enum in their place, with its name; otherwise
	// the read would match.
	misfits map[string]string
}

// readDirective returns the field's @get or @query, or nil.
func readDirective(f *ast.FieldDefinition) *ast.Directive {
	if d := f.Directives.ForName("get"); d != nil {
		return d
	}
	return f.Directives.ForName("query")
}

func (r *reader) readFields() {
	for _, def := range r.schema.Types {
		if def.Kind != ast.Interface {
			continue
		}
		for _, f := range def.Fields {
			if d := readDirective(f); d != nil {
				r.find(f.Position, def.Name+"."+f.Name,
					"@"+d.Name+" on the field of an interface: each object type has keys of its own",
					"remove @"+d.Name+" from field "+def.Name+"."+f.Name+
						", and write it on "+f.Name+" of each type that implements "+
						def.Name)
			}
		}
	}
	for _, def := range r.objects() {
		if r.edges[def.Name] != nil {
			continue // The items of the edges are known later: see readEdgeNodes.
		}
		for _, f := range def.Fields {
			coordinate := def.Name + "." + f.Name
			d := readDirective(f)
			switch {
			case d == nil && def == r.schema.Query && r.isNodeField(f):
				r.reads = append(r.reads, r.nodeField(f))
			case d == nil || def == r.schema.Subscription: // checkLive finds the type
			case def == r.schema.Mutation:
				r.find(f.Position, coordinate, "@"+d.Name+" on a field of "+def.Name+": it serves reads only",
					"remove @"+d.Name+" from field "+coordinate+" and resolve it in Go, or move it to "+r.queryName())
			case r.types[def.Name] == nil && def != r.schema.Query:
				r.find(f.Position, coordinate,
					"@"+d.Name+" needs the key fields of a "+def.Name+", but the type is not stored",
					"remove @"+d.Name+" from field "+coordinate+
						" and resolve it in Go, or add "+itemLine(r.ownShape(def.Name))+
						" to type "+def.Name)
			default:
				r.readField(def.Name, r.types[def.Name], f)
			}
		}
	}
}

func (r *reader) queryName() string {
	if r.schema.Query == nil {
		return "Query"
	}
	return r.schema.Query.Name
}

// readField adds the read of a field, unless its directives cannot be read.
func (r *reader) readField(parent string, item *storedType, f *ast.FieldDefinition) {
	d := readDirective(f)
	coordinate := parent + "." + f.Name
	if d.Name == "get" && f.Directives.ForName("query") != nil {
		other := "query"
		if f.Type.Elem != nil || r.connections[f.Type.Name()] != nil {
			other = "get"
		}
		r.find(f.Position, coordinate, "both @get and @query: a field is served by one read",
			"remove @"+other+" from field "+coordinate+
				": @get is for one object by its whole key, @query for a collection")
		return
	}
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
	if d.Name == "query" && textArgument(d, "index") == "" && !r.names().HasSortKey() {
		r.findNoCollection(rd)
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
		r.find(f.Position, coordinate, fmt.Sprintf("@%s returns stored objects, but the field is a %s", d.Name,
			f.Type.Name()),
			r.scalarFix(rd))
		return
	}
	r.reads = append(r.reads, rd)
}

// findNoCollection finds a Query of a table without a sort key: each of its partitions has one object at most.
func (r *reader) findNoCollection(rd *read) {
	coordinate, node := rd.Coordinate(), rd.def.Type.Name()
	if rd.connection != nil {
		node = rd.connection.Node
	}
	get := &ast.Directive{Name: "get", Arguments: ast.ArgumentList{rd.directive.Arguments.ForName("pk")}}
	fix := fmt.Sprintf("remove @query from field %s\nadd %s to field %[1]s", coordinate, directiveText(get))
	for _, a := range rd.def.Arguments {
		if isPaging(a.Name) && a.Position != rd.def.Position { // not one that Load has added
			fix += "\n" + remove(rd, a)
		}
	}
	if rd.def.Type.Elem != nil || rd.connection != nil {
		fix += "\nreturn " + node
	}
	r.find(rd.def.Position, coordinate, "the table has no sort key, so a partition has one object, not a collection",
		fix+", or read an index: @query(index:)")
}

// scalarFix returns the fix for a read that returns a scalar: what is stored where it reads, if its arguments show that
// this is meant.
func (r *reader) scalarFix(rd *read) string {
	matches := keys.FindMatches(r.keyTypes(), rd.Field)
	if len(matches) > 0 && rd.def.Arguments.ForName("first") != nil {
		return "return " + matches[0].Type.Name + connectionSuffix
	}
	return "remove @" + rd.directive.Name + " from field " + rd.Coordinate() + ", or return an object type with @item"
}

// isNodeField reports whether a field is one of Relay's root fields, by name and type.
//
// https://relay.dev/graphql/objectidentification.htm
func (r *reader) isNodeField(f *ast.FieldDefinition) bool {
	node := r.schema.Types["Node"]
	if node == nil || node.Kind != ast.Interface || len(f.Arguments) != 1 || f.Type.Name() != node.Name {
		return false
	}
	argument := f.Arguments[0].Name + ": " + f.Arguments[0].Type.String()
	return f.Name == "node" && argument == "id: ID!" && f.Type.Elem == nil ||
		f.Name == "nodes" && argument == "ids: [ID!]!" && f.Type.Elem != nil && f.Type.Elem.Elem == nil
}

func (r *reader) nodeField(f *ast.FieldDefinition) *read {
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
func (r *reader) match(reads []*read) {
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
func (r *reader) narrow(rd *read) {
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
func (r *reader) misfit(m keys.Match) string {
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
func (r *reader) readEdgeNodes() {
	first := len(r.reads)
	for _, def := range r.objects() {
		if r.edges[def.Name] == nil {
			continue
		}
		item := r.edgeItem(def.Name)
		for _, f := range def.Fields {
			d := readDirective(f)
			switch {
			case d == nil:
			case f.Name != "node":
				r.find(f.Position, def.Name+"."+f.Name,
					"@"+d.Name+" on an edge's field other than node: an edge has the attributes of its item",
					"remove "+f.Name+" from type "+def.Name+", and write it in the type of the node")
			case d.Name != "get":
				r.find(f.Position, def.Name+"."+f.Name,
					"@query on an edge's node: a node is one object, read by its key",
					"replace @query with @get")
			case item != nil:
				r.readField(def.Name, item, f)
			}
		}
	}
	r.match(r.reads[first:])
}

// edgeItem returns the stored type of the items of an edge type, or nil when no matched read
// returns it.
func (r *reader) edgeItem(edge string) *storedType {
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
