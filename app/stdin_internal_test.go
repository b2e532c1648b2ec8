package app

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestUntilDone: who reads gets what there is, and is not stuck once the context ends.
func TestUntilDone(t *testing.T) {
	if got, err := io.ReadAll(untilDone(t.Context(), strings.NewReader("a\nb"))); string(got) != "a\nb" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	silent, w := io.Pipe()
	defer func() { _ = w.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	r := untilDone(ctx, silent)
	go cancel()
	if got, err := io.ReadAll(r); len(got) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("got %q, %v", got, err)
	}
}
