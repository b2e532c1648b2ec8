package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/partita/partita/internal/table/attempt"
)

// String returns DynamoDB's name of the operation.
func (op operation) String() string {
	return [...]string{
		"GetItem", "BatchGetItem", "Query", "GetRecords", "PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems",
	}[op]
}

// sendError returns the SDK's error for a request that was not sent, or that got no response.
func sendError(ctx context.Context, err error) error {
	if ended := attempt.EndOf(ctx); ended != nil {
		return &smithy.CanceledError{Err: ended}
	}
	if errors.Is(err, ErrTooLarge) {
		return err
	}
	return &smithyhttp.RequestSendError{Err: err}
}

// apiError returns the SDK's error for a response.
//
// https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html#operation-error-serialization
func (r *response) apiError() error {
	var content struct {
		Type    string `json:"__type"`
		Message string
		Code    any
		// ThrottlingReasons has another case in some errors, which the decoder ignores.
		ThrottlingReasons []types.ThrottlingReason
	}
	var err error
	if failed := json.Unmarshal([]byte(r.body), &content); failed != nil && r.body != "" {
		err = &smithy.DeserializationError{Err: fmt.Errorf("the body of the error is not JSON: %w", failed)}
	} else {
		api := &smithy.GenericAPIError{Code: "UnknownError", Message: content.Message}
		if api.Message == "" {
			api.Message = "UnknownError"
		}
		code, _ := content.Code.(string)
		for _, c := range []string{r.errorType, content.Type, code} {
			if c != "" {
				api.Code = shortCode(c)
				break
			}
		}
		err = api
		if len(content.ThrottlingReasons) > 0 {
			err = &types.ProvisionedThroughputExceededException{
				Message: &api.Message, ErrorCodeOverride: &api.Code, ThrottlingReasons: content.ThrottlingReasons,
			}
		}
	}
	return &awshttp.ResponseError{
		ResponseError: &smithyhttp.ResponseError{
			Response: &smithyhttp.Response{Response: &http.Response{StatusCode: r.status, Header: http.Header{}}},
			Err:      err,
		},
		RequestID: r.requestID,
	}
}

// shortCode returns the code of an error without its namespace and without the URL that may follow.
func shortCode(code string) string {
	code, _, _ = strings.Cut(code, ":")
	if _, after, ok := strings.Cut(code, "#"); ok {
		return after
	}
	return code
}

// maxSkew is the SDK's limit beyond which it holds the clocks responsible for a rejected signature.
const maxSkew = 4 * time.Minute

// skewCodes are the errors for which the clocks may be responsible, as in the SDK's package retry.
var skewCodes = map[string]bool{
	"InvalidSignatureException": true, "SignatureDoesNotMatch": true, "AuthFailure": true,
	"RequestTimeTooSkewed": true, "AccessDeniedException": true,
}

// correct returns the error of an attempt, as one that can be retried if the clocks are responsible for it.
func (s *skew) correct(err error, e *exchange) error {
	var api smithy.APIError
	if err == nil || s.disabled || !errors.As(err, &api) || !skewCodes[api.ErrorCode()] || e.response.aged {
		return err
	}
	measured, isKnown := e.measured()
	if !isKnown || (measured-e.skewed).Abs() <= maxSkew {
		return err
	}
	s.nanos.Store(int64(measured))
	return &skewError{err}
}

// measured returns how far the clock of the server is ahead, by the date of the response.
func (e *exchange) measured() (ahead time.Duration, isKnown bool) {
	server, err := http.ParseTime(e.response.date)
	if err != nil || e.response.aged {
		return 0, false
	}
	return server.Sub(e.began.Add(time.Since(e.began) / 2)), true
}

// observe tells how far the clock of the server is ahead.
func (s *skew) observe(e *exchange) {
	if s.clock == nil {
		return
	}
	if ahead, isKnown := e.measured(); isKnown {
		s.clock(ahead)
	}
}

// skewError is an error for which the clocks are probably responsible.
type skewError struct{ error }

// Unwrap returns the error.
func (e *skewError) Unwrap() error { return e.error }

// RetryableError lets the SDK's Retryer retry it.
func (*skewError) RetryableError() bool { return true }
