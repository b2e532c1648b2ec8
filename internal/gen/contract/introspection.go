package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

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
	roots := &ast.SchemaDefinition{}
	for _, root := range []struct {
		operation ast.Operation
		is        *described
	}{
		{ast.Mutation, schema.MutationType}, {ast.Query, schema.QueryType}, {ast.Subscription, schema.SubscriptionType},
	} {
		if root.is != nil {
			roots.OperationTypes = append(roots.OperationTypes,
				&ast.OperationTypeDefinition{Operation: root.operation, Type: root.is.Name})
		}
	}
	document := &ast.SchemaDocument{Schema: ast.SchemaDefinitionList{roots}}
	c := &converter{}
	for _, d := range schema.Directives {
		document.Directives = append(document.Directives, c.directive(d))
	}
	for _, t := range schema.Types {
		document.Definitions = append(document.Definitions, c.definition(t))
	}
	return document, c.err
}

// converter has the first error in a type or a default value.
type converter struct{ err error }

func (c *converter) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *converter) definition(t introspectedType) *ast.Definition {
	if !slices.Contains(typeKinds, ast.DefinitionKind(t.Kind)) || t.Name == "" {
		c.fail("it has a type %q of the kind %q", t.Name, t.Kind)
	}
	def := &ast.Definition{Kind: ast.DefinitionKind(t.Kind), Name: t.Name, Description: t.Description}
	if t.IsOneOf {
		def.Directives = append(def.Directives, &ast.Directive{Name: "oneOf"})
	}
	if t.SpecifiedByURL != "" {
		def.Directives = append(def.Directives, directive("specifiedBy", "url", t.SpecifiedByURL))
	}
	for _, i := range t.Interfaces {
		def.Interfaces = append(def.Interfaces, i.Name)
	}
	if def.Kind == ast.Union {
		for _, p := range t.PossibleTypes {
			def.Types = append(def.Types, p.Name)
		}
	}
	for _, f := range t.Fields {
		def.Fields = append(def.Fields, &ast.FieldDefinition{
			Name: f.Name, Description: f.Description, Type: c.typeOf(f.Name, f.Type), Arguments: c.arguments(f.Args),
			Directives: f.deprecation(),
		})
	}
	for _, a := range c.arguments(t.InputFields) {
		def.Fields = append(def.Fields, &ast.FieldDefinition{
			Name: a.Name, Description: a.Description, Type: a.Type, DefaultValue: a.DefaultValue, Directives: a.Directives,
		})
	}
	for _, v := range t.EnumValues {
		def.EnumValues = append(def.EnumValues,
			&ast.EnumValueDefinition{Name: v.Name, Description: v.Description, Directives: v.deprecation()})
	}
	return def
}

func (c *converter) directive(d introspectedDirective) *ast.DirectiveDefinition {
	def := &ast.DirectiveDefinition{
		Name: d.Name, Description: d.Description, IsRepeatable: d.IsRepeatable, Arguments: c.arguments(d.Args),
		Position: &ast.Position{Src: &ast.Source{}},
	}
	for _, l := range d.Locations {
		def.Locations = append(def.Locations, ast.DirectiveLocation(l))
	}
	return def
}

func (c *converter) arguments(inputs []introspectedInput) ast.ArgumentDefinitionList {
	var list ast.ArgumentDefinitionList
	for _, i := range inputs {
		a := &ast.ArgumentDefinition{
			Name: i.Name, Description: i.Description, Type: c.typeOf(i.Name, i.Type), Directives: i.deprecation(),
		}
		if i.DefaultValue != nil {
			a.DefaultValue = c.value(i.Name, *i.DefaultValue)
		}
		list = append(list, a)
	}
	return list
}

// value reads a default value, which introspection returns as GraphQL text.
func (c *converter) value(of, text string) *ast.Value {
	document, err := parser.ParseQuery(&ast.Source{Input: "{ f(v: " + text + ") }"})
	if err == nil {
		if f, is := document.Operations[0].SelectionSet[0].(*ast.Field); is && len(f.Arguments) == 1 {
			return f.Arguments[0].Value
		}
	}
	c.fail("the default value %s of %s is not GraphQL", text, of)
	return nil
}

func (d described) deprecation() ast.DirectiveList {
	if !d.IsDeprecated {
		return nil
	}
	return ast.DirectiveList{directive(deprecatedName, "reason", d.DeprecationReason)}
}

// directive returns a directive with a text argument.
func directive(name, argument, text string) *ast.Directive {
	value := &ast.Value{Kind: ast.StringValue, Raw: text}
	return &ast.Directive{Name: name, Arguments: ast.ArgumentList{{Name: argument, Value: value}}}
}

// typeOf returns the type of a field or an argument, which must be complete: a query that selects ofType too few times
// leaves the innermost ones out.
func (c *converter) typeOf(of string, r typeRef) *ast.Type {
	isWrapper := r.Kind == "NON_NULL" || r.Kind == "LIST"
	switch {
	case isWrapper && r.OfType == nil || !isWrapper && r.Name == "",
		r.Kind == "NON_NULL" && r.OfType.Kind == "NON_NULL":
		c.fail("the type of %s is not complete: select ofType more often", of)
		return ast.NamedType("Boolean", nil)
	case r.Kind == "NON_NULL":
		inner := c.typeOf(of, *r.OfType)
		inner.NonNull = true
		return inner
	case r.Kind == "LIST":
		return ast.ListType(c.typeOf(of, *r.OfType), nil)
	}
	return ast.NamedType(r.Name, nil)
}
