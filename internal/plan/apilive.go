package plan

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// liveDirective is on the fields that have live data.
const liveDirective = "live"

// addLive adds the root of subscriptions to an API: a field for each field of the schema with @live, those of the root
// of queries first, and the types of their events.
func addLive(api, schema *ast.Schema) {
	if api.Subscription != nil {
		return
	}
	a := &liveAPI{schema: api}
	objects := []*ast.Definition{schema.Query}
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		if def := schema.Types[name]; def.Kind == ast.Object && def != schema.Query {
			objects = append(objects, def)
		}
	}
	for _, def := range objects {
		for _, f := range def.Fields {
			if d := f.Directives.ForName(liveDirective); d != nil {
				a.add(def, f, d)
			}
		}
	}
	api.Subscription = a.root
}

// liveAPI adds live data to the schema of an API.
type liveAPI struct {
	schema *ast.Schema
	root   *ast.Definition
}

// add adds the field of the root for a field with @live.
func (a *liveAPI) add(parent *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	if a.root == nil {
		a.root = a.object(d.Position, design.Subscription, descriptionOfSubscription)
	}
	live := *a.schema.Types[parent.Name].Fields.ForName(f.Name)
	if name := d.Arguments.ForName("name"); name != nil && name.Value.Raw != "" {
		live.Name = name.Value.Raw
	}
	live.Position, live.Type = d.Position, ast.NamedType(f.Type.Name(), d.Position)
	isOther := func(d *ast.Directive) bool { return d.Name != "deprecated" }
	live.Directives = slices.DeleteFunc(slices.Clone(live.Directives), isOther)
	live.Arguments = slices.Clone(live.Arguments)
	if parent.Name != a.schema.Query.Name {
		live.Arguments = slices.Insert(live.Arguments, 0, &ast.ArgumentDefinition{
			Name: design.LiveParent(parent.Name), Type: ast.NonNullNamedType("ID", d.Position), Position: d.Position,
			Description: "The `id` of the " + parent.Name + ".",
		})
	}
	note := "Sends the present object first, then its new state after each change; null once it is gone."
	if connection := a.schema.Types[f.Type.Name()]; isConnection(connection) {
		note = "Sends the present page first, then each change of the whole collection, as far as the arguments select it."
		live.Type.NamedType = a.event(connection, d.Position)
	}
	if live.Description != "" {
		note = live.Description + "\n\n" + note
	}
	live.Description = note
	a.root.Fields = append(a.root.Fields, &live)
}

// isConnection reports whether a type is a connection of Relay.
func isConnection(def *ast.Definition) bool {
	return def.Fields.ForName("edges") != nil && def.Fields.ForName("pageInfo") != nil
}

// event returns the name of the type of the events of a connection, which it adds if it is missing.
func (a *liveAPI) event(connection *ast.Definition, at *ast.Position) string {
	name := design.LiveEvent(connection.Name)
	if a.schema.Types[name] != nil {
		return name
	}
	a.change(at)
	edge := connection.Fields.ForName("edges").Type.Name()
	node := a.schema.Types[edge].Fields.ForName("node").Type.Name()
	def := a.object(at, name, "The present page, or a change of the collection.")
	def.Fields = ast.FieldList{
		{Name: "change", Description: "What has happened.", Type: ast.NonNullNamedType(design.LiveChange, at)},
		{
			Name: "connection", Type: ast.NamedType(connection.Name, at),
			Description: "The page that the arguments select, of `CURRENT`; otherwise null.",
		},
		{
			Name: "edge", Type: ast.NamedType(edge, at),
			Description: "The object in the collection, as it is after the change, of `ADDED` and `CHANGED`; otherwise null.",
		},
		{Name: "node", Type: ast.NamedType(node, at), Description: "The node of `edge`."},
		{
			Name: "nodeId", Type: ast.NamedType("ID", at),
			Description: "The global id of the node; null of `CURRENT`. With it, events are assigned to objects.",
		},
		{
			Name: "cursor", Type: ast.NamedType("String", at),
			Description: "The position in the collection: of `REMOVED` the one before the change; null of `CURRENT`.",
		},
	}
	for _, f := range def.Fields {
		f.Position = at
	}
	return name
}

// change adds the enum of changes.
func (a *liveAPI) change(at *ast.Position) {
	if a.schema.Types[design.LiveChange] != nil {
		return
	}
	def := a.define(&ast.Definition{
		Kind: ast.Enum, Name: design.LiveChange, Position: at, Description: "What has happened to a collection.",
	})
	for _, v := range [...]struct{ name, description string }{
		{"CURRENT", "Nothing yet: the present page. It is the first event, unless the subscription resumes another one."},
		{"ADDED", "An object is in the collection that was not."},
		{"CHANGED", "An object in the collection is another one. Its position may be, too."},
		{"REMOVED", "An object is no longer in the collection, deleted, or no longer visible to the viewer."},
	} {
		def.EnumValues = append(def.EnumValues,
			&ast.EnumValueDefinition{Name: v.name, Description: v.description, Position: at})
	}
}

func (a *liveAPI) object(at *ast.Position, name, description string) *ast.Definition {
	return a.define(&ast.Definition{Kind: ast.Object, Name: name, Description: description, Position: at})
}

// define adds a type.
func (a *liveAPI) define(def *ast.Definition) *ast.Definition {
	a.schema.Types[def.Name] = def
	if def.Kind == ast.Object {
		a.schema.AddPossibleType(def.Name, def)
	}
	return def
}

const descriptionOfSubscription = "Live data. Each field sends its present state first, then what changes, without " +
	"gaps and repetitions,\nwhatever program makes the change. When a subscription has ended with the code " +
	"`CHANGES_LOST` or\n`POSITION_EXPIRED`, subscribe again without a position."
