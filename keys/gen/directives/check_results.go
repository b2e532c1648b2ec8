package directives

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkResults finds @get on fields that do not return one object, and plain lists without a limit.
func (r *reader) checkResults() {
	for _, rd := range r.reads {
		if rd.directive == nil {
			continue
		}
		typ := rd.def.Type
		at, coordinate := rd.def.Position, rd.Coordinate()
		switch {
		case r.returnsScalar(rd):
			r.find(at, coordinate,
				fmt.Sprintf("@%s returns stored objects, but the field is a %s", rd.directive.Name, typ.Name()),
				"return an object type with @item, or remove @"+rd.directive.Name)
		case rd.Kind == keys.Get && rd.Result != keys.One:
			r.find(at, coordinate, fmt.Sprintf("@get returns one object, but the field is a %s", typ),
				"write @query in place of @get, or return one object")
		case typ.Elem != nil && (typ.Elem.Elem != nil || r.connections[typ.Name()] != nil):
			r.find(at, coordinate, fmt.Sprintf("a Query returns one list of objects, but the field is a %s", typ),
				"return a list of objects or a connection")
		case rd.Result == keys.Many && rd.directive.Arguments.ForName("atMost") == nil:
			r.find(at, coordinate, "a list needs atMost",
				"write how many items the collection has at most, such as atMost: 100, or return a connection")
		}
	}
}

// checkStoredObject finds a field of a stored type that returns other stored objects without a
// directive: they are not inside of the item, but have keys of their own.
func (r *reader) checkStoredObject(parent *ast.Definition, f *ast.FieldDefinition) {
	if parent.Directives.ForName("item") == nil || len(f.Arguments) > 0 {
		return
	}
	typ := f.Type.Name()
	directive, what := "@get", "is stored as items of its own"
	if r.connections[typ] != nil {
		directive, what = "@query", "is a page of items"
	}
	for _, name := range append(r.possible(typ), typ) {
		def := r.schema.Types[name]
		if r.connections[name] == nil && (def == nil || def.Directives.ForName("item") == nil) {
			continue
		}
		fix := fmt.Sprintf("add %s with the key of its items", directive)
		if item := def.Directives.ForName("item"); item != nil {
			if f.Type.Elem != nil {
				directive = "@query"
			}
			fix = fmt.Sprintf("add %s, with the key where its items are stored; the @item of %s has pk: %q, sk: %q",
				directive, name, textArgument(item, "pk"), textArgument(item, "sk"))
		}
		r.find(f.Position, parent.Name+"."+f.Name, fmt.Sprintf("%s %s, but has no directive that reads it", typ, what), fix)
		return
	}
}
