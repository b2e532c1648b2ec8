package gen

import (
	_ "embed"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// designFile is the data of the design's template.
type designFile struct {
	*directives.Schema
	// Owned are the models with a rule that does not allow everybody.
	Owned []owned
	// Abstract are the interfaces and unions of such models.
	Abstract []types.Type
	// HandWritten are the coordinates of the fields that depend on hand-written Go.
	HandWritten []string
}

// owned is the model of a stored type or of an edge with a rule that does not allow everybody.
type owned struct {
	// Type is the stored type, "" for an edge.
	Type   string
	GoType types.Type
	// IDs are the ids that the rules compare with the viewer's.
	IDs []property
}

func newDesignFile(r *resolvers) designFile {
	out := designFile{Schema: r.Schema, HandWritten: handWritten(r)}
	fields := ownerFields(r.Schema)
	for _, t := range r.Types {
		if names, found := fields[t.Name]; found {
			out.Owned = append(out.Owned, owned{t.Name, r.object(t.Name).Type, ownerIDs(r.schema, t.Name, "o.", names)})
		}
	}
	edges := map[string]owned{}
	for _, c := range r.Connections {
		if names := fields[c.Edge]; len(names) > 0 {
			it := r.EdgeItem(c.Edge)
			_, carrier := nodeOf(r.schema, c)
			edges[c.Edge] = owned{"", r.object(c.Edge).Type, ownerIDs(r.schema, it.Name, "o."+carrier+".", names)}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(edges)) {
		out.Owned = append(out.Owned, edges[name])
	}
	for _, a := range abstracts(r.schema) {
		if slices.ContainsFunc(a.Members, func(o *object) bool { _, found := fields[o.Name]; return found }) {
			out.Abstract = append(out.Abstract, r.data.Interfaces[a.Name].Type)
		}
	}
	return out
}

// ownerFields returns the fields that rules name as the owner, by object type. A type whose rule
// names no owner has an entry, too.
func ownerFields(d *directives.Schema) map[string][]string {
	fields := map[string][]string{}
	add := func(object string, rule *design.Rule) {
		if rule.IsPublic() {
			return
		}
		names := fields[object]
		if rule.Owner != "" && !slices.Contains(names, rule.Owner) {
			names = append(names, rule.Owner)
		}
		fields[object] = names
	}
	for _, t := range d.Types {
		add(t.Name, t.Rule)
	}
	for _, r := range d.Rules {
		if r.Rule.Owner != "" && d.FieldDef(r.Parent, r.Name).Arguments.ForName(r.Rule.Owner) == nil {
			add(r.Parent, r.Rule)
		}
	}
	return fields
}

// ownerIDs returns the expressions of a stored type's ids.
func ownerIDs(s *schema, typ, prefix string, names []string) []property {
	ids := make([]property, len(names))
	for i, name := range names {
		ids[i] = property{name, idExpression(s.field(typ, name), prefix)}
	}
	return ids
}

func idExpression(f *codegen.Field, prefix string) string {
	if isPointer(f.TypeReference.GO) {
		return "keys.IDOrNone(" + prefix + f.GoFieldName + ")"
	}
	return prefix + f.GoFieldName
}

var (
	//go:embed templates/design.gotpl
	designTemplate string
	//go:embed templates/fields.gotpl
	fieldsTemplate string
	//go:embed templates/types.gotpl
	typesTemplate string
)

// writeTyped writes the package of the typed keys.
func writeTyped(r *resolvers) error {
	for _, f := range []struct {
		name, template string
		data           any
	}{
		{"design_gen.go", designTemplate, newDesignFile(r)},
		{"fields_gen.go", fieldsTemplate, newBindings(r.schema)},
		{"types_gen.go", typesTemplate, newStoredTypes(r.schema)},
	} {
		if err := render(r.data.Config, filepath.Join(r.typed, f.name), r.typedName(), f.template, f.data); err != nil {
			return err
		}
	}
	return nil
}

// importPath returns the import path of a directory, which need not exist yet.
func importPath(dir string) (string, error) {
	file, err := filepath.Abs(filepath.Join(dir, "design_gen.go"))
	pkg := config.PackageConfig{Filename: filepath.ToSlash(file)}
	return pkg.ImportPath(), err
}
