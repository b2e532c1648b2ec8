// Package jsonerror describes what is wrong with a JSON text.
package jsonerror

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Describe returns what is wrong with a JSON text in words for the person who wrote it, from an error of
// encoding/json; another error is returned as it is.
func Describe(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return errors.New("the JSON ends early")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%q is of another type: %s", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("it is not an object but of the type %s", kind.Value)
	}
	return err
}
