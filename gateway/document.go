package gateway

import (
	"context"
	"errors"
	"net/http"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// The cache of documents is limited in number and, because it contains no large ones, in bytes.
const (
	cachedDocuments   = 256
	cachedSourceBytes = 16 << 10
)

// documents parses and validates GraphQL documents, and has a cache of the valid ones.
type documents struct {
	schema        *ast.Schema
	limits        Limits
	introspection bool
	plain         *rules.Rules // without suggestions
	suggesting    *rules.Rules // nil for no suggestions
	valid         *lru.Cache[string, *ast.QueryDocument]
}

func newDocuments(config Config) *documents {
	valid, err := lru.New[string, *ast.QueryDocument](cachedDocuments)
	if err != nil {
		panic(err) // the size above is not positive
	}
	d := &documents{
		schema:        config.Schema.Schema(),
		limits:        config.Limits,
		introspection: !config.DisableIntrospection,
		plain:         plainRules(),
		valid:         valid,
	}
	if !config.DisableSuggestions {
		d.suggesting = rules.NewDefaultRules()
	}
	return d
}

// plainRules returns the rules of the GraphQL specification, section 5. Their errors do not suggest names of the schema
// that resemble a misspelled one.
func plainRules() *rules.Rules {
	plain := rules.NewDefaultRules()
	for _, replaced := range []struct{ suggesting, by core.Rule }{
		{rules.FieldsOnCorrectTypeRule, rules.FieldsOnCorrectTypeRuleWithoutSuggestions},
		{rules.KnownArgumentNamesRule, rules.KnownArgumentNamesRuleWithoutSuggestions},
		{rules.KnownTypeNamesRule, rules.KnownTypeNamesRuleWithoutSuggestions},
		{rules.ScalarLeafsRule, rules.ScalarLeafsRuleWithoutSuggestions},
		{rules.ValuesOfCorrectTypeRule, rules.ValuesOfCorrectTypeRuleWithoutSuggestions},
	} {
		plain.RemoveRule(replaced.suggesting.Name)
		plain.AddRule(replaced.by.Name, replaced.by.RuleFunc)
	}
	return plain
}

// load returns the valid document of a source text. Documents are shared between operations and are never changed.
func (d *documents) load(source string) (*ast.QueryDocument, *requestError) {
	if doc, known := d.valid.Get(source); known {
		return doc, nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: source}, d.limits.MaxTokens)
	if err != nil {
		return nil, d.syntaxError(err)
	}
	if len(doc.Operations)+len(doc.Fragments) == 0 {
		return nil, requestErrorf(http.StatusBadRequest, codeParseFailed, "The document is empty.")
	}
	if len(doc.Operations) == 0 {
		return nil, requestErrorf(http.StatusUnprocessableEntity, codeOperation, "The document has no operation.")
	}
	if err := checkLimits(doc, d.limits, d.introspection); err != nil {
		return nil, err
	}
	if errs := d.validate(source, doc); len(errs) > 0 {
		return nil, requestErrorOf(http.StatusUnprocessableEntity, codeValidationFailed, errs)
	}
	if len(source) <= cachedSourceBytes {
		d.valid.Add(source, doc)
	}
	return doc, nil
}

// suggestedSourceBytes is the size of the largest document that gets suggestions: the search for them takes time
// quadratic in the length of names.
const suggestedSourceBytes = 4 << 10

func (d *documents) validate(source string, doc *ast.QueryDocument) gqlerror.List {
	errs := validator.ValidateWithRules(d.schema, doc, d.plain)
	if len(errs) > 0 && d.suggesting != nil && len(source) <= suggestedSourceBytes {
		return validator.ValidateWithRules(d.schema, doc, d.suggesting)
	}
	return errs
}

func (d *documents) syntaxError(err error) *requestError {
	gqlErr, isGraphQL := errors.AsType[*gqlerror.Error](err)
	if !isGraphQL {
		gqlErr = gqlerror.Wrap(err)
	}
	if strings.Contains(gqlErr.Message, "token limit") { // the parser's error has no type of its own
		return requestErrorf(http.StatusBadRequest, codeParseFailed,
			"The document has more than %d tokens. Split it into smaller operations.", d.limits.MaxTokens)
	}
	return requestErrorOf(http.StatusBadRequest, codeParseFailed, gqlerror.List{gqlErr})
}

// selectOperation is GetOperation() of the GraphQL specification, section 6.1.
func selectOperation(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, *requestError) {
	operation := doc.Operations.ForName(name)
	switch {
	case operation == nil && name == "":
		return nil, requestErrorf(http.StatusUnprocessableEntity, codeOperation,
			`The document has several operations. Name the one to execute in "operationName".`)
	case operation == nil:
		return nil, requestErrorf(http.StatusUnprocessableEntity, codeOperation,
			`The document has no operation of the name that "operationName" gives.`)
	case operation.Operation == ast.Subscription:
		return nil, requestErrorf(http.StatusUnprocessableEntity, codeOperation, "Subscriptions are not served here.")
	}
	return operation, nil
}

type documentKey struct{}

// withDocument adds a valid document to the context, where the executor finds it by parsedDocument.
func withDocument(ctx context.Context, doc *ast.QueryDocument) context.Context {
	return context.WithValue(ctx, documentKey{}, doc)
}

// parsedDocument is a [graphql.Cache] that returns the document in the context, so that the executor neither parses nor
// validates it again.
type parsedDocument struct{}

func (parsedDocument) Get(ctx context.Context, _ string) (*ast.QueryDocument, bool) {
	doc, ok := ctx.Value(documentKey{}).(*ast.QueryDocument)
	return doc, ok
}

func (parsedDocument) Add(context.Context, string, *ast.QueryDocument) {}
