package directives

import (
	"fmt"

	"github.com/partita/partita/keys"
)

// checkResults finds @get on fields that do not return one object, and plain lists without a limit.
func (r *checker) checkResults() {
	for _, rd := range r.reads {
		if rd.directive == nil {
			continue
		}
		typ := rd.def.Type
		at, coordinate := rd.def.Position, rd.Coordinate()
		switch {
		case rd.Kind == keys.Get && rd.Result != keys.One:
			r.find(at, coordinate, fmt.Sprintf("@get returns one object, but the field is a %s", typ),
				"return "+rd.resultName()+", or write @query in place of @get")
		case typ.Elem != nil && r.connections[typ.Name()] != nil:
			r.find(at, coordinate, fmt.Sprintf("a Query returns one page of objects, but the field is a %s", typ),
				"return "+typ.Name())
		case typ.Elem != nil && typ.Elem.Elem != nil:
			r.find(at, coordinate, fmt.Sprintf("a Query returns one list of objects, but the field is a %s", typ),
				"return ["+rd.resultName()+"!], or a connection")
		case rd.Result == keys.Many && rd.directive.Arguments.ForName("atMost") == nil:
			r.find(at, coordinate, "a list needs atMost",
				"write atMost: 100, or how many items the collection has at most, or return a connection")
		}
	}
}

// resultName returns the type of the objects that a field returns, also in a connection.
func (rd *read) resultName() string {
	if rd.connection != nil {
		return rd.connection.Node
	}
	return rd.def.Type.Name()
}

// resultOf returns the type that the field would have with objects of another type.
func (rd *read) resultOf(name string) string {
	switch {
	case rd.def.Type.Elem != nil:
		return "[" + name + "!]"
	case rd.connection != nil:
		return name + connectionSuffix
	}
	return name
}
