package complete

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives/sdl"
)

// definition returns the type of a connection.
//
// https://relay.dev/graphql/connections.htm#sec-Connection-Types
func (a *addedConnection) definition() *ast.Definition {
	at, nodes := a.field.Position, sdl.Plural(sdl.InPlainWords(a.node))
	def := &ast.Definition{
		Kind: ast.Object, Name: a.name, Position: at, Directives: inheritMaxAge(at),
		Description: "A page of " + nodes + ".",
		Fields: ast.FieldList{
			newField(at, "edges", "The "+nodes+" with their cursors.",
				listOfNonNull(ast.NonNullNamedType(a.edge(), at), at)),
			newField(at, "nodes", "The "+nodes+".", listOfNonNull(ast.NonNullNamedType(a.node, at), at)),
			newField(at, "pageInfo", "The position of the page.", ast.NonNullNamedType("PageInfo", at)),
		},
	}
	if a.item != "" {
		def.Fields[1].Description = "The " + nodes + "; null where one has been deleted."
		def.Fields[1].Type = listOfNonNull(ast.NamedType(a.node, at), at)
	}
	if a.hasCount {
		def.Fields = append(def.Fields, newField(at, "totalCount",
			"How many "+nodes+
				" there are in all, whatever the arguments are. It is a stored count: nothing else is read for it.",
			ast.NonNullNamedType("Int", at)))
	}
	return def
}

// edgeDefinition returns the edge type of a connection. If the nodes are not the items, it has the attributes of the
// type of items, except ids.
func (a *addedConnection) edgeDefinition(name string, item *ast.Definition) *ast.Definition {
	at, node := a.field.Position, sdl.InPlainWords(a.node)
	cursor := "The position of the " + node + ", for `after` and `before`."
	def := &ast.Definition{
		Kind: ast.Object, Name: name, Position: at, Directives: inheritMaxAge(at),
		Description: sdl.UpperFirst(sdl.Article(node)) + " in a page.",
		Fields: ast.FieldList{
			newField(at, "cursor", cursor, ast.NonNullNamedType("String", at)),
			newField(at, "node", "The "+node+".", ast.NonNullNamedType(a.node, at)),
		},
	}
	if item == nil {
		return def
	}
	def.Fields[1].Description = "The " + node + "; null if it has been deleted."
	def.Fields[1].Type = ast.NamedType(a.node, at)
	read := ast.ArgumentList{textValue("pk", a.pk, at)}
	if a.sk != "" {
		read = append(read, textValue("sk", a.sk, at))
	}
	def.Fields[1].Directives = ast.DirectiveList{{Name: "get", Position: at, Arguments: read}}
	for _, f := range item.Fields {
		if !sdl.IsAttribute(f) || f.Type.Name() == "ID" || def.Fields.ForName(f.Name) != nil {
			continue
		}
		attribute := newField(at, f.Name, f.Description, f.Type)
		for _, d := range f.Directives {
			if d.Name == "allow" || d.Name == "cacheControl" || d.Name == "deprecated" {
				attribute.Directives = append(attribute.Directives, d)
			}
		}
		def.Fields = append(def.Fields, attribute)
	}
	return def
}

// addPaging adds the arguments of a connection that a field lacks.
func addPaging(f *ast.FieldDefinition, node string) {
	name := "object"
	if node != "" {
		name = sdl.InPlainWords(node)
	}
	descriptions := map[string]string{
		"first":  "How many " + sdl.Plural(name) + " from the start, 0 to 100; 10 when only `after` is given.",
		"after":  "Start after the " + name + " with this cursor.",
		"last":   "How many " + sdl.Plural(name) + " from the end, 0 to 100; 10 when only `before` is given.",
		"before": "End before the " + name + " with this cursor.",
	}
	for _, p := range sdl.PagingArguments {
		if f.Arguments.ForName(p.Name) == nil {
			f.Arguments = append(f.Arguments, &ast.ArgumentDefinition{
				Name: p.Name, Description: descriptions[p.Name],
				Type: ast.NamedType(p.Type, f.Position), Position: f.Position,
			})
		}
	}
}

// inheritMaxAge returns the directive with which a connection is cached like its objects.
func inheritMaxAge(at *ast.Position) ast.DirectiveList {
	value := &ast.Value{Raw: "true", Kind: ast.BooleanValue, Position: at}
	return ast.DirectiveList{{
		Name: "cacheControl", Position: at,
		Arguments: ast.ArgumentList{{Name: "inheritMaxAge", Value: value, Position: at}},
	}}
}

func newField(at *ast.Position, name, description string, t *ast.Type) *ast.FieldDefinition {
	return &ast.FieldDefinition{Name: name, Description: description, Type: t, Position: at}
}

func listOfNonNull(element *ast.Type, at *ast.Position) *ast.Type {
	return ast.NonNullListType(element, at)
}

func textValue(name, text string, at *ast.Position) *ast.Argument {
	value := &ast.Value{Raw: text, Kind: ast.StringValue, Position: at}
	return &ast.Argument{Name: name, Value: value, Position: at}
}
