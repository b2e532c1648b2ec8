package sdl

import (
	_ "embed"

	"github.com/vektah/gqlparser/v2/ast"
)

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
