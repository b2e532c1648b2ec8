package request

import "errors"

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
