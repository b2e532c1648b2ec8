package loaders_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestFailedWrite: the error of a transaction that finally fails shows whether it may have been written, and the
// log has the cause.
func TestFailedWrite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		faults        tabletest.Faults
		code, message string
		logged        string
		// timeout is that of the operation. Conflicts are retried until then, other faults less long.
		timeout time.Duration
	}{
		{
			"throttled", tabletest.Faults{Throttled: 1}, loaders.CodeThrottled, "nothing was written",
			"ProvisionedThroughputExceededException", time.Minute,
		},
		{
			"conflicts", tabletest.Faults{Conflict: 1}, loaders.CodeThrottled, "nothing was written",
			"other transactions keep the items busy", 3 * time.Second,
		},
		{
			"reset", tabletest.Faults{Reset: 1}, loaders.CodeUnavailable, "may have been written or not",
			"the endpoint is unavailable", time.Minute,
		},
		{
			"failed", tabletest.Faults{Failed: 1}, loaders.CodeUnavailable, "may have been written or not",
			"InternalServerError", time.Minute,
		},
		{
			"throttled or lost", tabletest.Faults{Seed: 1, Throttled: 0.5, Lost: 1}, loaders.CodeUnavailable,
			"may have been written or not", "attempts were not answered", time.Minute,
		},
		{
			"full", tabletest.Faults{ErrorCode: "ItemCollectionSizeLimitExceededException"}, loaders.CodeCollectionFull,
			"no room for more, and nothing was written", "ItemCollectionSizeLimitExceeded", time.Minute,
		},
		{
			"denied", tabletest.Faults{ErrorCode: "AccessDeniedException"}, loaders.CodeInternal,
			"Something went wrong here", "AccessDeniedException", time.Minute,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := testservice.Start(t, func(c *gateway.Config, _ *loaders.Options) { c.OperationTimeout = tt.timeout })
			tt.faults.Only = func(r tabletest.Request) bool { return strings.Contains(r.Text, "NORTH") }
			s.Proxy.Inject(tt.faults)
			count := func(door string) testservice.Answer {
				input := fmt.Sprintf(`{branchId: "Branch:c1", door: "%s-%s"}`, door, tt.name)
				return s.Ask(t, `mutation { x: countVisit(input: `+input+`) { visitId } }`, nil)
			}
			a := count("NORTH")
			// If the deadline passes while a request is on its way, nobody knows what becomes of it.
			for tt.faults.Conflict > 0 && len(a.Errors) == 1 && strings.Contains(a.Errors[0].Message, "written or not") {
				a = count("NORTH")
			}
			if len(a.Errors) != 1 || fmt.Sprint(a.Errors[0].Path) != "[x]" || a.Errors[0].Extensions.Code != tt.code ||
				!strings.Contains(a.Errors[0].Message, tt.message) {
				t.Fatalf("errors %+v, want one of x with code %s and %q", a.Errors, tt.code, tt.message)
			}
			if a := count("SOUTH"); gatewaytest.At(t, a.Data, "x", "visitId") == nil {
				t.Errorf("another transaction: %+v", a)
			}
			if log := s.Log.Take(); !strings.Contains(log, tt.logged) {
				t.Errorf("the log is %q, want %q", log, tt.logged)
			}
		})
	}
}

// TestReadAfterWrite: objects that the operation has read before a write are read again after it.
func TestReadAfterWrite(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t).As(testservice.Ada)
	a := s.Must(t, `mutation {
		x: recommendBook(input: {bookId: "Book:b040", stars: 5}) { reader { recommendations { totalCount } } }
		y: recommendBook(input: {bookId: "Book:b039", stars: 5}) { reader { recommendations { totalCount } } }
	}`, nil)
	for i, name := range []string{"x", "y"} {
		if got := gatewaytest.At(t, a.Data, name, "reader", "recommendations", "totalCount"); got != float64(26+i) {
			t.Errorf("%s: totalCount is %v, want %d", name, got, 26+i)
		}
	}
}
