package reading

import (
	"cmp"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func (r *Access) misread(rd *Read, fault readFault) {
	r.Misreads = append(r.Misreads, misread{Read: rd, Fault: fault})
}

func (r *Access) readFields() {
	for _, def := range r.Objects() {
		if r.Edges[def.Name] != nil {
			continue // The items of the edges are known later: see readEdgeNodes.
		}
		for _, f := range def.Fields {
			switch d := sdl.ReadDirective(f); {
			case d == nil && def == r.Schema.Query && r.IsNodeField(f):
				r.Reads = append(r.Reads, r.nodeField(f))
			case d != nil && r.CanRead(def):
				r.readField(def.Name, r.Types[def.Name], f)
			}
		}
	}
}

// CanRead reports whether fields of an object type can read: those of the root of queries, and those of stored types.
func (r *Source) CanRead(def *ast.Definition) bool {
	isOther := def == r.Schema.Mutation || def == r.Schema.Subscription
	return !isOther && (def == r.Schema.Query || def.Directives.ForName("item") != nil)
}

// readField adds the read of a field, unless its directives cannot be read.
func (r *Access) readField(parent string, item *Type, f *ast.FieldDefinition) {
	d := sdl.ReadDirective(f)
	coordinate := parent + "." + f.Name
	rd := &Read{
		Field:      &design.Field{Parent: parent, Name: f.Name},
		Def:        f,
		Directive:  d,
		ParentType: item,
		Connection: r.Connections[f.Type.Name()],
		Possible:   r.Possible(f.Type.Name()),
	}
	if live := f.Directives.ForName("live"); live != nil {
		rd.LiveAs = cmp.Or(sdl.Text(live, "name"), f.Name)
	}
	switch {
	case d.Name == "get" && f.Directives.ForName("query") != nil:
		r.misread(rd, TwoDirectives)
		return
	case d.Name == "query" && sdl.Text(d, "index") == "" && !r.Names().HasSortKey():
		r.misread(rd, NoCollection)
		return
	}
	var pk, sk bool
	rd.PK, pk = r.template(d, coordinate, "pk")
	rd.SK, sk = r.template(d, coordinate, "sk")
	if !pk || !sk {
		return
	}
	if d.Name == "query" {
		rd.Kind = design.Query
		rd.Index = sdl.Text(d, "index")
		rd.Descending = sdl.Text(d, "order") == "DESC"
		rd.Since = sdl.Text(d, "since")
		rd.AtMost = sdl.Int(d, "atMost")
		rd.Count = sdl.Text(d, "count")
		rd.Cascades = sdl.Text(d, "onDelete") == "DELETE"
		counter := CounterField(item, f.Name)
		if rd.Count == "" && counter != nil && rd.Connection != nil && rd.Connection.HasTotalCount {
			rd.Count = counter.Name
		}
	}
	switch {
	case rd.Connection != nil: // checkResults finds a list of connections.
		rd.Result = design.Connection
		rd.Edge = rd.Connection.Edge
		rd.EdgeNode = rd.Connection.EdgeNode
		rd.Possible = rd.Connection.NodeTypes
		if rd.EdgeNode {
			rd.Possible = nil
		}
	case f.Type.Elem != nil:
		rd.Result = design.Many
	}
	if result := r.Schema.Types[f.Type.Name()]; result != nil && !result.IsCompositeType() {
		r.misread(rd, ScalarResult)
		return
	}
	r.Reads = append(r.Reads, rd)
}

// IsNodeField reports whether a field is one of Relay's root fields, by name and type.
//
// https://relay.dev/graphql/objectidentification.htm
func (r *Source) IsNodeField(f *ast.FieldDefinition) bool {
	node := r.Schema.Types["Node"]
	if node == nil || node.Kind != ast.Interface || len(f.Arguments) != 1 || f.Type.Name() != node.Name {
		return false
	}
	argument := f.Arguments[0].Name + ": " + f.Arguments[0].Type.String()
	return f.Name == "node" && argument == "id: ID!" && f.Type.Elem == nil ||
		f.Name == "nodes" && argument == "ids: [ID!]!" && f.Type.Elem != nil && f.Type.Elem.Elem == nil
}

func (r *Access) nodeField(f *ast.FieldDefinition) *Read {
	rd := &Read{
		Field: &design.Field{
			Parent:    r.Schema.Query.Name,
			Name:      f.Name,
			Kind:      design.Node,
			Arguments: []keys.Argument{{Name: f.Arguments[0].Name, Kind: keys.IDKind}},
		},
		Def: f,
	}
	if f.Name == "nodes" {
		rd.Kind, rd.Result = design.Nodes, design.Many
	}
	for _, name := range r.Possible(f.Type.Name()) {
		if r.Types[name] != nil {
			rd.Types = append(rd.Types, name)
		}
	}
	return rd
}

// match finds the stored keys that each read selects.
func (r *Access) match(reads []*Read) {
	types := r.KeyTypes()
	for _, rd := range reads {
		if rd.Kind.IsByID() {
			continue
		}
		for _, m := range design.FindMatches(types, rd.Field) {
			if name := r.misfit(m); name != "" {
				if rd.Misfits == nil {
					rd.Misfits = map[string]string{}
				}
				if f := m.Type.Attribute(name); f != nil && f.Kind == keys.Enum {
					rd.Misfits[m.Constants[name]] = r.Types[m.Type.Name].Def.Fields.ForName(name).Type.Name()
				}
				continue
			}
			rd.Matches = append(rd.Matches, m)
			if !slices.Contains(rd.Types, m.Type.Name) {
				rd.Types = append(rd.Types, m.Type.Name)
			}
		}
		r.narrow(rd)
	}
}

// narrow removes the matches of types that the field does not return, if constants tell these apart: those of a Get,
// for which the field is null, and those of a Query if a value in their sort keys looks like a literal of the field.
func (r *Access) narrow(rd *Read) {
	isReturned := func(m design.Match) bool { return slices.Contains(rd.Possible, m.Type.Name) }
	if rd.EdgeNode || !slices.ContainsFunc(rd.Matches, isReturned) {
		return
	}
	rd.Matches = slices.DeleteFunc(rd.Matches, func(m design.Match) bool {
		isApart := !isReturned(m) && slices.ContainsFunc(rd.Matches, func(own design.Match) bool {
			switch {
			case !isReturned(own):
				return false
			case rd.Kind == design.Get:
				return r.IsApart(own.Type, m.Type)
			}
			return own.Type.IsApart(m.Type) && LooksLike(rd.SK.Segments(), m.Shape.SK.Segments())
		})
		if isApart {
			rd.Types = slices.DeleteFunc(rd.Types, func(name string) bool { return name == m.Type.Name })
		}
		return isApart
	})
}

// misfit returns a variable for which the read has a literal that is not a value of it, or "".
func (r *Storage) misfit(m design.Match) string {
	t := r.Types[m.Type.Name]
	for _, name := range slices.Sorted(maps.Keys(m.Constants)) {
		f := t.Def.Fields.ForName(name)
		if f == nil {
			return name
		}
		text := m.Constants[name]
		switch r.Kind(f.Type) {
		case keys.String, keys.IDKind:
		case keys.Boolean:
			if text != "true" && text != "false" {
				return name
			}
		case keys.Enum:
			if r.Schema.Types[f.Type.Name()].EnumValues.ForName(text) == nil {
				return name
			}
		default:
			return name
		}
	}
	return ""
}

// readEdgeNodes reads the nodes of edges that have a @get of their own.
func (r *Access) readEdgeNodes() {
	first := len(r.Reads)
	for _, def := range r.Objects() {
		if r.Edges[def.Name] == nil {
			continue
		}
		item, node := r.edgeItem(def.Name), def.Fields.ForName("node")
		if item != nil && node != nil && sdl.ReadDirective(node) != nil && sdl.ReadDirective(node).Name == "get" {
			r.readField(def.Name, item, node)
		}
	}
	r.match(r.Reads[first:])
}

// edgeItem returns the stored type of the items of an edge type, or nil when no matched read
// returns it.
func (r *Access) edgeItem(edge string) *Type {
	fields := make([]*design.Field, len(r.Reads))
	for i, rd := range r.Reads {
		fields[i] = rd.Field
	}
	return r.Types[design.EdgeItem(fields, edge)]
}

// IsApart reports whether an attribute of an existing table, that of the type or a constant, shows which of two types
// an item has. Partita gives the types of its own tables keys of their own.
func (r *Source) IsApart(a, b *design.Type) bool {
	hasType := r.Layout != nil && r.Layout.Type != "" && cmp.Or(a.Value, a.Name) != cmp.Or(b.Value, b.Name)
	return hasType || a.IsApart(b)
}

// LooksLike reports whether a sort key begins with the segments of a read only if a value in one of them looks like a
// literal of the other.
func LooksLike(read, stored []keys.Segment) bool {
	for i, s := range read[:min(len(read), len(stored))] {
		// An empty literal at the end is that of each sort key with more segments.
		isEnd := i == len(read)-1 && s.Literal == "" && s.Variable == ""
		if !isEnd && (s.Variable == "") != (stored[i].Variable == "") {
			return true
		}
	}
	return false
}
