package proposal

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// query is the root type of queries.
const query = "Query"

// model is a schema without the directives of keys.
type model struct {
	sources []*ast.Source
	files   []*ast.SchemaDocument
	// defs are the definitions and extensions by name, in the order of the files; names is that order.
	defs  map[string][]*ast.Definition
	names []string
	// stored are the types of objects that are read by keys.
	stored map[string]bool
	// edges are the fields that identify the objects of types which manyToMany has added.
	edges map[string][]string
}

// ofKeys are the directives that say where objects are stored and how they are read.
var ofKeys = []string{"item", "copy", "index", "get", "query"}

// kept are the arguments of a former @query that say nothing about keys.
var kept = []string{"order", "atMost", "count", "onDelete"}

// former are those of the fields by their coordinates.
type former map[string]ast.ArgumentList

// newModel parses files. The error is that of a file which is no GraphQL.
func newModel(sources []*ast.Source) (*model, former, error) {
	m := &model{sources: sources, defs: map[string][]*ast.Definition{}, stored: map[string]bool{},
		edges: map[string][]string{}}
	before := former{}
	for _, s := range sources {
		file, err := parser.ParseSchema(s)
		if err != nil {
			return nil, nil, err
		}
		m.files = append(m.files, file)
		for _, def := range slices.Concat(file.Definitions, file.Extensions) {
			m.add(def)
			def.Directives = withoutKeys(def.Directives)
			for _, f := range def.Fields {
				if q := f.Directives.ForName("query"); q != nil {
					before[def.Name+"."+f.Name] = slices.DeleteFunc(slices.Clone(q.Arguments), func(a *ast.Argument) bool {
						return !slices.Contains(kept, a.Name)
					})
				}
				f.Directives = withoutKeys(f.Directives)
			}
		}
	}
	return m, before, nil
}

func withoutKeys(all ast.DirectiveList) ast.DirectiveList {
	return slices.DeleteFunc(slices.Clone(all), func(d *ast.Directive) bool { return slices.Contains(ofKeys, d.Name) })
}

// add adds a definition or an extension.
func (m *model) add(def *ast.Definition) {
	if m.defs[def.Name] == nil {
		m.names = append(m.names, def.Name)
	}
	m.defs[def.Name] = append(m.defs[def.Name], def)
}

// kind returns the kind of a type, "" for one that is not declared.
func (m *model) kind(name string) ast.DefinitionKind {
	if defs := m.defs[name]; len(defs) > 0 {
		return defs[0].Kind
	}
	return ""
}

// fields returns the fields of a type.
func (m *model) fields(name string) ast.FieldList {
	var all ast.FieldList
	for _, def := range m.defs[name] {
		all = append(all, def.Fields...)
	}
	return all
}

func (m *model) field(parent, name string) *ast.FieldDefinition {
	return m.fields(parent).ForName(name)
}

// remove removes a field.
func (m *model) remove(parent, name string) {
	for _, def := range m.defs[parent] {
		def.Fields = slices.DeleteFunc(def.Fields, func(f *ast.FieldDefinition) bool { return f.Name == name })
	}
}

// node returns the type of the objects that a field returns: of a connection, that of its nodes. It is "" if there is
// none.
func (m *model) node(t *ast.Type) string {
	name := t.Name()
	if len(m.defs[name]) > 0 {
		if edges := m.field(name, "edges"); edges != nil && strings.HasSuffix(name, sdl.ConnectionSuffix) {
			if node := m.field(edges.Type.Name(), "node"); node != nil {
				return node.Type.Name()
			}
		}
		return name
	}
	base, is := strings.CutSuffix(name, sdl.ConnectionSuffix)
	if !is {
		return ""
	}
	if m.isObject(base) {
		return base
	}
	words := sdl.CamelWords(base)
	if i := slices.IndexFunc(words, sdl.IsPreposition); i > 0 {
		words = words[:i]
	}
	longest := ""
	for _, known := range m.names {
		head := strings.Join(words, "")
		if m.isObject(known) && len(known) > len(longest) &&
			(sdl.HasLastWords(head, known) || sdl.HasLastWords(head, sdl.Plural(known))) {
			longest = known
		}
	}
	return longest
}

func (m *model) isObject(name string) bool {
	k := m.kind(name)
	return name != query && (k == ast.Object || k == ast.Union || k == ast.Interface)
}

// isPage reports whether a field returns a connection.
func isPage(t *ast.Type) bool {
	return t.Elem == nil && strings.HasSuffix(t.Name(), sdl.ConnectionSuffix)
}

// attribute returns a stored field of a type, nil if it has none of this name.
func (m *model) attribute(of, name string) *ast.FieldDefinition {
	f := m.field(of, name)
	if f == nil || len(f.Arguments) > 0 {
		return nil
	}
	return f
}

// keyKinds are the scalars that keys can have.
var keyKinds = []string{"ID", "String", "Int", "Int64", "Time", "Date", "Boolean"}

// isKey reports whether a field can be a part of a key.
func (m *model) isKey(f *ast.FieldDefinition) bool {
	return f.Type.Elem == nil && (slices.Contains(keyKinds, f.Type.Name()) || m.kind(f.Type.Name()) == ast.Enum)
}

// findStored finds the types of objects that are read by keys: those that patterns name or queries return, those with a
// global id, and those of connections.
func (m *model) findStored(patterns []Pattern) {
	add := func(name string) {
		if m.kind(name) == ast.Object && name != query {
			m.stored[name] = true
		}
	}
	for _, p := range patterns {
		add(p.Type)
	}
	for _, name := range m.names {
		for _, def := range m.defs[name] {
			if slices.Contains(def.Interfaces, "Node") {
				add(name)
			}
		}
		for _, f := range m.fields(name) {
			isRoot := name == query || isPage(f.Type)
			if isRoot && m.kind(name) == ast.Object && !slices.ContainsFunc(patterns, func(p Pattern) bool {
				return p.Field == name+"."+f.Name && p.Type != ""
			}) {
				add(m.node(f.Type))
			}
		}
	}
}
