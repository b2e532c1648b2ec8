package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// What a request failed of, once its retries are used up or its context's
// deadline is near. Compare with errors.Is; an error wraps at most one of them.
// Any other failure of a request is a bug of the caller or of this package.
var (
	// ErrThrottled means that DynamoDB kept refusing the request to protect
	// its capacity. The same request may succeed later.
	ErrThrottled = errors.New("table: requests are throttled")
	// ErrUnavailable means that there is no connection to the endpoint, that
	// connections broke, or that the endpoint failed with a 5xx status.
	ErrUnavailable = errors.New("table: the endpoint is unavailable")
	// ErrTimeout means that the endpoint accepted the request and did not
	// answer in time.
	ErrTimeout = errors.New("table: no answer in time")
	// ErrAccessDenied means that there are no usable credentials, or that they
	// do not permit the request.
	ErrAccessDenied = errors.New("table: access denied")
	// ErrNoTable means that the table, or an index, does not exist.
	ErrNoTable = errors.New("table: no such table or index")
)

// explain adds to err the reason that callers can branch on. last is the
// failure of the attempt before the one that ctx's deadline ended, if any: it
// says more than the deadline.
func explain(ctx context.Context, err, last error) error {
	ended := ctx.Err()
	switch {
	case ended == nil:
		if reason := reasonOf(err); reason != nil {
			return fmt.Errorf("%w: %w", reason, err)
		}
		return fmt.Errorf("table: %w", err)
	case errors.Is(ended, context.Canceled):
		return fmt.Errorf("table: %w", withContextError(ended, err))
	case last == nil:
		return fmt.Errorf("%w: %w", ErrTimeout, withContextError(ended, err))
	}
	reason := reasonOf(last)
	if reason == nil {
		reason = ErrTimeout
	}
	return fmt.Errorf("%w: %w: %w", reason, withContextError(ended, err), last)
}

// withContextError is err, wrapping the context's error also where the SDK or
// net/http dropped it.
func withContextError(ended, err error) error {
	if errors.Is(err, ended) {
		return err
	}
	return fmt.Errorf("%w: %w", ended, err)
}

// isThrottle reports whether the endpoint refused a request to protect its
// capacity.
func isThrottle(err error) bool {
	return err != nil && retry.IsErrorThrottles(retry.DefaultThrottles).IsErrorThrottle(err) == aws.TrueTernary
}

func reasonOf(err error) error {
	for _, reason := range []error{ErrThrottled, ErrUnavailable, ErrTimeout, ErrAccessDenied, ErrNoTable} {
		if errors.Is(err, reason) {
			return reason
		}
	}
	if isThrottle(err) {
		return ErrThrottled
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		switch api.ErrorCode() {
		case "ResourceNotFoundException":
			return ErrNoTable
		case "AccessDeniedException", "UnrecognizedClientException", "InvalidSignatureException",
			"IncompleteSignatureException", "MissingAuthenticationTokenException",
			"ExpiredTokenException", "InvalidClientTokenId", "NotAuthorized":
			return ErrAccessDenied
		}
	}
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) && response.HTTPStatusCode() >= 500 {
		return ErrUnavailable
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return ErrUnavailable
	}
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return ErrTimeout
	}
	var send *smithyhttp.RequestSendError
	if errors.As(err, &send) || errors.As(err, &op) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrUnavailable
	}
	return nil
}
