package loaders

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestAnswerEndsWithTheClient: if the client is gone, an operation adds no objects to its answer, even if they have
// been read already. What was read before the deadline is answered.
func TestAnswerEndsWithTheClient(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	engine := &Engine{options: Options{MaxObjects: 1}}

	op := &Operation{ctx: gone, engine: engine}
	var failed *ReadError
	if err := op.answer(1); !errors.As(err, &failed) || failed.Code() != CodeTimeout {
		t.Errorf("the client is gone: %v, want code %s", err, CodeTimeout)
	}
	op = &Operation{ctx: late, engine: engine}
	if err := op.answer(1); err != nil {
		t.Errorf("after the deadline: %v", err)
	}
	if err := op.answer(1); !errors.As(err, &failed) || failed.Code() != CodeTooLarge {
		t.Errorf("beyond MaxObjects: %v, want code %s", err, CodeTooLarge)
	}
}
