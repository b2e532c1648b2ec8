package design_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/keys"
)

func wantInputError(t testing.TB, err error, argument, message string) {
	t.Helper()
	var in *keys.InputError
	if !errors.As(err, &in) {
		t.Errorf("the error is %v, want an InputError: %s", err, message)
		return
	}
	if in.Argument != argument || in.Message != message || in.Error() != message || in.Code() != "BAD_USER_INPUT" {
		t.Errorf("the error is of %q: %s (%s)\nwant of %q: %s", in.Argument, in.Message, in.Code(), argument, message)
	}
}
