package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/table/check"
)

// detailed is an error with lines of its own about each fault.
type detailed interface {
	error
	details() string
}

// report writes the error of a command in one line, below its details if it has some, and returns the exit code.
func (a *Application) report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	if found, is := errors.AsType[detailed](err); is {
		_, _ = fmt.Fprintln(w, found.details())
	}
	message := strings.ReplaceAll(err.Error(), "\n", "; ")
	code := ExitCode(err)
	if code == exit.Interrupted {
		message = "interrupted"
		if stopped, is := errors.AsType[*stoppedError](err); is {
			message = stopped.Error()
		}
	}
	_, _ = fmt.Fprintln(w, cmp.Or(a.Name, defaultName)+": "+message)
	return code
}

// ExitCode returns the exit code of a command that returned the error.
func ExitCode(err error) int {
	var start *exit.Error
	var usage *usageError
	var line *admin.LineError
	var operation *operationError
	var path *fs.PathError
	var checkpoint *check.CheckpointError
	var violations *violationsError
	var breach *breachError
	var found detailed
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return exit.Usage
	case errors.As(err, &start):
		return start.Code
	case errors.As(err, &line), errors.As(err, &checkpoint), errors.As(err, &operation), errors.As(err, &found):
		return exit.DataError
	case errors.Is(err, context.Canceled):
		return exit.Interrupted
	case errors.As(err, &path):
		return exit.NoInput
	case errors.As(err, &violations), errors.As(err, &breach):
		return exitViolations
	}
	return 1
}
