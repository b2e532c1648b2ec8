package directives

import "github.com/vektah/gqlparser/v2/ast"

// The names of what payloads have besides objects.
const (
	userErrorsField   = "userErrors"
	userErrorType     = "UserError"
	userErrorCodeType = "UserErrorCode"
)

// userErrorFields are those of UserError.
var userErrorFields = [...]struct {
	name, typ, description string
	nonNull                bool
}{
	{
		"field", "String",
		"Where in the input, such as `email` or `lines.2.quantity`; null when it is no single field.", false,
	},
	{"message", "String", "A sentence for the person.", true},
	{"code", userErrorCodeType, "What is wrong, for programs.", true},
}

// userErrorCodes are the codes that mutations without hand-written Go return. A schema may have more.
var userErrorCodes = [...]struct{ name, description string }{
	{"INVALID", "The value breaks a rule; the message says which."},
	{"NOT_FOUND", "There is no such object."},
	{"TAKEN", "The value must be unique and belongs to another object."},
	{"CONFLICT", "The object has changed since the `version` that was given: the payload has it as it is now."},
	{"ALREADY", "It is so already."},
	{"KEY_REUSED", "The idempotency key was used for another input."},
}

// userErrorsType returns the type of a payload's userErrors.
func userErrorsType(at *ast.Position) *ast.Type {
	return ast.NonNullListType(ast.NonNullNamedType(userErrorType, at), at)
}
