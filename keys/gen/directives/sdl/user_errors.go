package sdl

import "github.com/vektah/gqlparser/v2/ast"

// The names of what payloads have besides objects.
const (
	UserErrorsField   = "userErrors"
	UserErrorType     = "UserError"
	UserErrorCodeType = "UserErrorCode"
)

// UserErrorFields are those of UserError.
var UserErrorFields = [...]struct {
	Name, Type, Description string
	NonNull                 bool
}{
	{
		"field", "String",
		"Where in the input, such as `email` or `lines.2.quantity`; null when it is no single field.", false,
	},
	{"message", "String", "A sentence for the person.", true},
	{"code", UserErrorCodeType, "What is wrong, for programs.", true},
}

// UserErrorCodes are the codes that mutations without hand-written Go return. A schema may have more.
var UserErrorCodes = [...]struct{ Name, Description string }{
	{"INVALID", "The value breaks a rule; the message says which."},
	{"NOT_FOUND", "There is no such object."},
	{"TAKEN", "The value must be unique and belongs to another object."},
	{"CONFLICT", "The object has changed since the `version` that was given: the payload has it as it is now."},
	{"ALREADY", "It is so already."},
	{"KEY_REUSED", "The idempotency key was used for another input."},
}

// UserErrorsType returns the type of a payload's userErrors.
func UserErrorsType(at *ast.Position) *ast.Type {
	return ast.NonNullListType(ast.NonNullNamedType(UserErrorType, at), at)
}
