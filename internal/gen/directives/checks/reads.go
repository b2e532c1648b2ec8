package checks

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// checkPlaces finds @get and @query on fields that cannot have them.
func checkPlaces(r *checker) {
	for _, name := range slices.Sorted(maps.Keys(r.Schema.Types)) {
		def := r.Schema.Types[name]
		for _, f := range def.Fields {
			d := sdl.ReadDirective(f)
			if d == nil {
				continue
			}
			if what, fix := placeFault(r, def, f, d); what != "" {
				r.find(f.Position, def.Name+"."+f.Name, what, fix)
			}
		}
	}
}

func placeFault(r *checker, def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) (what, fix string) {
	at, remove := "@"+d.Name, fmt.Sprintf("remove @%s from field %s.%s", d.Name, def.Name, f.Name)
	switch {
	case def.Kind == ast.Interface:
		return at + " on the field of an interface: each object type has keys of its own",
			remove + ", and write it on " + f.Name + " of each type that implements " + def.Name
	case def.Kind != ast.Object || def == r.Schema.Subscription: // checkLive finds the type
	case r.Edges[def.Name] != nil && f.Name != "node":
		return at + " on an edge's field other than node: an edge has the attributes of its item",
			"remove " + f.Name + " from type " + def.Name + ", and write it in the type of the node"
	case r.Edges[def.Name] != nil && d.Name != "get":
		return "@query on an edge's node: a node is one object, read by its key", "replace @query with @get"
	case r.Edges[def.Name] != nil:
	case def == r.Schema.Mutation:
		return at + " on a field of " + def.Name + ": it serves reads only",
			remove + " and resolve it in Go, or move it to " + r.QueryName()
	case !r.CanRead(def):
		return at + " needs the key fields of a " + def.Name + ", but the type is not stored",
			remove + " and resolve it in Go, or add " + sdl.ItemLine(r.OwnShape(def.Name)) + " to type " + def.Name
	}
	return "", ""
}

// checkMisreads finds fields whose directives cannot read what the fields return.
func checkMisreads(r *checker) {
	for _, rd := range r.Misreads {
		d, coordinate := rd.Directive, rd.Coordinate()
		var what, fix string
		switch rd.Fault {
		case reading.TwoDirectives:
			other := "query"
			if rd.Def.Type.Elem != nil || rd.Connection != nil {
				other = "get"
			}
			what, fix = "both @get and @query: a field is served by one read", "remove @"+other+" from field "+coordinate+
				": @get is for one object by its whole key, @query for a collection"
		case reading.NoCollection:
			what, fix = "the table has no sort key, so a partition has one object, not a collection", singleFix(rd.Read)
		case reading.ScalarResult:
			what = fmt.Sprintf("@%s returns stored objects, but the field is a %s", d.Name, rd.Def.Type.Name())
			fix = scalarFix(r, rd.Read)
		case reading.NotStored:
			what = rd.Possible[0] + " is not stored, but the field reads stored objects"
			fix = "remove @" + d.Name + " from field " + coordinate + ", or return an object type with @item"
			if rd.Other != "" {
				fix = fixes.Returning(rd.Read, rd.Other)
			}
		}
		r.find(rd.Def.Position, coordinate, what, fix)
	}
}

// singleFix returns the fix that makes a field with @query return the one object that its partition has.
func singleFix(rd *reading.Read) string {
	coordinate, node := rd.Coordinate(), rd.Def.Type.Name()
	if rd.Connection != nil {
		node = rd.Connection.Node
	}
	get := &ast.Directive{Name: "get", Arguments: ast.ArgumentList{rd.Directive.Arguments.ForName("pk")}}
	fix := fmt.Sprintf("remove @query from field %s\nadd %s to field %[1]s", coordinate, sdl.DirectiveText(get))
	for _, a := range rd.Def.Arguments {
		if sdl.IsPaging(a.Name) && a.Position != rd.Def.Position { // not one that Load has added
			fix += "\n" + fixes.Remove(rd, a)
		}
	}
	if rd.Def.Type.Elem != nil || rd.Connection != nil {
		fix += "\nreturn " + node
	}
	return fix + ", or read an index: @query(index:)"
}

// scalarFix returns the fix for a read that returns a scalar: what is stored where it reads, if its arguments show that
// this is meant.
func scalarFix(r *checker, rd *reading.Read) string {
	matches := design.FindMatches(r.KeyTypes(), rd.Field)
	if len(matches) > 0 && rd.Def.Arguments.ForName("first") != nil {
		return "return " + matches[0].Type.Name + sdl.ConnectionSuffix
	}
	return "remove @" + rd.Directive.Name + " from field " + rd.Coordinate() + ", or return an object type with @item"
}
