package attempt_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/partita/partita/internal/table/attempt"
	"github.com/partita/partita/request"
)

// TestUnanswered: an attempt counts as unanswered unless it is certain that it was not carried out.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	status := func(code int) error {
		response := &smithyhttp.Response{Response: &http.Response{StatusCode: code, Header: http.Header{}}}
		return &smithyhttp.ResponseError{Response: response, Err: errors.New("made by the test")}
	}
	send := func(err error) error { return &smithyhttp.RequestSendError{Err: err} }
	for name, tt := range map[string]struct {
		err  error
		want int
	}{
		"success":             {nil, 0},
		"400":                 {status(400), 0},
		"408":                 {status(408), 1},
		"413":                 {status(413), 0},
		"500":                 {status(500), 1},
		"503":                 {status(503), 1},
		"cut off after 200":   {status(200), 1},
		"a redirect":          {status(302), 1},
		"no connection":       {send(&net.OpError{Op: "dial", Err: errors.New("refused")}), 0},
		"reset":               {send(&net.OpError{Op: "read", Err: errors.New("connection reset")}), 1},
		"reset while writing": {send(&net.OpError{Op: "write", Err: errors.New("broken pipe")}), 1},
		"closed":              {send(io.ErrUnexpectedEOF), 1},
		"the context ended":   {&smithy.CanceledError{Err: context.DeadlineExceeded}, 1},
		"no credentials":      {fmt.Errorf("get identity: %w", request.ErrAccessDenied), 0},
		"any other error":     {errors.New("made by the test"), 1},
	} {
		var c attempt.Counter
		c.Add(t.Context(), tt.err)
		c.Add(t.Context(), status(400)) // whatever follows
		if got := c.Result().Unanswered; got != tt.want {
			t.Errorf("%s: %d unanswered, want %d", name, got, tt.want)
		}
	}
}

// TestUnansweredWhenTheTimeIsOver: also an attempt that the end of its context cut off may have been carried out.
func TestUnansweredWhenTheTimeIsOver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var c attempt.Counter
	c.Add(ctx, &smithy.CanceledError{Err: ctx.Err()})
	if got := c.Result().Unanswered; got != 1 {
		t.Errorf("%d unanswered, want 1", got)
	}
}

// early is a context whose Deadline is before that of the context in it.
type early struct {
	context.Context
	deadline time.Time
}

func (e early) Deadline() (time.Time, bool) { return e.deadline, true }

// TestTheDeadlineOfTheConnectionIsFirst: an attempt that has ended at the deadline has ended with its context, even if
// the connection was first to report it.
func TestTheDeadlineOfTheConnectionIsFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		later, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ctx := early{later, time.Now()}
		timeout := &smithyhttp.RequestSendError{Err: os.ErrDeadlineExceeded}
		var c attempt.Counter
		c.Add(ctx, timeout)
		err := c.Explain(ctx, timeout)
		if !errors.Is(err, request.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// closed is a gate that nothing passes in time.
type closed struct{ throttled int }

func (c *closed) Pass(ctx context.Context) (time.Duration, error) {
	<-ctx.Done()
	return time.Second, fmt.Errorf("%w: %w", request.ErrThrottled, ctx.Err())
}

func (c *closed) Throttled(request.Throttle) { c.throttled++ }

// TestGate: a call whose attempts do not pass in time is throttled, and nothing was sent. A gate learns what was
// throttled.
func TestGate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		gate := &closed{}
		c := attempt.NewCounter(attempt.WithGate(ctx, gate))
		c.Add(ctx, &smithyhttp.ResponseError{
			Response: &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{}}},
			Err:      &smithy.GenericAPIError{Code: "ThrottlingException"},
		})
		c.Add(ctx, nil)
		err := c.Explain(ctx, c.Pass(ctx))
		if !errors.Is(err, request.ErrThrottled) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if r := c.Result(); r.Waited != time.Second || r.Unanswered != 0 || gate.throttled != 1 {
			t.Errorf("%+v, %d throttled", r, gate.throttled)
		}
	})
}
