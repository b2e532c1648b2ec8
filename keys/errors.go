package keys

import "fmt"

// InputError says what a caller has to change in an argument. Its text is for
// the caller and never repeats the value it was given.
type InputError struct {
	// Argument is the GraphQL argument at fault, or "" when there are several.
	Argument string
	Message  string
}

func (e *InputError) Error() string { return e.Message }

// Code is the error's extensions.code in a GraphQL response.
func (e *InputError) Code() string { return "BAD_USER_INPUT" }

func inputErrorf(argument, format string, args ...any) *InputError {
	return &InputError{Argument: argument, Message: fmt.Sprintf(format, args...)}
}
