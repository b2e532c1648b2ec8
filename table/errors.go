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

	"github.com/partita/partita/loaders/request"
)

// explain wraps err with the error of package request that callers can branch on.
// last is the error of the attempt before the one that ctx's deadline has ended, if
// any: it is more informative than the deadline.
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
		return fmt.Errorf("%w: %w", request.ErrTimeout, withContextError(ended, err))
	}
	reason := reasonOf(last)
	if reason == nil {
		reason = request.ErrTimeout
	}
	return fmt.Errorf("%w: %w: %w", reason, withContextError(ended, err), last)
}

// withContextError returns err, wrapped with the context's error if the SDK or
// net/http has lost that.
func withContextError(ended, err error) error {
	if errors.Is(err, ended) {
		return err
	}
	return fmt.Errorf("%w: %w", ended, err)
}

// isThrottle reports whether err means that the endpoint protects its capacity.
func isThrottle(err error) bool {
	return err != nil && retry.IsErrorThrottles(retry.DefaultThrottles).IsErrorThrottle(err) == aws.TrueTernary
}

func reasonOf(err error) error {
	for _, reason := range []error{
		request.ErrThrottled, request.ErrUnavailable, request.ErrTimeout, request.ErrAccessDenied, request.ErrNoTable,
	} {
		if errors.Is(err, reason) {
			return reason
		}
	}
	if isThrottle(err) {
		return request.ErrThrottled
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		switch api.ErrorCode() {
		case "ResourceNotFoundException":
			return request.ErrNoTable
		case "AccessDeniedException", "UnrecognizedClientException", "InvalidSignatureException",
			"IncompleteSignatureException", "MissingAuthenticationTokenException",
			"ExpiredTokenException", "InvalidClientTokenId", "NotAuthorized":
			return request.ErrAccessDenied
		}
	}
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) && response.HTTPStatusCode() >= 500 {
		return request.ErrUnavailable
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return request.ErrUnavailable
	}
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return request.ErrTimeout
	}
	var send *smithyhttp.RequestSendError
	if errors.As(err, &send) || errors.As(err, &op) || errors.Is(err, io.ErrUnexpectedEOF) {
		return request.ErrUnavailable
	}
	return nil
}
