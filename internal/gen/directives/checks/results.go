package checks

import (
	"fmt"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys/design"
)

// checkResults finds @get on fields that do not return one object, and plain lists without a limit.
func checkResults(r *checker) {
	for _, rd := range r.Reads {
		if rd.Directive == nil {
			continue
		}
		typ := rd.Def.Type
		at, coordinate := rd.Def.Position, rd.Coordinate()
		switch {
		case rd.Kind == design.Get && rd.Result != design.One:
			r.find(at, coordinate, fmt.Sprintf("@get returns one object, but the field is a %s", typ),
				"return "+resultName(rd)+", or write @query in place of @get")
		case typ.Elem != nil && r.Connections[typ.Name()] != nil:
			r.find(at, coordinate, fmt.Sprintf("a Query returns one page of objects, but the field is a %s", typ),
				"return "+typ.Name())
		case typ.Elem != nil && typ.Elem.Elem != nil:
			r.find(at, coordinate, fmt.Sprintf("a Query returns one list of objects, but the field is a %s", typ),
				"return ["+resultName(rd)+"!], or a connection")
		case rd.Result == design.Many && rd.Directive.Arguments.ForName("atMost") == nil:
			r.find(at, coordinate, "a list needs atMost",
				"write atMost: 100, or how many items the collection has at most, or return a connection")
		}
	}
}

// resultName returns the type of the objects that a field returns, also in a connection.
func resultName(rd *reading.Read) string {
	if rd.Connection != nil {
		return rd.Connection.Node
	}
	return rd.Def.Type.Name()
}
