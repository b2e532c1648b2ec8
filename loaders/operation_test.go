package loaders

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestAnswerEndsWithTheOperation: after its deadline an operation adds no objects to its answer, even if they have
// been read already.
func TestAnswerEndsWithTheOperation(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	op := &Operation{ctx: ctx, engine: New(nil, nil, Options{})}
	var failed *ReadError
	if err := op.answer(1); !errors.As(err, &failed) || failed.Code() != CodeTimeout {
		t.Errorf("got %v, want code %s", err, CodeTimeout)
	}
}
