package table

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Exit codes of a StartError, from sysexits.h.
const (
	ExitUnavailable  = 69 // the endpoint or the engine does not answer or is missing
	ExitCannotCreate = 73 // the data directory cannot be written
	ExitTryAgain     = 75 // the table is still being created, the data directory in use
	ExitNoPermission = 77 // no credentials, or not sufficient
	ExitConfig       = 78 // settings, or a table that does not fit the schema
)

// StartError says why the program cannot work with the table, in words for the
// person who started it.
type StartError struct {
	// Problem is what is wrong, Fix what to do about it.
	Problem, Fix string
	// Code is the process's exit code, one of the Exit constants.
	Code int
	// Err is the cause, or nil.
	Err error
}

// Error is one line: the problem and the fix. The cause is left to the log.
func (e *StartError) Error() string {
	if e.Fix == "" {
		return e.Problem
	}
	return e.Problem + ": " + e.Fix
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// ExitCode is what the process should exit with.
func (e *StartError) ExitCode() int { return e.Code }

// StartError is the failure of a request in words for the person who started a
// command: a *StartError, or what wraps context.Canceled.
func (t *Table) StartError(err error) error {
	if _, is := errors.AsType[*StartError](err); is {
		return err
	}
	return t.startError(err)
}

// startError turns the failure of a request at start into a StartError, unless
// the caller canceled it.
func (t *Table) startError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if t.engineDeath() != nil {
		return &StartError{
			Problem: fmt.Sprintf("the local engine has ended (%v)", t.engine.waitErr),
			Fix:     "start the gateway again; its log says what the engine wrote",
			Code:    ExitUnavailable, Err: err,
		}
	}
	switch {
	case errors.Is(err, ErrNoTable):
		return &StartError{
			Problem: fmt.Sprintf("table %q does not exist at %s", t.name, t.where),
			Fix:     `create it with "partita table create", or set TABLE_NAME, AWS_REGION or DYNAMODB_ENDPOINT to where it is`,
			Code:    ExitConfig, Err: err,
		}
	case errors.Is(err, ErrAccessDenied):
		return &StartError{
			Problem: fmt.Sprintf("%s refused access to table %q (%s)", t.where, t.name, shortCause(err)),
			Fix:     "check the AWS credentials or profile, and that their policy allows dynamodb:DescribeTable, GetItem, BatchGetItem, Query, PutItem, UpdateItem, DeleteItem and ConditionCheckItem on the table and its indexes, and for \"partita table\" BatchWriteItem, Scan, CreateTable, UpdateTimeToLive and UpdateContinuousBackups",
			Code:    ExitNoPermission, Err: err,
		}
	case errors.Is(err, ErrThrottled):
		return &StartError{
			Problem: t.where + " is throttling requests",
			Fix:     "try again in a moment",
			Code:    ExitTryAgain, Err: err,
		}
	case errors.Is(err, ErrUnavailable), errors.Is(err, ErrTimeout):
		return &StartError{
			Problem: fmt.Sprintf("%s does not answer (%s)", t.where, shortCause(err)),
			Fix:     "check DYNAMODB_ENDPOINT, AWS_REGION and the network",
			Code:    ExitUnavailable, Err: err,
		}
	}
	return &StartError{Problem: fmt.Sprintf("%s refused the request (%s)", t.where, shortCause(err)), Code: ExitUnavailable, Err: err}
}

// shortCause is the innermost message of an error: the endpoint's own words or
// the operating system's, without the layers of the SDK.
func shortCause(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode() + ": " + api.ErrorMessage()
	}
	var send *smithyhttp.RequestSendError
	if errors.As(err, &send) {
		err = send.Err
	}
	for {
		switch wrapper := err.(type) { //nolint:errorlint // this walks the chain itself
		case interface{ Unwrap() error }:
			if inner := wrapper.Unwrap(); inner != nil {
				err = inner
				continue
			}
		case interface{ Unwrap() []error }:
			if all := wrapper.Unwrap(); len(all) > 0 {
				err = all[len(all)-1]
				continue
			}
		}
		return err.Error()
	}
}
