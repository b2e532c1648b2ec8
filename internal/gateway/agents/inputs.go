package agents

import (
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/vektah/gqlparser/v2/ast"
)

// inputs describes the variables of an operation as JSON Schema. What it accepts is a part of what the coercion of
// variables accepts afterwards, which has the last word.
type inputs struct {
	schema   *ast.Schema
	document *ast.QueryDocument
	// uses are the descriptions of what variables are given as.
	uses map[string]string
	// definitions are the input types that are used, by their names.
	definitions map[string]*jsonschema.Schema
}

func newInputs(schema *ast.Schema, document *ast.QueryDocument) *inputs {
	in := &inputs{schema, document, map[string]string{}, map[string]*jsonschema.Schema{}}
	for _, o := range document.Operations {
		in.find(o.SelectionSet)
	}
	for _, f := range document.Fragments {
		in.find(f.SelectionSet)
	}
	return in
}

// find adds the descriptions of the arguments that are variables.
func (in *inputs) find(set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			for _, a := range s.Arguments {
				if s.Definition == nil {
					break
				}
				if declared := s.Definition.Arguments.ForName(a.Name); declared != nil {
					in.use(a.Value, declared.Description)
				}
			}
			in.find(s.SelectionSet)
		case *ast.InlineFragment:
			in.find(s.SelectionSet)
		}
	}
}

// use adds the description of what a value is given as, to the variables in it.
func (in *inputs) use(v *ast.Value, description string) {
	if v.Kind == ast.Variable {
		if in.uses[v.Raw] == "" {
			in.uses[v.Raw] = description
		}
		return
	}
	for _, child := range v.Children {
		if v.Kind == ast.ObjectValue && v.Definition != nil {
			if f := v.Definition.Fields.ForName(child.Name); f != nil {
				description = f.Description
			}
		}
		in.use(child.Value, description)
	}
}

// ofVariables returns the schema of an object with the variables of the operation.
func (in *inputs) ofVariables() *jsonschema.Schema {
	object := closedObject()
	for _, v := range in.document.Operations[0].VariableDefinitions {
		s := in.of(v.Type)
		description := textOf(v.Comment)
		if description == "" {
			description = in.uses[v.Variable]
		}
		in.add(object, v.Variable, s, description, v.DefaultValue, v.Type)
	}
	if len(in.definitions) > 0 {
		object.Defs = in.definitions
	}
	return object
}

// add adds a property to an object.
func (in *inputs) add(
	object *jsonschema.Schema, name string, s *jsonschema.Schema, description string, standard *ast.Value, t *ast.Type,
) {
	if description != "" {
		if s.Description != "" {
			description = sentence(description) + " " + s.Description
		}
		s.Description = description
	}
	if standard != nil {
		if value, err := standard.Value(nil); err == nil {
			if text, err := json.Marshal(value); err == nil {
				s.Default = text
			}
		}
	}
	if t.NonNull && standard == nil {
		object.Required = append(object.Required, name)
	}
	object.Properties[name] = s
	object.PropertyOrder = append(object.PropertyOrder, name)
}

func closedObject() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

// of returns the schema of a type's values.
func (in *inputs) of(t *ast.Type) *jsonschema.Schema {
	if t.Elem != nil {
		return orNull(&jsonschema.Schema{Type: "array", Items: in.of(t.Elem)}, t)
	}
	definition := in.schema.Types[t.NamedType]
	switch {
	case definition == nil:
		return &jsonschema.Schema{}
	case definition.Kind == ast.InputObject:
		in.define(definition)
		return orNull(&jsonschema.Schema{Ref: "#/$defs/" + definition.Name}, t)
	case definition.Kind == ast.Enum:
		return orNull(enumOf(definition), t)
	}
	return orNull(scalarOf(definition), t)
}

// orNull lets null be a value of a type that is nullable.
func orNull(s *jsonschema.Schema, t *ast.Type) *jsonschema.Schema {
	switch {
	case t.NonNull:
	case s.Ref != "":
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
	case s.Type != "":
		s.Types, s.Type = []string{s.Type, "null"}, ""
		if s.Enum != nil {
			s.Enum = append(s.Enum, nil)
		}
	}
	return s
}

// define adds an input type to the definitions.
func (in *inputs) define(definition *ast.Definition) {
	if in.definitions[definition.Name] != nil {
		return
	}
	object := closedObject()
	object.Description = definition.Description
	in.definitions[definition.Name] = object // before its fields, which may be of the type itself
	for _, f := range definition.Fields {
		in.add(object, f.Name, in.of(f.Type), f.Description, f.DefaultValue, f.Type)
	}
	if definition.Directives.ForName("oneOf") != nil {
		one := 1
		object.MinProperties, object.MaxProperties = &one, &one
	}
}

func enumOf(definition *ast.Definition) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	var described []string
	for _, v := range definition.EnumValues {
		s.Enum = append(s.Enum, v.Name)
		if v.Description != "" {
			described = append(described, v.Name+": "+sentence(v.Description))
		}
	}
	s.Description = strings.Join(described, " ")
	return s
}

// scalarOf returns the schema of a scalar. One of the application's own may have any value.
func scalarOf(definition *ast.Definition) *jsonschema.Schema {
	switch definition.Name {
	case "Int":
		return &jsonschema.Schema{Type: "integer"}
	case "Float":
		return &jsonschema.Schema{Type: "number"}
	case "Boolean":
		return &jsonschema.Schema{Type: "boolean"}
	case "String", "ID":
		return &jsonschema.Schema{Type: "string"}
	case "Time":
		return &jsonschema.Schema{Type: "string", Format: "date-time", Description: definition.Description}
	case "Date":
		return &jsonschema.Schema{Type: "string", Format: "date", Description: definition.Description}
	case "Int64":
		return &jsonschema.Schema{Type: "string", Pattern: `^-?[0-9]+$`, Description: definition.Description}
	}
	return &jsonschema.Schema{Description: definition.Description}
}
