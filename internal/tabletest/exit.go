package tabletest

import (
	"errors"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
)

// WantExitError checks that err is a *exit.Error with the code, and that its message
// is one line with all of the words, without those of the AWS SDK.
func WantExitError(tb testing.TB, err error, code int, words ...string) {
	tb.Helper()
	var failed *exit.Error
	if !errors.As(err, &failed) {
		tb.Fatalf("got %v", err)
	}
	if failed.Code != code {
		tb.Errorf("exit code %d, want %d: %v", failed.Code, code, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			tb.Errorf("no %q in: %v", word, err)
		}
	}
	if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "operation error") {
		tb.Errorf("the message is the SDK's: %v", err)
	}
}
