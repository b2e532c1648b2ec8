package typescript

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// names are the names of what is generated for an operation or a fragment; definition is "" for an operation, and
// variables for a fragment.
type names struct{ result, variables, document, definition string }

func operationNames(o *ast.OperationDefinition) names {
	name := capital(o.Name)
	result := name + capital(string(o.Operation))
	return names{result: result, variables: result + "Variables", document: name + "Document"}
}

func fragmentNames(f *ast.FragmentDefinition) names {
	name := capital(f.Name)
	return names{result: name + "Fragment", document: name + "FragmentDoc", definition: name + "Definition"}
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// reserved are the names of scalars and enums that TypeScript does not allow for a type, and the one that is imported.
// https://www.typescriptlang.org/docs/handbook/2/everyday-types.html, and ECMAScript's reserved words
var reserved = strings.Fields(`TypedDocumentNode
	any as bigint boolean never null number object string symbol undefined unknown void
	await break case catch class const continue debugger default delete do else enum export extends false finally for
	function if implements import in instanceof interface let new package private protected public return static super
	switch this throw true try typeof var while with yield`)

// documentNames returns the names of the module besides those of the schema, with the place of the operation or the
// fragment.
func documentNames(document *ast.QueryDocument) map[string]*ast.Position {
	taken := map[string]*ast.Position{}
	eachName(document, func(name string, position *ast.Position) { taken[name] = position })
	return taken
}

// checkNames returns an error for each operation and fragment with a name that the module would have twice.
func checkNames(document *ast.QueryDocument) gqlerror.List {
	var errs gqlerror.List
	var reported *ast.Position
	taken := map[string]*ast.Position{}
	eachName(document, func(name string, position *ast.Position) {
		if first := taken[name]; first != nil {
			if reported == position {
				return
			}
			reported = position
			errs = append(errs, gqlerror.ErrorPosf(position,
				"The module would have the name %s twice, also because of %s:%d:%d: rename one of them.",
				name, first.Src.Name, first.Line, first.Column))
			return
		}
		taken[name] = position
	})
	return errs
}

func eachName(document *ast.QueryDocument, use func(name string, position *ast.Position)) {
	all := func(n names, position *ast.Position) {
		for _, name := range []string{n.result, n.variables, n.document, n.definition} {
			if name != "" {
				use(name, position)
			}
		}
	}
	for _, f := range document.Fragments {
		all(fragmentNames(f), f.Position)
	}
	for _, o := range document.Operations {
		all(operationNames(o), o.Position)
	}
}
