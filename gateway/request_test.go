package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/iotest"

	"github.com/partita/partita/defaults"
)

// defaultLimits returns the Limits of a gateway without settings.
func defaultLimits(tb testing.TB) Limits {
	tb.Helper()
	var limits Limits
	if err := defaults.Apply(&limits); err != nil {
		tb.Fatal(err)
	}
	return limits
}

func TestBodyThatCannotBeRead(t *testing.T) {
	for err, status := range map[error]int{
		os.ErrDeadlineExceeded: http.StatusRequestTimeout,
		io.ErrUnexpectedEOF:    http.StatusBadRequest,
	} {
		request := httptest.NewRequest(http.MethodPost, "/graphql", iotest.ErrReader(err))
		request.Header.Set("Content-Type", "application/json")
		_, got := readParameters(httptest.NewRecorder(), request, defaultLimits(t))
		if got == nil || got.status != status || !got.closes {
			t.Errorf("%v: got %+v, want %d", err, got, status)
		}
	}
}
