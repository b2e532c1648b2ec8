// Package attempt counts the HTTP requests of one call to DynamoDB, which are sent one
// after the other, and explains the call's error.
package attempt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/partita/partita/request"
)

// Counter counts the HTTP requests of one call.
type Counter struct {
	count      int
	throttled  []request.Throttle
	unanswered int
	gate       Gate // nil for none
	waited     time.Duration
	last       error // of the latest that failed by itself, not by the context
}

// Add counts an HTTP request with its error, nil for none.
func (c *Counter) Add(ctx context.Context, err error) {
	c.count++
	if err == nil {
		return
	}
	if EndOf(ctx) == nil {
		c.last = err
	}
	if isThrottle(err) {
		c.throttled = append(c.throttled, throttleOf(err))
		if c.gate != nil {
			c.gate.Throttled(c.throttled[len(c.throttled)-1])
		}
	}
	if !isRejected(err) {
		c.unanswered++
	}
}

// Result returns a Result with the retries, the throttles and the requests without an answer. The throttles lack what
// only the caller knows, the index and the partitions.
func (c *Counter) Result() request.Result {
	return request.Result{
		Retries: max(c.count-1, 0), Throttles: len(c.throttled), Throttled: c.throttled, Unanswered: c.unanswered,
		Waited: c.waited,
	}
}

// Explain wraps the error of the call with the error of package request that callers can branch on. If the
// context's deadline has ended the last attempt, the error of the one before is more informative.
func (c *Counter) Explain(ctx context.Context, err error) error {
	ended, last := EndOf(ctx), c.last
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

// EndOf returns the error of a context that has ended. A connection has the deadline of its context, and can report it
// before the timer of the context does.
func EndOf(ctx context.Context) error {
	if deadline, has := ctx.Deadline(); has && !time.Now().Before(deadline) {
		<-ctx.Done()
	}
	return ctx.Err()
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

// isRejected reports whether the endpoint has certainly not carried out a request with that error: it was never sent,
// or the answer has a status 4xx. An intermediary may send 408 after it has passed the request on.
func isRejected(err error) bool {
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		status := response.HTTPStatusCode()
		return status >= 400 && status < 500 && status != http.StatusRequestTimeout
	}
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" || errors.Is(err, request.ErrAccessDenied)
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
