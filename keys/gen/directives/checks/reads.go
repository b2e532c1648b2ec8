package directives

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkPlaces finds @get and @query on fields that cannot have them.
func (r *checker) checkPlaces() {
	for _, name := range slices.Sorted(maps.Keys(r.schema.Types)) {
		def := r.schema.Types[name]
		for _, f := range def.Fields {
			d := readDirective(f)
			if d == nil {
				continue
			}
			if what, fix := r.placeFault(def, f, d); what != "" {
				r.find(f.Position, def.Name+"."+f.Name, what, fix)
			}
		}
	}
}

func (r *checker) placeFault(def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) (what, fix string) {
	at, remove := "@"+d.Name, fmt.Sprintf("remove @%s from field %s.%s", d.Name, def.Name, f.Name)
	switch {
	case def.Kind == ast.Interface:
		return at + " on the field of an interface: each object type has keys of its own",
			remove + ", and write it on " + f.Name + " of each type that implements " + def.Name
	case def.Kind != ast.Object || def == r.schema.Subscription: // checkLive finds the type
	case r.edges[def.Name] != nil && f.Name != "node":
		return at + " on an edge's field other than node: an edge has the attributes of its item",
			"remove " + f.Name + " from type " + def.Name + ", and write it in the type of the node"
	case r.edges[def.Name] != nil && d.Name != "get":
		return "@query on an edge's node: a node is one object, read by its key", "replace @query with @get"
	case r.edges[def.Name] != nil:
	case def == r.schema.Mutation:
		return at + " on a field of " + def.Name + ": it serves reads only",
			remove + " and resolve it in Go, or move it to " + r.queryName()
	case !r.canRead(def):
		return at + " needs the key fields of a " + def.Name + ", but the type is not stored",
			remove + " and resolve it in Go, or add " + itemLine(r.ownShape(def.Name)) + " to type " + def.Name
	}
	return "", ""
}

// checkMisreads finds fields whose directives cannot read what the fields return.
func (r *checker) checkMisreads() {
	for _, rd := range r.misreads {
		d, coordinate := rd.directive, rd.Coordinate()
		var what, fix string
		switch rd.fault {
		case twoDirectives:
			other := "query"
			if rd.def.Type.Elem != nil || rd.connection != nil {
				other = "get"
			}
			what, fix = "both @get and @query: a field is served by one read", "remove @"+other+" from field "+coordinate+
				": @get is for one object by its whole key, @query for a collection"
		case noCollection:
			what, fix = "the table has no sort key, so a partition has one object, not a collection", r.singleFix(rd.read)
		case scalarResult:
			what = fmt.Sprintf("@%s returns stored objects, but the field is a %s", d.Name, rd.def.Type.Name())
			fix = r.scalarFix(rd.read)
		case notStored:
			what = rd.possible[0] + " is not stored, but the field reads stored objects"
			fix = "remove @" + d.Name + " from field " + coordinate + ", or return an object type with @item"
			if rd.other != "" {
				fix = rd.returning(rd.other)
			}
		}
		r.find(rd.def.Position, coordinate, what, fix)
	}
}

// singleFix returns the fix that makes a field with @query return the one object that its partition has.
func (r *checker) singleFix(rd *read) string {
	coordinate, node := rd.Coordinate(), rd.def.Type.Name()
	if rd.connection != nil {
		node = rd.connection.Node
	}
	get := &ast.Directive{Name: "get", Arguments: ast.ArgumentList{rd.directive.Arguments.ForName("pk")}}
	fix := fmt.Sprintf("remove @query from field %s\nadd %s to field %[1]s", coordinate, directiveText(get))
	for _, a := range rd.def.Arguments {
		if isPaging(a.Name) && a.Position != rd.def.Position { // not one that Load has added
			fix += "\n" + remove(rd, a)
		}
	}
	if rd.def.Type.Elem != nil || rd.connection != nil {
		fix += "\nreturn " + node
	}
	return fix + ", or read an index: @query(index:)"
}

// scalarFix returns the fix for a read that returns a scalar: what is stored where it reads, if its arguments show that
// this is meant.
func (r *checker) scalarFix(rd *read) string {
	matches := keys.FindMatches(r.keyTypes(), rd.Field)
	if len(matches) > 0 && rd.def.Arguments.ForName("first") != nil {
		return "return " + matches[0].Type.Name + connectionSuffix
	}
	return "remove @" + rd.directive.Name + " from field " + rd.Coordinate() + ", or return an object type with @item"
}
