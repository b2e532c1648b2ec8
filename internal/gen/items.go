package gen

import (
	_ "embed"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
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
	in     *schema
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

// writeModels writes the functions that fill models.
func writeModels(s *schema) error {
	m := models{}
	for _, t := range s.Types {
		m.Stored = append(m.Stored, newObject(s, t.Name, t))
	}
	for _, name := range embedded(s) {
		m.Embedded = append(m.Embedded, newObject(s, name, nil))
	}
	m.Abstract = abstracts(s)
	seen := map[string]bool{}
	infos := map[string]pageInfo{}
	for _, name := range slices.Sorted(maps.Keys(s.Connections)) {
		c := s.Connections[name]
		m.Connections = append(m.Connections, newConnection(s, c))
		if !seen[c.Edge] {
			seen[c.Edge] = true
			m.Edges = append(m.Edges, newEdge(s, c))
		}
		info := s.field(name, "pageInfo").Type.Name()
		infos[info] = newPageInfo(s, info)
	}
	for _, name := range slices.Sorted(maps.Keys(infos)) {
		m.PageInfos = append(m.PageInfos, infos[name])
	}
	return render(s.data.Config, itemsFile(s.data.Config), s.data.Config.Model.Package, itemsTemplate, m)
}

func itemsFile(cfg *config.Config) string { return filepath.Join(cfg.Model.Dir(), "items_gen.go") }

func newObject(s *schema, name string, stored *design.Type) *object {
	o := &object{in: s, Name: name, GoName: goName(s.object(name).Type), stored: stored}
	for _, f := range s.object(name).Fields {
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
		value, err := readAttribute(o.in.Schema, f.Type, f.TypeReference.GO, f.Name, a)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", o.Name, f.Name, err)
		}
		list = append(list, property{f.GoFieldName, value})
	}
	return list, nil
}

// Differences returns the fields of the struct that are differences of attributes.
func (o *object) Differences() []design.Difference { return o.stored.Differences }

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
func embedded(s *schema) []string {
	found := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if s.TypeDef(name).Kind != ast.Object || found[name] || s.Type(name) != nil {
			return
		}
		found[name] = true
		for _, f := range s.object(name).Fields {
			if !f.IsResolver {
				visit(f.Type.Name())
			}
		}
	}
	for _, t := range s.Types {
		for _, f := range s.object(t.Name).Fields {
			if !f.IsResolver {
				visit(f.Type.Name())
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func abstracts(s *schema) []abstract {
	var list []abstract
	for _, name := range slices.Sorted(maps.Keys(s.data.Interfaces)) {
		a := abstract{Name: name, GoName: goName(s.data.Interfaces[name].Type)}
		for _, t := range s.Types {
			if slices.Contains(t.Satisfies, name) {
				a.Members = append(a.Members, &object{Name: t.Name, GoName: goName(s.object(t.Name).Type)})
			}
		}
		// Relay's root fields exist before any type is stored.
		isRead := slices.ContainsFunc(s.Fields, func(f *design.Field) bool {
			return s.field(f.Parent, f.Name).Type.Name() == name
		})
		if len(a.Members) > 0 || isRead {
			list = append(list, a)
		}
	}
	return list
}

func newEdge(s *schema, c *reading.Connection) edge {
	e := edge{object: &object{
		in: s, Name: c.Edge, GoName: goName(s.object(c.Edge).Type), stored: s.EdgeItem(c.Edge),
	}}
	for _, f := range s.object(c.Edge).Fields {
		if slices.Contains(c.Attributes, f.Name) {
			e.fields = append(e.fields, f)
		}
	}
	e.Node, e.Field = nodeOf(s, c)
	return e
}

// nodeOf returns the Go type that an item of the connection fills, and the edge's Go field that
// holds it.
func nodeOf(s *schema, c *reading.Connection) (typ, field string) {
	if c.EdgeNode {
		it := s.EdgeItem(c.Edge)
		return goName(s.object(it.Name).Type), carrier(s.AST, c.Edge, it)
	}
	node := s.field(c.Edge, "node")
	return goName(node.TypeReference.GO), node.GoFieldName
}

func newConnection(s *schema, c *reading.Connection) connection {
	out := connection{Name: c.Name, GoName: goName(s.object(c.Name).Type), Edge: goName(s.object(c.Edge).Type)}
	out.PageInfo = goName(s.field(c.Name, "pageInfo").TypeReference.GO)
	out.Node, out.NodeField = nodeOf(s, c)
	if c.HasNodes && !c.EdgeNode {
		out.Nodes = strings.TrimPrefix(goType(s.field(c.Name, "nodes").TypeReference.GO), "[]")
	}
	if c.HasTotalCount {
		out.TotalCount = "total"
		if isPointer(s.field(c.Name, "totalCount").TypeReference.GO) {
			out.TotalCount = "&total"
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

func newPageInfo(s *schema, name string) pageInfo {
	out := pageInfo{GoName: goName(s.object(name).Type)}
	for _, f := range s.object(name).Fields {
		if value, ok := pageValues[f.Name]; ok && !f.IsResolver {
			out.Properties = append(out.Properties, property{f.GoFieldName, value})
		}
	}
	return out
}
