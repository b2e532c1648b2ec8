package directives

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkResults: a Get answers one object, and a Query whose answer is a plain
// list has a bound.
func (r *reader) checkResults() {
	for _, rd := range r.reads {
		if rd.directive == nil {
			continue
		}
		typ := rd.def.Type
		at, coordinate := rd.def.Position, rd.Coordinate()
		switch {
		case r.returnsScalar(rd):
			r.find(at, coordinate, fmt.Sprintf("@%s returns stored objects, but the field is a %s", rd.directive.Name, typ.Name()),
				"return an object type with @item, or remove @"+rd.directive.Name)
		case rd.Kind == keys.Get && rd.Result != keys.One:
			r.find(at, coordinate, fmt.Sprintf("@get answers one object, but the field is a %s", typ), "write @query in place of @get, or return one object")
		case typ.Elem != nil && (typ.Elem.Elem != nil || r.connections[typ.Name()] != nil):
			r.find(at, coordinate, fmt.Sprintf("a Query answers one list of objects, but the field is a %s", typ), "return a list of objects or a connection")
		case rd.Result == keys.Many && rd.directive.Arguments.ForName("atMost") == nil:
			r.find(at, coordinate, "a list must be bounded", "write how many items the collection holds at most, such as atMost: 100, or return a connection")
		}
	}
}

// checkStoredObject: a stored type has the objects of other stored types not
// inside of it but by their keys.
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
			fix = fmt.Sprintf("add %s, with the key where its items are stored; the @item of %s has pk: %q, sk: %q", directive, name, textArgument(item, "pk"), textArgument(item, "sk"))
		}
		r.find(f.Position, parent.Name+"."+f.Name, fmt.Sprintf("%s %s, but no directive says how to read it", typ, what), fix)
		return
	}
}
