package operation

import (
	"context"
	"net/http"
	"time"

	"github.com/partita/partita/internal/gateway/response"
)

// An Observer is notified of operations: of each request to /graphql that is not OPTIONS. It must be safe for
// concurrent use.
type Observer interface {
	// Operation is called before a request is read. It returns the context in which the operation is executed, which it
	// derives from the request's. The function ended is called once, after the response has been written.
	Operation(r *http.Request) (_ context.Context, ended func(Report))
	// Connection is called when a connection that stays open begins: a WebSocket, or the response to a subscription. The
	// transport is websocket or the media type of the response. The function ended is called once; why is a word of a
	// fixed set, or the code of an error.
	Connection(transport string) (ended func(why string))
	// Subscribed is called when a subscription has begun, with the name of its operation. The function event is called
	// for each answer, and ended once, with the code of the error that has ended the subscription, or "".
	Subscribed(ctx context.Context, name string) (event func(EventReport), ended func(code string))
}

// An EventReport describes an answer of a subscription.
type EventReport struct {
	// Change is what it is about: a value of the enum LiveChange.
	Change string
	// Delay is the time from the commit of the change until its answer was ready; zero for CURRENT.
	Delay time.Duration
	Cost  response.Cost
	// IsShared is set if the answer was made for another subscription.
	IsShared bool
	// Codes are those of the errors of fields.
	Codes []string
}

// An Outcome is how an operation ended.
type Outcome string

// The Outcomes.
const (
	// OutcomeOK is data without errors.
	OutcomeOK Outcome = "ok"
	// OutcomePartial is data and errors of fields.
	OutcomePartial Outcome = "partial"
	// OutcomeRefused is a request error that is a mistake of the caller: a status of 4xx, or 200 in application/json.
	OutcomeRefused Outcome = "refused"
	// OutcomeFailed is a request error with a status of 5xx: a failure of the gateway or the table.
	OutcomeFailed Outcome = "failed"
)

// A Report describes an operation that has ended.
type Report struct {
	// Name is the name of the operation, and Type is query or mutation. Both are empty if the document is not valid. An
	// anonymous operation has no name.
	Name, Type string
	// SignedIn is set if the caller is not anonymous.
	SignedIn bool
	Outcome  Outcome
	// Status is the HTTP status of the response.
	Status int
	// Codes are the distinct extensions.code of the errors, in their order.
	Codes []string
	// Duration is the time from the headers of the request to the end of the response.
	Duration time.Duration
	Cost     response.Cost
}

// NoObserver is the Observer of a gateway without one.
type NoObserver struct{}

// Operation implements Observer.
func (NoObserver) Operation(r *http.Request) (context.Context, func(Report)) {
	return r.Context(), func(Report) {}
}

// Connection implements Observer.
func (NoObserver) Connection(string) func(string) { return func(string) {} }

// Subscribed implements Observer.
func (NoObserver) Subscribed(context.Context, string) (func(EventReport), func(string)) {
	return func(EventReport) {}, func(string) {}
}
