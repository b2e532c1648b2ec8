// Package sdl has the definitions that are built in, and reads and writes parts of a schema as text.
package sdl

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/keys/design"
)

//go:embed directives.graphqls
var directivesText string

//go:embed builtins.graphqls
var builtInsText string

// Names returns the names of the directives that are built in.
func Names() []string {
	var names []string
	for _, d := range Directives().Directives {
		names = append(names, d.Name)
	}
	return names
}

// TypeNames returns the names of the types that are built in, those of the arguments of directives included.
func TypeNames() []string {
	names := []string{"Mutation", "Subscription", design.LiveChange}
	for _, d := range slices.Concat(Directives().Definitions, Types().Definitions) {
		names = append(names, d.Name)
	}
	return names
}

// Directives returns a copy of the directives, with the enums and inputs of their arguments.
func Directives() *ast.SchemaDocument { return mustParse("directives.graphqls", directivesText) }

// Types returns a copy of the types that are built in: Query and what its fields need, scalars and ranges.
func Types() *ast.SchemaDocument { return mustParse("builtins.graphqls", builtInsText) }

func mustParse(name, text string) *ast.SchemaDocument {
	document, err := parser.ParseSchema(&ast.Source{Name: name, Input: text})
	if err != nil {
		panic(fmt.Sprintf("directives: bug: %v", err))
	}
	return document
}

//go:embed user_errors.graphqls
var userErrorsText string

// The names of what payloads have besides objects.
const (
	UserErrorsField   = "userErrors"
	UserErrorsType    = "[UserError!]!"
	UserErrorType     = "UserError"
	UserErrorCodeType = "UserErrorCode"
)

// UserErrors returns a copy of UserError and of the codes that mutations without hand-written Go return. A schema may
// have more codes.
func UserErrors() *ast.SchemaDocument { return mustParse("user_errors.graphqls", userErrorsText) }

// Texts returns the declarations of the directives, and then those of the types that are built in, with descriptions.
func Texts() string { return directivesText + "\n" + builtInsText }
