package contract

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/internal/jsonerror"
)

// The result of an introspection query, as far as a schema document has it.
//
// https://spec.graphql.org/September2025/#sec-Schema-Introspection
type (
	introspected struct {
		Schema *struct {
			QueryType, MutationType, SubscriptionType *described
			Types                                     []introspectedType
			Directives                                []introspectedDirective
		} `json:"__schema"`
	}
	described struct {
		Name              string
		Description       string
		IsDeprecated      bool
		DeprecationReason string
	}
	typeRef struct {
		Kind   string
		Name   string
		OfType *typeRef
	}
	introspectedInput struct {
		described
		Type         typeRef
		DefaultValue *string
	}
	introspectedField struct {
		described
		Args []introspectedInput
		Type typeRef
	}
	introspectedType struct {
		described
		Kind           string
		Fields         []introspectedField
		InputFields    []introspectedInput
		Interfaces     []described
		EnumValues     []described
		PossibleTypes  []described
		IsOneOf        bool
		SpecifiedByURL string
	}
	introspectedDirective struct {
		described
		Locations    []string
		IsRepeatable bool
		Args         []introspectedInput
	}
)

// typeKinds are those of the types of a schema.
var typeKinds = []ast.DefinitionKind{ast.Scalar, ast.Object, ast.Interface, ast.Union, ast.Enum, ast.InputObject}

// Document returns the schema document of the result of an introspection query: the JSON of a response, or of its data.
// What the query has not selected is missing. Types and directives of GraphQL itself are not.
func Document(response []byte) (*ast.SchemaDocument, error) {
	var result struct {
		introspected
		Data introspected
	}
	if err := json.Unmarshal(response, &result); err != nil {
		return nil, jsonerror.Describe(err)
	}
	schema := result.Schema
	if schema == nil {
		schema = result.Data.Schema
	}
	if schema == nil || schema.QueryType == nil || len(schema.Types) == 0 {
		return nil, errors.New("it has no __schema with types: it is not the result of an introspection query")
	}
	var b bytes.Buffer
	if err := introspectionTemplate.Execute(&b, schema); err != nil {
		if wrong := unreadable(""); errors.As(err, &wrong) {
			return nil, wrong
		}
		return nil, err
	}
	return parser.ParseSchema(&ast.Source{Input: b.String()})
}

//go:embed introspection.gotpl
var introspectionText string

// introspectionTemplate writes the result as SDL.
var introspectionTemplate = template.Must(template.New("introspection").Funcs(template.FuncMap{
	"text": quotedText, "keyword": keyword, "typeOf": typeName, "value": defaultText,
}).Parse(introspectionText))

// unreadable is what is wrong with a type or a default value.
type unreadable string

func (u unreadable) Error() string { return string(u) }

func unreadablef(format string, args ...any) error { return unreadable(fmt.Sprintf(format, args...)) }

// quotedText returns a text as a String of GraphQL, which has the escapes of JSON.
func quotedText(text string) (string, error) {
	quoted, err := json.Marshal(text)
	return string(quoted), err
}

// keyword returns the word that the definition of a type begins with.
func keyword(kind, name string) (string, error) {
	if !slices.Contains(typeKinds, ast.DefinitionKind(kind)) || name == "" {
		return "", unreadablef("it has a type %q of the kind %q", name, kind)
	}
	return sdl.Keyword(ast.DefinitionKind(kind)), nil
}

// defaultText returns a default value, which introspection returns as GraphQL text.
func defaultText(of string, text *string) (string, error) {
	document, err := parser.ParseQuery(&ast.Source{Input: "{ f(v: " + *text + ") }"})
	if err == nil && len(document.Operations) == 1 && len(document.Operations[0].SelectionSet) == 1 {
		f, is := document.Operations[0].SelectionSet[0].(*ast.Field)
		if is && len(f.Arguments) == 1 && len(f.Directives) == 0 {
			return *text, nil
		}
	}
	return "", unreadablef("the default value %s of %s is not GraphQL", *text, of)
}

// typeName returns the type of a field or an argument, which must be complete: a query that selects ofType too few
// times leaves the innermost ones out.
func typeName(of string, r typeRef) (string, error) {
	isWrapper := r.Kind == "NON_NULL" || r.Kind == "LIST"
	if !isWrapper && r.Name != "" {
		return r.Name, nil
	}
	if !isWrapper || r.OfType == nil || r.Kind == "NON_NULL" && r.OfType.Kind == "NON_NULL" {
		return "", unreadablef("the type of %s is not complete: select ofType more often", of)
	}
	inner, err := typeName(of, *r.OfType)
	if r.Kind == "LIST" {
		return "[" + inner + "]", err
	}
	return inner + "!", err
}
