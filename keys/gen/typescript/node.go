package typescript

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/fragments"
)

// node is a node of a parsed document, as GraphQL.js has it without locations; an empty list that is optional there is
// left out. https://github.com/graphql/graphql-js/blob/16.x.x/src/language/ast.ts
type node struct {
	Kind                string  `json:"kind"`
	Operation           string  `json:"operation,omitzero"`
	Alias               *node   `json:"alias,omitzero"`
	Name                *node   `json:"name,omitzero"`
	VariableDefinitions []*node `json:"variableDefinitions,omitempty"`
	Variable            *node   `json:"variable,omitzero"`
	TypeCondition       *node   `json:"typeCondition,omitzero"`
	Type                *node   `json:"type,omitzero"`
	DefaultValue        *node   `json:"defaultValue,omitzero"`
	Arguments           []*node `json:"arguments,omitempty"`
	Directives          []*node `json:"directives,omitempty"`
	SelectionSet        *node   `json:"selectionSet,omitzero"`
	Selections          []*node `json:"selections,omitempty"`
	// Value is a text, a Boolean or a node.
	Value  any     `json:"value,omitzero"`
	Block  *bool   `json:"block,omitzero"`
	Values []*node `json:"values,omitzero"`
	Fields []*node `json:"fields,omitzero"`
}

// String returns the node as JSON.
func (n *node) String() string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(n); err != nil {
		panic(fmt.Sprintf("typescript: bug: a document is not JSON: %v", err))
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func operation(o *ast.OperationDefinition) string {
	n := &node{
		Kind: "OperationDefinition", Operation: string(o.Operation), Name: name(o.Name),
		Directives: directives(o.Directives), SelectionSet: selectionSet(o.SelectionSet),
	}
	for _, v := range o.VariableDefinitions {
		d := &node{
			Kind: "VariableDefinition", Variable: variable(v.Variable), Type: typeNode(v.Type),
			Directives: directives(v.Directives),
		}
		if v.DefaultValue != nil {
			d.DefaultValue = value(v.DefaultValue)
		}
		n.VariableDefinitions = append(n.VariableDefinitions, d)
	}
	return n.String()
}

func fragmentDefinition(f *ast.FragmentDefinition) string {
	n := &node{
		Kind: "FragmentDefinition", Name: name(f.Name), TypeCondition: namedType(f.TypeCondition),
		Directives: directives(f.Directives), SelectionSet: selectionSet(f.SelectionSet),
	}
	return n.String()
}

// definitions returns the names of the constants of the fragments of a document that a selection uses, directly or not,
// by first use.
func definitions(selection ast.SelectionSet, document *ast.QueryDocument) []string {
	var constants []string
	for _, f := range fragments.Used(selection, document.Fragments) {
		constants = append(constants, fragmentNames(f).definition)
	}
	return constants
}

func selectionSet(selection ast.SelectionSet) *node {
	if len(selection) == 0 {
		return nil
	}
	set := &node{Kind: "SelectionSet"}
	for _, s := range selection {
		set.Selections = append(set.Selections, selected(s))
	}
	return set
}

func selected(s ast.Selection) *node {
	switch s := s.(type) {
	case *ast.Field:
		n := &node{
			Kind: "Field", Name: name(s.Name), Arguments: arguments(s.Arguments),
			Directives: directives(s.Directives), SelectionSet: selectionSet(s.SelectionSet),
		}
		if s.Alias != s.Name {
			n.Alias = name(s.Alias)
		}
		return n
	case *ast.InlineFragment:
		n := &node{
			Kind: "InlineFragment", Directives: directives(s.Directives), SelectionSet: selectionSet(s.SelectionSet),
		}
		if s.TypeCondition != "" {
			n.TypeCondition = namedType(s.TypeCondition)
		}
		return n
	case *ast.FragmentSpread:
		return &node{Kind: "FragmentSpread", Name: name(s.Name), Directives: directives(s.Directives)}
	default:
		panic(fmt.Sprintf("typescript: bug: a selection is a %T", s))
	}
}

func name(text string) *node      { return &node{Kind: "Name", Value: text} }
func namedType(text string) *node { return &node{Kind: "NamedType", Name: name(text)} }
func variable(text string) *node  { return &node{Kind: "Variable", Name: name(text)} }

func typeNode(t *ast.Type) *node {
	n := namedType(t.NamedType)
	if t.Elem != nil {
		n = &node{Kind: "ListType", Type: typeNode(t.Elem)}
	}
	if t.NonNull {
		return &node{Kind: "NonNullType", Type: n}
	}
	return n
}

func directives(list ast.DirectiveList) []*node {
	var nodes []*node
	for _, d := range list {
		nodes = append(nodes, &node{Kind: "Directive", Name: name(d.Name), Arguments: arguments(d.Arguments)})
	}
	return nodes
}

func arguments(list ast.ArgumentList) []*node {
	var nodes []*node
	for _, a := range list {
		nodes = append(nodes, &node{Kind: "Argument", Name: name(a.Name), Value: value(a.Value)})
	}
	return nodes
}

func value(v *ast.Value) *node {
	switch v.Kind {
	case ast.Variable:
		return variable(v.Raw)
	case ast.IntValue:
		return &node{Kind: "IntValue", Value: v.Raw}
	case ast.FloatValue:
		return &node{Kind: "FloatValue", Value: v.Raw}
	case ast.StringValue, ast.BlockValue:
		block := v.Kind == ast.BlockValue
		return &node{Kind: "StringValue", Value: v.Raw, Block: &block}
	case ast.BooleanValue:
		return &node{Kind: "BooleanValue", Value: v.Raw == "true"}
	case ast.NullValue:
		return &node{Kind: "NullValue"}
	case ast.EnumValue:
		return &node{Kind: "EnumValue", Value: v.Raw}
	case ast.ListValue:
		n := &node{Kind: "ListValue", Values: []*node{}}
		for _, child := range v.Children {
			n.Values = append(n.Values, value(child.Value))
		}
		return n
	case ast.ObjectValue:
		n := &node{Kind: "ObjectValue", Fields: []*node{}}
		for _, child := range v.Children {
			n.Fields = append(n.Fields, &node{Kind: "ObjectField", Name: name(child.Name), Value: value(child.Value)})
		}
		return n
	default:
		panic(fmt.Sprintf("typescript: bug: a value has the kind %d", v.Kind))
	}
}
