package table

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/request"
)

// ExitError explains the error of a request to the person who started a command.
// It returns a *exit.Error, or err itself if that is nil, one already, or wraps context.Canceled.
func (t *Table) ExitError(err error) error {
	if _, is := errors.AsType[*exit.Error](err); err == nil || is || errors.Is(err, context.Canceled) {
		return err
	}
	if ended := t.settings.serviceError(); ended != nil {
		return &exit.Error{
			Problem: ended.Error(),
			Fix:     "start the gateway again; its log has the engine's output",
			Code:    exit.Unavailable, Err: err,
		}
	}
	switch {
	case errors.Is(err, request.ErrNoTable):
		return &exit.Error{
			Problem: fmt.Sprintf("table %q does not exist at %s", t.Name(), t.location),
			Fix: fmt.Sprintf("create it with %q, or correct TABLE_NAME, AWS_REGION or DYNAMODB_ENDPOINT",
				t.settings.createCommand()),
			Code: exit.Config, Err: err,
		}
	case errors.Is(err, request.ErrAccessDenied):
		return &exit.Error{
			Problem: fmt.Sprintf("%s denied access to table %q (%s)", t.location, t.Name(), shortCause(err)),
			Fix: "check the AWS credentials or profile, and that their policy allows dynamodb:DescribeTable, GetItem, " +
				"BatchGetItem, Query, PutItem, UpdateItem, DeleteItem and ConditionCheckItem on the table and its indexes, " +
				"and for the commands of the table BatchWriteItem, Scan, CreateTable, UpdateTimeToLive and UpdateContinuousBackups",
			Code: exit.NoPermission, Err: err,
		}
	case errors.Is(err, request.ErrThrottled):
		return &exit.Error{
			Problem: t.location + " is throttling requests",
			Fix:     "try again in a moment",
			Code:    exit.TryAgain, Err: err,
		}
	case errors.Is(err, request.ErrUnavailable), errors.Is(err, request.ErrTimeout):
		fix := "check DYNAMODB_ENDPOINT, AWS_REGION and the network"
		if timed, is := errors.AsType[net.Error](err); is && timed.Timeout() {
			fix += fmt.Sprintf("; if it is only slow, raise DYNAMODB_TIMEOUT (%v)", t.settings.RequestTimeout)
		}
		return &exit.Error{
			Problem: fmt.Sprintf("%s does not answer (%s)", t.location, shortCause(err)),
			Fix:     fix,
			Code:    exit.Unavailable, Err: err,
		}
	}
	return &exit.Error{
		Problem: fmt.Sprintf("%s rejected the request (%s)", t.location, shortCause(err)),
		Code:    exit.Unavailable, Err: err,
	}
}

// shortCause returns the innermost message of an error: that of the endpoint or of the operating
// system, without the layers of the SDK.
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
