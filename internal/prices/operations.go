package prices

import (
	"cmp"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/fragments"
)

// Operation is an operation of a client, with the fragments that it uses.
type Operation struct {
	// Name is that of the operation, or the place of one without a name.
	Name string
	// Place is the file and the line of the operation.
	Place string
	// sources have the operation, the one at index, and its fragments.
	sources []*ast.Source
	index   int
}

// Documents returns the operations in documents that have their fragments together. The error is a gqlerror.List.
func Documents(sources []*ast.Source) ([]Operation, error) {
	all, err := parse(sources)
	if err != nil {
		return nil, err
	}
	operations := make([]Operation, len(all.Operations))
	for i, o := range all.Operations {
		place := fmt.Sprintf("%s:%d", o.Position.Src.Name, o.Position.Line)
		operations[i] = Operation{Name: cmp.Or(o.Name, place), Place: place, sources: sources, index: i}
	}
	return operations, nil
}

// Listed returns an operation of a manifest, whose place is a file.
func Listed(name, place, body string) Operation {
	return Operation{Name: name, Place: place, sources: []*ast.Source{{Name: place, Input: body}}}
}

// parse returns all documents as one.
func parse(sources []*ast.Source) (*ast.QueryDocument, error) {
	all := &ast.QueryDocument{}
	var faults gqlerror.List
	for _, source := range sources {
		document, err := parser.ParseQuery(source)
		if err != nil {
			faults = append(faults, gqlerror.WrapIfUnwrapped(err))
			continue
		}
		all.Operations = append(all.Operations, document.Operations...)
		all.Fragments = append(all.Fragments, document.Fragments...)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return all, nil
}

// document returns a new document with the operation and the fragments that it uses. Validation changes a document, so
// that each schema needs one of its own.
func (o Operation) document() (*ast.QueryDocument, error) {
	all, err := parse(o.sources)
	if err != nil {
		return nil, err
	}
	if o.index >= len(all.Operations) {
		return nil, gqlerror.List{gqlerror.Errorf("there is no operation")}
	}
	operation := all.Operations[o.index]
	return &ast.QueryDocument{
		Operations: ast.OperationList{operation},
		Fragments:  fragments.Used(operation.SelectionSet, all.Fragments),
	}, nil
}
