package request

import (
	"context"
	"math/rand/v2"
	"time"
)

// Limits of the wait before a retry. The base is a few times DynamoDB's usual
// latency, so that the first retries cost an operation little.
const (
	backoffBase = 25 * time.Millisecond
	backoffCap  = time.Second
)

// Backoff returns how long to wait before the attempt-th retry, counted from 1:
// exponential backoff with full jitter, that is, a random time between zero and
// 25 ms doubled with each retry, at most 1 s.
//
// https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
func Backoff(attempt int) time.Duration {
	return rand.N(backoffCeiling(attempt))
}

// Pause waits before the attempt-th retry, for the duration that Backoff returns.
// If ctx ends first, it returns the context's error.
func Pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(Backoff(attempt))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func backoffCeiling(attempt int) time.Duration {
	ceiling := backoffBase
	for range attempt - 1 {
		if ceiling *= 2; ceiling >= backoffCap {
			return backoffCap
		}
	}
	return ceiling
}
