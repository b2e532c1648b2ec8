package gen

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys/design"
)

//go:embed templates/items.gotpl
var itemsTemplate string

// models is the data of the template of the functions that fill Go models from items.
type models struct {
	Stored      []*object
	Embedded    []*object
	Abstract    []abstract
	Edges       []edge
	Connections []connection
	PageInfos   []pageInfo
}

// object is a Go struct that is filled from an item: that of a stored type or of an object inside
// of one.
type object struct {
	p      *Plugin
	Name   string
	GoName string
	stored *design.Type
	fields []*codegen.Field
}

// property is a field of a Go struct with the expression of its value.
type property struct{ Name, Value string }

// abstract is an interface or a union, by the stored types it can be.
type abstract struct {
	Name, GoName string
	Members      []*object
}

// edge is the edge type of a connection.
type edge struct {
	*object
	// Node is the Go name of the type of the item, or of the abstract type when
	// there are several.
	Node string
	// Field is the Go field that holds the item.
	Field string
}

// connection is a connection type.
type connection struct {
	Name, GoName, Edge, Node, NodeField string
	// Nodes is the Go type of an element of nodes, "" when nodes is a resolver's.
	Nodes string
	// PageInfo is the Go name of the type of pageInfo.
	PageInfo string
	// TotalCount is the value of the field totalCount, "" when there is none.
	TotalCount string
}

// pageInfo is the type of the field pageInfo of connections.
type pageInfo struct {
	GoName     string
	Properties []property
}

func (p *Plugin) writeModels() error {
	m := models{}
	for _, t := range p.schema.Types {
		m.Stored = append(m.Stored, p.newObject(t.Name, t))
	}
	for _, name := range p.embedded() {
		m.Embedded = append(m.Embedded, p.newObject(name, nil))
	}
	m.Abstract = p.abstracts()
	seen := map[string]bool{}
	infos := map[string]pageInfo{}
	for _, name := range slices.Sorted(maps.Keys(p.schema.Connections)) {
		c := p.schema.Connections[name]
		m.Connections = append(m.Connections, p.connection(c))
		if !seen[c.Edge] {
			seen[c.Edge] = true
			m.Edges = append(m.Edges, p.edge(c))
		}
		info := p.field(name, "pageInfo").Type.Name()
		infos[info] = p.pageInfo(info)
	}
	for _, name := range slices.Sorted(maps.Keys(infos)) {
		m.PageInfos = append(m.PageInfos, infos[name])
	}
	return p.render(itemsFile(p.data.Config), p.data.Config.Model.Package, itemsTemplate, m)
}

func (p *Plugin) newObject(name string, stored *design.Type) *object {
	o := &object{p: p, Name: name, GoName: goName(p.object(name).Type), stored: stored}
	for _, f := range p.object(name).Fields {
		if !f.IsResolver {
			o.fields = append(o.fields, f)
		}
	}
	return o
}

// Properties returns the fields of the struct. It is called while the file is rendered.
func (o *object) Properties() ([]property, error) {
	var list []property
	for _, f := range o.fields {
		var a *design.Attribute
		if o.stored != nil {
			if a = o.stored.Attribute(f.Name); isGlobalID(o.stored, f) {
				list = append(list, property{f.GoFieldName, globalID(o.stored)})
				continue
			}
		}
		value, err := o.p.read(f.Type, f.TypeReference.GO, f.Name, a)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", o.Name, f.Name, err)
		}
		list = append(list, property{f.GoFieldName, value})
	}
	return list, nil
}

// isGlobalID reports whether the field is the object's own id and consists of other values than the
// attribute id.
func isGlobalID(t *design.Type, f *codegen.Field) bool {
	return f.Name == "id" && f.Type.Name() == "ID" && !slices.Equal(t.Identity, []string{"id"})
}

func globalID(t *design.Type) string {
	parts := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		parts[i] = fmt.Sprintf("it.Text(%q)", name)
	}
	return fmt.Sprintf("keys.NewID(%q, %s)", t.Name, strings.Join(parts, ", "))
}

// embedded returns the object types inside of stored objects, sorted.
func (p *Plugin) embedded() []string {
	found := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if p.schema.TypeDef(name).Kind != ast.Object || found[name] || p.schema.Type(name) != nil {
			return
		}
		found[name] = true
		for _, f := range p.object(name).Fields {
			if !f.IsResolver {
				visit(f.Type.Name())
			}
		}
	}
	for _, t := range p.schema.Types {
		for _, f := range p.object(t.Name).Fields {
			if !f.IsResolver {
				visit(f.Type.Name())
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func (p *Plugin) abstracts() []abstract {
	var list []abstract
	for _, name := range slices.Sorted(maps.Keys(p.data.Interfaces)) {
		a := abstract{Name: name, GoName: goName(p.data.Interfaces[name].Type)}
		for _, t := range p.schema.Types {
			if slices.Contains(t.Satisfies, name) {
				a.Members = append(a.Members, &object{Name: t.Name, GoName: goName(p.object(t.Name).Type)})
			}
		}
		// Relay's root fields exist before any type is stored.
		isRead := slices.ContainsFunc(p.schema.Fields, func(f *design.Field) bool {
			return p.field(f.Parent, f.Name).Type.Name() == name
		})
		if len(a.Members) > 0 || isRead {
			list = append(list, a)
		}
	}
	return list
}

func (p *Plugin) edge(c *reading.Connection) edge {
	e := edge{object: &object{
		p: p, Name: c.Edge, GoName: goName(p.object(c.Edge).Type), stored: p.schema.EdgeItem(c.Edge),
	}}
	for _, f := range p.object(c.Edge).Fields {
		if slices.Contains(c.Attributes, f.Name) {
			e.fields = append(e.fields, f)
		}
	}
	e.Node, e.Field = p.nodeOf(c)
	return e
}

// nodeOf returns the Go type that an item of the connection fills, and the edge's Go field that
// holds it.
func (p *Plugin) nodeOf(c *reading.Connection) (typ, field string) {
	if c.EdgeNode {
		it := p.schema.EdgeItem(c.Edge)
		return goName(p.object(it.Name).Type), carrier(p.schema.AST, c.Edge, it)
	}
	node := p.field(c.Edge, "node")
	return goName(node.TypeReference.GO), node.GoFieldName
}

func (p *Plugin) connection(c *reading.Connection) connection {
	out := connection{Name: c.Name, GoName: goName(p.object(c.Name).Type), Edge: goName(p.object(c.Edge).Type)}
	out.PageInfo = goName(p.field(c.Name, "pageInfo").TypeReference.GO)
	out.Node, out.NodeField = p.nodeOf(c)
	if c.HasNodes && !c.EdgeNode {
		out.Nodes = strings.TrimPrefix(goType(p.field(c.Name, "nodes").TypeReference.GO), "[]")
	}
	if c.HasTotalCount {
		out.TotalCount = "totalCount"
		if isPointer(p.field(c.Name, "totalCount").TypeReference.GO) {
			out.TotalCount = "&totalCount"
		}
	}
	return out
}

// pageValues are the fields of a PageInfo.
//
// https://relay.dev/graphql/connections.htm#sec-undefined.PageInfo
var pageValues = map[string]string{
	"hasNextPage":     "p.HasNextPage",
	"hasPreviousPage": "p.HasPreviousPage",
	"startCursor":     "p.StartCursor()",
	"endCursor":       "p.EndCursor()",
}

func (p *Plugin) pageInfo(name string) pageInfo {
	out := pageInfo{GoName: goName(p.object(name).Type)}
	for _, f := range p.object(name).Fields {
		if value, ok := pageValues[f.Name]; ok && !f.IsResolver {
			out.Properties = append(out.Properties, property{f.GoFieldName, value})
		}
	}
	return out
}
