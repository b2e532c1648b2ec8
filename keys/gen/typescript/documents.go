package typescript

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// load returns all operations and fragments as one document, because files use each other's fragments. The error is a
// gqlerror.List.
func load(schema *ast.Schema, sources []*ast.Source) (*ast.QueryDocument, error) {
	all := &ast.QueryDocument{}
	var errs gqlerror.List
	isParsed := true
	for _, source := range sources {
		document, err := parser.ParseQuery(source)
		if err != nil {
			errs, isParsed = append(errs, gqlerror.WrapIfUnwrapped(err)), false
			continue
		}
		all.Fragments = append(all.Fragments, document.Fragments...)
		for _, o := range document.Operations {
			if o.Name == "" {
				errs = append(errs, gqlerror.ErrorPosf(o.Position,
					"The operation needs a name, because its types are named after it: begin with %s Orders, for example.",
					o.Operation))
				continue
			}
			all.Operations = append(all.Operations, o)
		}
	}
	// A document that cannot be parsed may have the fragments that others need.
	if isParsed {
		errs = append(errs, validator.ValidateWithRules(schema, all, documentRules())...)
	}
	if len(errs) == 0 {
		errs = checkNames(all)
	}
	return all, sorted(errs)
}

// sorted returns errors by file, line and column, each once; nil for none.
func sorted(errs gqlerror.List) error {
	if len(errs) == 0 {
		return nil
	}
	slices.SortStableFunc(errs, byPosition)
	return slices.CompactFunc(errs, func(a, b *gqlerror.Error) bool { return byPosition(a, b) == 0 })
}

// documentRules are the rules of GraphQL but one: a fragment that no operation uses is one of the client's cache.
func documentRules() *rules.Rules {
	all := rules.NewDefaultRules()
	all.RemoveRule(rules.NoUnusedFragmentsRule.Name)
	return all
}

func byPosition(a, b *gqlerror.Error) int {
	fileA, _ := a.Extensions["file"].(string)
	fileB, _ := b.Extensions["file"].(string)
	return cmp.Or(
		cmp.Compare(fileA, fileB),
		slices.CompareFunc(a.Locations, b.Locations, func(a, b gqlerror.Location) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		}),
		cmp.Compare(a.Message, b.Message),
	)
}
