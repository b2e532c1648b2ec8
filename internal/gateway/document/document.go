package document

import (
	"errors"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// documents parses and validates GraphQL documents, and has a cache of the valid ones with their plans.
type documents struct {
	schema        *ast.Schema
	compile       func(*ast.QueryDocument) *plan.Document
	limits        Limits
	introspection bool
	plain         *rules.Rules // without suggestions
	suggesting    *rules.Rules // nil for no suggestions
	valid         *documentCache
}

func newDocuments(
	schema *ast.Schema, compile func(*ast.QueryDocument) *plan.Document, settings Settings, limits Limits,
) *documents {
	d := &documents{
		schema:        schema,
		compile:       compile,
		limits:        limits,
		introspection: !settings.DisableIntrospection,
		plain:         plainRules(),
		valid:         newDocumentCache(limits.MaxPlanBytes),
	}
	if !settings.DisableSuggestions {
		d.suggesting = withNumbers(rules.NewDefaultRules())
	}
	return d
}

// plainRules returns the rules of the GraphQL specification, section 5. Their errors do not suggest names of the schema
// that resemble a misspelled one.
func plainRules() *rules.Rules {
	plain := withNumbers(rules.NewDefaultRules())
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

func withNumbers(r *rules.Rules) *rules.Rules {
	r.AddRule(numbersRule.Name, numbersRule.RuleFunc)
	return r
}

// load returns the valid document of a source text. Documents are shared between operations and are never changed.
func (d *documents) load(source string) (*Document, *response.Error) {
	if known := d.valid.get(source); known != nil {
		return known, nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: source}, d.limits.MaxTokens)
	if err != nil {
		return nil, d.syntaxError(err)
	}
	if len(doc.Operations)+len(doc.Fragments) == 0 {
		return nil, response.Errorf(http.StatusBadRequest, response.CodeParseFailed, "The document is empty.")
	}
	if len(doc.Operations) == 0 {
		return nil, response.Errorf(http.StatusUnprocessableEntity, response.CodeOperation, "The document has no operation.")
	}
	if err := checkLimits(doc, d.limits, d.introspection); err != nil {
		return nil, err
	}
	if errs := d.validate(source, doc); len(errs) > 0 {
		return nil, response.ErrorOf(http.StatusUnprocessableEntity, response.CodeValidationFailed, errs)
	}
	valid := &Document{Source: source, AST: doc, Plans: d.compile(doc)}
	d.valid.keep(valid)
	return valid, nil
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

func (d *documents) syntaxError(err error) *response.Error {
	gqlErr, isGraphQL := errors.AsType[*gqlerror.Error](err)
	if !isGraphQL {
		gqlErr = gqlerror.Wrap(err)
	}
	if strings.Contains(gqlErr.Message, "token limit") { // the parser's error has no type of its own
		return response.Errorf(http.StatusBadRequest, response.CodeParseFailed,
			"The document has more than %d tokens. Split it into smaller operations.", d.limits.MaxTokens)
	}
	return response.ErrorOf(http.StatusBadRequest, response.CodeParseFailed, gqlerror.List{gqlErr})
}

// Select is GetOperation() of the GraphQL specification, section 6.1.
func Select(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, *response.Error) {
	operation := doc.Operations.ForName(name)
	switch {
	case operation == nil && name == "":
		return nil, response.Errorf(http.StatusUnprocessableEntity, response.CodeOperation,
			`The document has several operations. Name the one to execute in "operationName".`)
	case operation == nil:
		return nil, response.Errorf(http.StatusUnprocessableEntity, response.CodeOperation,
			`The document has no operation of the name that "operationName" gives.`)
	}
	return operation, nil
}
