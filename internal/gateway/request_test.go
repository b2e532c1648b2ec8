package gateway

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/iotest"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/share"
)

// defaultLimits returns the Limits of a gateway without settings.
func defaultLimits(tb testing.TB) operation.Limits {
	tb.Helper()
	return operation.Limits{}.WithDefaults()
}

func TestBodyThatCannotBeRead(t *testing.T) {
	for err, status := range map[error]int{
		os.ErrDeadlineExceeded: http.StatusRequestTimeout,
		io.ErrUnexpectedEOF:    http.StatusBadRequest,
	} {
		request := httptest.NewRequest(http.MethodPost, "/graphql", iotest.ErrReader(err))
		request.Header.Set("Content-Type", "application/json")
		got := readAll(new(bytes.Buffer), httptest.NewRecorder(), seatedRequest(request), defaultLimits(t))
		if got == nil || got.Status != status || !got.Closes {
			t.Errorf("%v: got %+v, want %d", err, got, status)
		}
	}
}

// seatedRequest returns a request with a seat, as the endpoint gets it.
func seatedRequest(r *http.Request) *http.Request {
	limits := operation.Limits{}.Derive(operation.Resources{CPUs: 1, Memory: 1 << 30})
	seat := &operation.Seat{ResponseWriter: httptest.NewRecorder(), Shares: operation.NewShares(limits, 1)}
	seat.Sit(share.Caller{})
	return r.WithContext(seat.Within(r.Context()))
}
