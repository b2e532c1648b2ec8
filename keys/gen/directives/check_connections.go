package directives

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkConnections finds connections that do not follow the Relay specification, and edges with
// fields that are not attributes of the one type that the items of their connection have.
func (r *reader) checkConnections() {
	for _, rd := range r.reads {
		if rd.Result == keys.Connection && rd.Kind == keys.Query {
			r.checkPaging(rd)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.connections)) {
		r.checkConnectionType(r.connections[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.edges)) {
		r.checkEdge(r.edges[name])
	}
}

func (r *reader) checkPaging(rd *read) {
	var missing []string
	for _, p := range pagingArguments {
		if a := rd.def.Arguments.ForName(p.name); a == nil || a.Type.String() != p.typ {
			missing = append(missing, p.name+": "+p.typ)
		}
	}
	if len(missing) > 0 {
		r.find(rd.def.Position, rd.Coordinate(), "a connection is paged with first, after, last and before",
			"declare the arguments "+strings.Join(missing, ", "))
	}
}

func (r *reader) checkConnectionType(c *Connection) {
	if f := c.def.Fields.ForName("nodes"); f != nil && (f.Type.Elem == nil || f.Type.Name() != c.Node) {
		r.find(f.Position, c.Name+".nodes", fmt.Sprintf("nodes is a %s, but each edge's node is a %s", f.Type, c.Node),
			fmt.Sprintf("write nodes: [%s]!", c.Node))
	}
	if f := c.def.Fields.ForName("totalCount"); f != nil && (f.Type.Elem != nil || f.Type.Name() != "Int") {
		r.find(f.Position, c.Name+".totalCount", fmt.Sprintf("totalCount is a %s", f.Type), "write totalCount: Int!")
	}
}

func (r *reader) checkEdge(c *Connection) {
	if f := c.edge.Fields.ForName("cursor"); f == nil || f.Type.String() != "String!" {
		r.find(c.edge.Position, c.Edge, "the edge has no cursor of type String!", "declare cursor: String! in type "+c.Edge)
	}
	var items []string
	for _, rd := range r.reads {
		if rd.Edge != c.Edge {
			continue
		}
		for _, name := range rd.Types {
			if !slices.Contains(items, name) {
				items = append(items, name)
			}
		}
	}
	if len(items) > 1 && (c.EdgeNode || len(c.Attributes) > 0) {
		slices.Sort(items)
		r.find(c.edge.Position, c.Edge,
			fmt.Sprintf("the edge has attributes, but its items are of several types: %s", strings.Join(items, ", ")),
			"declare an edge type and a connection type for each")
		return
	}
	if len(items) == 0 {
		return
	}
	t := r.types[items[0]]
	for _, name := range c.Attributes {
		f := c.edge.Fields.ForName(name)
		stored := t.def.Fields.ForName(name)
		switch {
		case stored == nil || t.Attribute(name) == nil:
			r.find(f.Position, c.Edge+"."+name, fmt.Sprintf("%s is not an attribute of %s, the type of the items", name, t.Name),
				fmt.Sprintf("add %s: %s to type %s, or move the field to %s", name, f.Type, t.Name, c.Node))
		case stored.Type.Name() != f.Type.Name() || (stored.Type.Elem == nil) != (f.Type.Elem == nil),
			f.Type.NonNull && !stored.Type.NonNull:
			r.find(f.Position, c.Edge+"."+name,
				fmt.Sprintf("%s is a %s, but %s.%s is a %s", name, f.Type, t.Name, name, stored.Type),
				fmt.Sprintf("write %s: %s", name, stored.Type))
		}
	}
}
