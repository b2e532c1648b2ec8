package table

import (
	"fmt"
	"io"
	"testing"
)

func TestNothingIsRetriedOnceTheEngineIsLost(t *testing.T) {
	broken := fmt.Errorf("read: %w", io.ErrUnexpectedEOF)
	for _, lost := range []bool{false, true} {
		retryer := newRetryer(func() bool { return lost })
		if got := retryer.IsErrorRetryable(broken); got == lost {
			t.Errorf("lost %v: retryable %v", lost, got)
		}
	}
}
