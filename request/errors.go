package request

import "errors"

// Why a request failed, once its retries are used up or its context's deadline
// is near. Compare with errors.Is; an error wraps at most one of them. Any other
// error of a request is a bug of the caller or of the Source.
var (
	// ErrThrottled means that DynamoDB kept rejecting the request to protect its
	// capacity. The same request may succeed later.
	ErrThrottled = errors.New("request: throttled")
	// ErrUnavailable means that there is no connection to the endpoint, that
	// connections broke, or that the endpoint failed with a 5xx status.
	ErrUnavailable = errors.New("request: the endpoint is unavailable")
	// ErrTimeout means that the endpoint accepted the request and did not respond
	// in time.
	ErrTimeout = errors.New("request: no response in time")
	// ErrAccessDenied means that there are no usable credentials, or that they
	// do not permit the request.
	ErrAccessDenied = errors.New("request: access denied")
	// ErrNoTable means that the table, or an index, does not exist.
	ErrNoTable = errors.New("request: no such table or index")
)
