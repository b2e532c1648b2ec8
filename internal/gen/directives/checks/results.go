package checks

import (
	"fmt"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
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

// checkNulls finds fields that are never null but return an object that may not exist. Only an
// object whose id the parent has may be non-null, because its id is known without a read.
func checkNulls(r *checker) {
	var matched []*design.Field
	for _, rd := range r.Reads {
		if len(rd.Matches) > 0 {
			matched = append(matched, rd.Field)
		}
	}
	reads, err := design.NewDesign(r.Layout, r.KeyTypes(), matched)
	if err != nil {
		return
	}
	for _, rd := range r.Reads {
		if len(rd.Matches) == 0 || rd.Result != design.One || !rd.Def.Type.NonNull ||
			r.NamesUnknown(rd) || r.ReturnsIncomplete(rd) {
			continue
		}
		nullable := ""
		for _, name := range rd.Variables() {
			if _, attr := rd.Source(name); attr != nil && !attr.NonNull {
				nullable = name
			}
		}
		switch {
		case nullable != "":
			r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("the field is never null, but {%s} may be", nullable),
				fmt.Sprintf("return %s, without '!'", rd.Def.Type.Name()))
		case !reads.Field(rd.Parent, rd.Name).IsReference():
			r.find(rd.Def.Position, rd.Coordinate(), "the field is never null, but the object may not exist",
				fmt.Sprintf("return %s, without '!'", rd.Def.Type.Name()))
		}
	}
}

// checkUnread finds fields that return stored objects without a directive: objects are not inside of the
// item of another, but have keys of their own. On Query, and with arguments, Go code may read them: see
// Schema.Unread.
func checkUnread(r *checker) {
	for _, def := range r.Objects() {
		t := r.Types[def.Name]
		if t == nil && def != r.Schema.Query {
			continue
		}
		for _, f := range def.Fields {
			isNode := def == r.Schema.Query && r.IsNodeField(f)
			isInKey := t != nil && r.IsInKey(t, f.Name) // checkFormats finds this.
			if sdl.ReadDirective(f) != nil || isNode || isInKey || !r.ReturnsStored(f) {
				continue
			}
			what := f.Type.Name() + " is stored as items of its own, but has no directive that reads it"
			if r.Connections[f.Type.Name()] != nil {
				what = f.Type.Name() + " is a page of items, but has no directive that reads it"
			}
			fix := strings.Join(fixes.ReadProposal(r.Design, t, def, f), "\n")
			if t != nil && len(f.Arguments) == 0 {
				r.find(f.Position, def.Name+"."+f.Name, what, fix)
			} else if f.Directives.ForName("cost") == nil {
				r.unread = append(r.unread, finding.At(f.Position, def.Name+"."+f.Name, what, fix))
			}
		}
	}
}
