package contract

import (
	"bytes"
	"errors"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/partita/partita/internal/gen/directives"
)

// Load returns the version of schema files that declare a design. The error is directives.Findings.
func Load(sources ...*ast.Source) (Version, error) {
	schema, err := directives.Load(sources...)
	if err != nil {
		return Version{}, err
	}
	v, err := Read(schema)
	for _, s := range sources {
		v.Files = append(v.Files, s.Name)
	}
	return v, err
}

// Read returns the version of a schema with the directives of a design. The error is directives.Findings.
func Read(schema *ast.Schema) (Version, error) {
	design, err := directives.Read(schema)
	if err != nil {
		return Version{}, err
	}
	return Version{API: schema, Source: schema, Design: design.Design}, nil
}

// LoadFile returns the version in one file: a schema in SDL, with or without a design, or the JSON of an introspection
// query. The error is directives.Findings for a design.
func LoadFile(file *ast.Source) (Version, error) {
	var document *ast.SchemaDocument
	var err error
	if text := bytes.TrimSpace([]byte(file.Input)); bytes.HasPrefix(text, []byte("{")) {
		document, err = Document(text)
	} else {
		document, err = parser.ParseSchema(file)
	}
	if err != nil {
		return Version{}, err
	}
	if declaresDesign(document) {
		return Load(file)
	}
	schema, err := validated(document)
	return Version{API: schema, Files: []string{file.Name}}, err
}

// declaresDesign reports whether a schema is one that Load completes, not one as clients see it.
func declaresDesign(document *ast.SchemaDocument) bool {
	isDesign := func(d *ast.Directive) bool {
		return slices.Contains([]string{"item", "get", "query", "mutable", "allow"}, d.Name)
	}
	for _, def := range slices.Concat(document.Definitions, document.Extensions) {
		if slices.ContainsFunc(def.Directives, isDesign) {
			return true
		}
		for _, f := range def.Fields {
			if slices.ContainsFunc(f.Directives, isDesign) {
				return true
			}
		}
	}
	return false
}

// validated returns the schema of a document with everything that it refers to. What it repeats of GraphQL itself is
// left out.
func validated(document *ast.SchemaDocument) (*ast.Schema, error) {
	all, err := parser.ParseSchema(validator.Prelude)
	if err != nil {
		return nil, err
	}
	document.Definitions = slices.DeleteFunc(document.Definitions, func(def *ast.Definition) bool {
		return all.Definitions.ForName(def.Name) != nil
	})
	document.Directives = slices.DeleteFunc(document.Directives, func(d *ast.DirectiveDefinition) bool {
		return all.Directives.ForName(d.Name) != nil
	})
	all.Merge(document)
	schema, err := validator.ValidateSchemaDocument(all)
	if err != nil {
		return nil, err
	}
	if schema.Query == nil || schema.Query.Kind != ast.Object {
		return nil, errors.New("it has no object type Query")
	}
	return schema, nil
}
