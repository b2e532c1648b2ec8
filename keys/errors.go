package keys

import (
	"errors"
	"fmt"
)

// InputError is a mistake in an argument. Its text is for the caller: what to change. It never
// contains the value.
type InputError struct {
	// Argument is the name of the GraphQL argument, or "" if there are several.
	Argument string
	Message  string
}

func (e *InputError) Error() string { return e.Message }

// Code returns the error's extensions.code in a GraphQL response.
func (e *InputError) Code() string { return "BAD_USER_INPUT" }

// InputErrorf returns an InputError with a formatted message.
func InputErrorf(argument, format string, args ...any) *InputError {
	return &InputError{Argument: argument, Message: fmt.Sprintf(format, args...)}
}

// NamedError adds the name of the variable to an error about its value, if the error has none.
func NamedError(variable string, err error) error {
	var in *InputError
	if errors.As(err, &in) && in.Argument == "" {
		return InputErrorf(variable, "%s: %s", variable, in.Message)
	}
	return err
}
