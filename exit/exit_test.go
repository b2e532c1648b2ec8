package exit_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/partita/partita/exit"
)

func TestError(t *testing.T) {
	cause := errors.New("connection refused, by 10.0.0.7")
	err := fmt.Errorf("start: %w", &exit.Error{
		Problem: "the table does not answer", Fix: "check the network", Code: exit.Unavailable, Err: cause,
	})
	var failed *exit.Error
	if !errors.As(err, &failed) || failed.Code != 69 || !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	// The cause is for the log.
	if got, want := failed.Error(), "the table does not answer: check the network"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (&exit.Error{Problem: "alone"}).Error(); got != "alone" {
		t.Errorf("got %q", got)
	}
}
