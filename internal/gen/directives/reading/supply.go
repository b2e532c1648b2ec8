package reading

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// supplyItems gives the types that reads return but that have no @item the one that is proposed, so that what else is
// missing shows. A read that returns what cannot be stored is none.
func (r *Access) supplyItems() {
	wrong := map[*Read]bool{}
	for _, rd := range r.Reads {
		for _, name := range rd.Possible {
			def := r.Schema.Types[name]
			if r.Types[name] != nil || rd.Directive == nil || r.Connections[name] != nil ||
				def.Directives.ForName("item") != nil {
				continue // checkResults finds a list of connections.
			}
			if other, isOther := r.otherResult(rd, def); isOther {
				r.Misreads = append(r.Misreads, misread{rd, NotStored, other})
				wrong[rd] = true
				continue
			}
			shape := r.ReadShape(def)
			keyType := &design.Type{Name: name, Satisfies: r.satisfies(def), MaxBytes: 1, Item: shape}
			t := &Type{
				Type: keyType, Def: def, NeededBy: rd.Coordinate(), Broken: hasAny(def, "copy", "index", "mutable"),
			}
			t.StoredKeys = []*Key{{Of: t, Shards: 1, Shape: shape}}
			r.Types[name] = t
			r.complete(t)
		}
	}
	r.Reads = slices.DeleteFunc(r.Reads, func(rd *Read) bool { return wrong[rd] })
}

// otherResult reports whether a read returns what is no object of its own, and the type that is stored where it reads.
func (r *Access) otherResult(rd *Read, def *ast.Definition) (stored string, isOther bool) {
	isRoot := def == r.Schema.Query || def == r.Schema.Mutation || def == r.Schema.Subscription
	if len(rd.Possible) > 1 || !isRoot && def.Fields.ForName("id") != nil {
		return "", false
	}
	for _, m := range design.FindMatches(r.KeyTypes(), rd.Field) {
		return m.Type.Name, true
	}
	return "", isRoot
}

// ReadShape returns the key of the objects of a type without @item: one by which a field finds an object, if the type
// has its values, otherwise that of a partition of its own.
func (r *Access) ReadShape(def *ast.Definition) keys.Shape {
	own := r.OwnShape(def.Name)
	for _, rd := range r.Reads {
		shape := keys.Shape{PK: rd.PK, SK: rd.SK}
		isKey := len(Identity(shape)) > 0 && !slices.ContainsFunc(rd.Variables(), func(name string) bool {
			field := def.Fields.ForName(name)
			return field == nil || !sdl.IsAttribute(field) || rd.Def.Arguments.ForName(name) == nil
		})
		if rd.Directive != nil && rd.Directive.Name == "get" && isKey && slices.Equal(rd.Possible, []string{def.Name}) {
			return shape
		}
	}
	for _, rd := range r.Reads {
		if def.Fields.ForName("id") == nil && slices.Contains(rd.Possible, def.Name) {
			return keys.Shape{PK: rd.PK, SK: rd.SK}
		}
	}
	return own
}

// hasAny reports whether a type has one of the directives.
func hasAny(def *ast.Definition, names ...string) bool {
	return slices.ContainsFunc(def.Directives, func(d *ast.Directive) bool { return slices.Contains(names, d.Name) })
}

// OwnShape returns the key of an object that has a partition of its own. In a table without a sort key whose partition
// key is the value of a field, it is that.
func (r *Source) OwnShape(typ string) keys.Shape {
	if name := r.FieldInKey(r.Schema.Types[typ]); name != "" && !r.Names().HasSortKey() {
		return keys.Shape{PK: keys.MustDelimited(r.Names().Delimiter, "{"+name+"}")}
	}
	t := keys.MustDelimited(r.Names().Delimiter, sdl.ConstantCase(typ)+r.Names().Delimiter+"{id}")
	if !r.Names().HasSortKey() {
		return keys.Shape{PK: t}
	}
	return keys.Shape{PK: t, SK: t}
}

// FieldInKey returns the field of a type whose @stored names the partition key of an existing table. It returns "" if
// no field does.
func (r *Source) FieldInKey(def *ast.Definition) string {
	if r.Layout == nil || len(r.Layout.PK) != 1 {
		return ""
	}
	for _, f := range def.Fields {
		if d := f.Directives.ForName("stored"); d != nil && sdl.Text(d, "name") == r.Layout.PK[0].Name {
			return f.Name
		}
	}
	return ""
}
