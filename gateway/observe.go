package gateway

import (
	"context"
	"net/http"
	"time"
)

// An Observer is told of each operation: each request to /graphql that may hold one. Its methods are called by
// several goroutines at a time.
type Observer interface {
	// Operation is told of a request before it is read. The context, which is the request's with values of its own, is that in which the
	// operation is executed; ended is called once, when the answer has been written.
	Operation(r *http.Request) (_ context.Context, ended func(Report))
}

// An Outcome is how an operation ended.
type Outcome string

// The Outcomes.
const (
	// OutcomeOK is data without errors.
	OutcomeOK Outcome = "ok"
	// OutcomePartial is data, and errors of fields.
	OutcomePartial Outcome = "partial"
	// OutcomeRefused is no data, by what the caller sent: a status of 4xx.
	OutcomeRefused Outcome = "refused"
	// OutcomeFailed is no data, by what happened here: a status of 5xx.
	OutcomeFailed Outcome = "failed"
)

// A Report is what came of an operation.
type Report struct {
	// Name is the operation's, once its document is known to be valid, and Type is query or mutation. Both are empty before. An
	// anonymous operation has no name.
	Name, Type string
	// Outcome and Status, which is that of HTTP, say how it ended.
	Outcome Outcome
	Status  int
	// Codes are the distinct extensions.code of the errors, in their order.
	Codes []string
	// Duration is from the request's head to its answer.
	Duration time.Duration
	// Cost is what it took.
	Cost Cost
}

func (l *operationLine) report() Report {
	return Report{
		Name: l.name, Type: l.kind,
		Outcome: l.outcome(), Status: l.status,
		Codes:    codes(l.errors),
		Duration: l.duration,
		Cost:     l.cost,
	}
}

func (l *operationLine) outcome() Outcome {
	switch {
	case l.status >= http.StatusInternalServerError:
		return OutcomeFailed
	case !l.executed:
		return OutcomeRefused
	case len(l.errors) > 0:
		return OutcomePartial
	default:
		return OutcomeOK
	}
}

// noopObserver is the Observer of a gateway that has none.
type noopObserver struct{}

func (noopObserver) Operation(r *http.Request) (context.Context, func(Report)) {
	return r.Context(), func(Report) {}
}
