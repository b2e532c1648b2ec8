package gen

import (
	_ "embed"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// designFile is the data of the design's template.
type designFile struct {
	*directives.Schema
	// Owned are the models with a rule that does not allow everybody.
	Owned []owned
	// Valued are the models with fields that are variables of the keys of members.
	Valued []owned
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
	// Values are the values of variables.
	Values []property
}

func newDesignFile(r *resolvers) designFile {
	out := designFile{Schema: r.Schema, HandWritten: handWritten(r)}
	fields := ownerFields(r.Schema)
	for _, t := range r.Types {
		if names, found := fields[t.Name]; found {
			out.Owned = append(out.Owned, owned{t.Name, r.object(t.Name).Type, ownerIDs(r.schema, t.Name, "o.", names), nil})
		}
	}
	edges := map[string]owned{}
	for _, c := range r.Connections {
		if names := fields[c.Edge]; len(names) > 0 {
			it := r.EdgeItem(c.Edge)
			_, carrier := nodeOf(r.schema, c)
			edges[c.Edge] = owned{"", r.object(c.Edge).Type, ownerIDs(r.schema, it.Name, "o."+carrier+".", names), nil}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(edges)) {
		out.Owned = append(out.Owned, edges[name])
	}
	out.Valued = valued(r)
	for _, a := range abstracts(r.schema) {
		if slices.ContainsFunc(a.Members, func(o *object) bool { _, found := fields[o.Name]; return found }) {
			out.Abstract = append(out.Abstract, r.data.Interfaces[a.Name].Type)
		}
	}
	return out
}

// valued returns the models with fields by which rules decide, other than owners.
func valued(r *resolvers) []owned {
	var out []owned
	for _, t := range r.Types {
		names := decidingFields(r.Schema, t.Name)
		if len(names) > 0 {
			out = append(out, owned{"", r.object(t.Name).Type, nil, memberValues(r.schema, t.Name, "o.", names)})
		}
	}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(r.Connections)) {
		c := r.Connections[name]
		if names := decidingFields(r.Schema, c.Edge); len(names) > 0 && !seen[c.Edge] {
			_, carrier := nodeOf(r.schema, c)
			values := memberValues(r.schema, r.EdgeItem(c.Edge).Name, "o."+carrier+".", names)
			out, seen[c.Edge] = append(out, owned{"", r.object(c.Edge).Type, nil, values}), true
		}
	}
	return out
}

// decidingFields returns the fields of an object type by which rules decide: variables of the keys of members, and what
// Go code gets.
func decidingFields(d *directives.Schema, object string) []string {
	var names []string
	add := func(rule *design.Rule) {
		if rule.IsPublic() {
			return
		}
		for _, m := range rule.Members {
			for _, name := range append(m.PK.Variables(), m.SK.Variables()...) {
				isArgument := slices.ContainsFunc(m.Arguments, func(a keys.Argument) bool { return a.Name == name })
				if name != keys.ViewerVariable && !isArgument && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		for _, g := range rule.Go {
			for _, name := range g.By {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if t := d.Type(object); t != nil {
		add(t.Rule)
	}
	for _, r := range d.Rules {
		if r.Parent == object {
			add(r.Rule)
		}
	}
	return names
}

// memberValues returns the expressions of the values of a stored type's fields.
func memberValues(s *schema, typ, prefix string, names []string) []property {
	values := make([]property, len(names))
	t := s.Type(typ)
	for i, name := range names {
		f := s.field(typ, name)
		value := keyValue(t.Attribute(name).Kind, f.TypeReference.GO, prefix+f.GoFieldName)
		if isGlobalID(t, f) {
			value = fmt.Sprintf("keys.PartValue(%s%s, %d)", prefix, f.GoFieldName, slices.Index(t.Identity, name))
		}
		values[i] = property{name, value}
	}
	return values
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
