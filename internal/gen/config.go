package gen

import (
	"maps"
	"slices"

	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Import paths of the packages that generated code calls.
const (
	graphqlPath = "github.com/99designs/gqlgen/graphql"
	itemPath    = "github.com/partita/partita/item"
	keysPath    = "github.com/partita/partita/keys"
	designPath  = keysPath + "/design"
	loadersPath = "github.com/partita/partita/loaders"
	storedPath  = keysPath + "/stored"
	viewerPath  = "github.com/partita/partita/viewer"
	writePath   = "github.com/partita/partita/write"
)

// configure sets the options of gqlgen that generated code depends on.
func configure(cfg *config.Config, d *directives.Schema) {
	cfg.OmitResolverFields = true
	cfg.StructFieldsAlwaysPointers = true
	cfg.ResolversAlwaysReturnPointers = true
	cfg.ReturnPointersInUnmarshalInput = false
	cfg.OmitSliceElementPointers = false
	cfg.NullableInputOmittable = false

	for _, name := range sdl.Names() {
		cfg.Directives[name] = config.DirectiveConfig{SkipRuntime: true}
	}
	bindScalars(cfg)
	bindUserErrors(cfg)

	for _, f := range d.Fields {
		setResolver(cfg, f.Parent, f.Name)
		for _, name := range cfg.Schema.Types[f.Parent].Interfaces {
			// The Go type of the interface must not require a getter for it.
			setResolver(cfg, name, f.Name)
		}
	}
	for _, t := range d.Types {
		for _, f := range d.TypeDef(t.Name).Fields {
			// gqlgen would else make it a field of the model, which nothing fills.
			isFilled := f.Name == "id" || t.Attribute(f.Name) != nil || t.Difference(f.Name) != nil
			if !isFilled && d.Field(t.Name, f.Name) == nil {
				setResolver(cfg, t.Name, f.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Connections)) {
		if c := d.Connections[name]; c.EdgeNode {
			addItemField(cfg, c, d.EdgeItem(c.Edge))
		}
	}
}

// bindScalars binds the scalars that have Go types of package keys.
func bindScalars(cfg *config.Config) {
	cfg.Models["ID"] = config.TypeMapEntry{Model: config.StringList{keysPath + ".ID"}}
	for scalar, model := range map[string]string{
		"Date": keysPath + ".CalendarDate", "Int64": keysPath + "/scalar.Int64", "Time": keysPath + "/scalar.Time",
	} {
		if def := cfg.Schema.Types[scalar]; def != nil && def.Kind == ast.Scalar {
			cfg.Models[scalar] = config.TypeMapEntry{Model: config.StringList{model}}
		}
	}
}

// bindUserErrors binds the schema's type UserError and the enum of its codes to those
// of package write, so that mutations need no conversion, and returns their names. A type
// with other fields, or one that gqlgen.yml binds, is left alone.
func bindUserErrors(cfg *config.Config) []string {
	const object = "UserError"
	def := cfg.Schema.Types[object]
	if def == nil || def.Kind != ast.Object || len(def.Fields) != 3 || len(cfg.Models[object].Model) > 0 {
		return nil
	}
	field, message, code := def.Fields.ForName("field"), def.Fields.ForName("message"), def.Fields.ForName("code")
	if field == nil || message == nil || code == nil || field.Type.String() != "String" ||
		message.Type.String() != "String!" || code.Type.Elem != nil || !code.Type.NonNull {
		return nil
	}
	codes := cfg.Schema.Types[code.Type.Name()]
	if codes.Kind != ast.Enum || len(cfg.Models[codes.Name].Model) > 0 {
		return nil
	}
	for _, c := range write.Codes() {
		if codes.EnumValues.ForName(string(c)) == nil {
			return nil
		}
	}
	cfg.Models[object] = config.TypeMapEntry{Model: config.StringList{writePath + ".UserError"}}
	cfg.Models[codes.Name] = config.TypeMapEntry{Model: config.StringList{writePath + ".Code"}}
	return []string{object, codes.Name}
}

func setResolver(cfg *config.Config, object, field string) {
	if cfg.Schema.Types[object].Fields.ForName(field) == nil {
		return
	}
	entry := cfg.Models[object]
	entry.Fields = maps.Clone(entry.Fields)
	if entry.Fields == nil {
		entry.Fields = map[string]config.TypeMapField{}
	}
	f := entry.Fields[field]
	f.Resolver = true
	entry.Fields[field] = f
	cfg.Models[object] = entry
}

// addItemField adds a Go field to the edge type of a connection whose nodes are read by their own
// keys. It is for the item of the edge, which has the attributes of the node's key.
func addItemField(cfg *config.Config, c *reading.Connection, it *design.Type) {
	if c.HasNodes {
		setResolver(cfg, c.Name, "nodes")
	}
	entry := cfg.Models[c.Edge]
	entry.ExtraFields = maps.Clone(entry.ExtraFields)
	if entry.ExtraFields == nil {
		entry.ExtraFields = map[string]config.ModelExtraField{}
	}
	entry.ExtraFields[carrier(cfg.Schema, c.Edge, it)] = config.ModelExtraField{
		Type:        "*" + cfg.Model.ImportPath() + "." + templates.ToGoModelName(it.Name),
		Description: "The item of the edge.",
	}
	cfg.Models[c.Edge] = entry
}

// carrier returns the Go field of an edge type that holds the item.
func carrier(schema *ast.Schema, edge string, it *design.Type) string {
	name := templates.ToGo(it.Name)
	for _, f := range schema.Types[edge].Fields {
		if templates.ToGo(f.Name) == name {
			return name + "Item"
		}
	}
	return name
}
