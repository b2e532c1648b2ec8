package table

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestNothingIsRetriedOnceTheServiceHasEnded(t *testing.T) {
	broken := fmt.Errorf("read: %w", io.ErrUnexpectedEOF)
	for _, ended := range []bool{false, true} {
		retryer := newRetryer(Settings{Service: service(ended)})
		if got := retryer.IsErrorRetryable(broken); got == ended {
			t.Errorf("ended %v: retryable %v", ended, got)
		}
	}
}

// service is one that has ended or not.
type service bool

func (service) Endpoint() string { return "http://127.0.0.1:1" }

func (service) String() string { return "the service" }

func (s service) Err() error {
	if s {
		return errors.New("the service has ended")
	}
	return nil
}
