package logging_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/logging"
)

// linesOf returns what write logs, without times.
func linesOf(t *testing.T, format string, write func(*slog.Logger)) string {
	t.Helper()
	var out bytes.Buffer
	logger, err := logging.New(&out, format)
	fatal.If(t, err)
	write(logger)
	return regexp.MustCompile(`(time=\S+ |"time":"[^"]+",)`).ReplaceAllString(out.String(), "")
}

func TestLogFormats(t *testing.T) {
	for format, want := range map[string]string{
		"json": `"msg":"hello","requestId":"id-1"`,
		"text": "msg=hello requestId=id-1",
	} {
		got := linesOf(t, format, func(logger *slog.Logger) {
			logger.InfoContext(logging.WithRequest(t.Context(), &logging.Request{ID: "id-1"}), "hello")
		})
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s", format, got)
		}
	}
	if _, err := logging.New(io.Discard, "xml"); err == nil {
		t.Error("the format xml is accepted")
	}
}

func TestInfoWritesTheLineOfALogger(t *testing.T) {
	attrs := []slog.Attr{slog.Int("n", 7), slog.String("text", "a b")}
	for name, ctx := range map[string]context.Context{
		"with a request": logging.WithRequest(t.Context(), &logging.Request{ID: "id-1"}), "without": t.Context(),
	} {
		want := linesOf(t, "json", func(logger *slog.Logger) { logger.LogAttrs(ctx, slog.LevelInfo, "hello", attrs...) })
		got := linesOf(t, "json", func(logger *slog.Logger) { logging.Info(ctx, logger, "hello", attrs...) })
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if logging.Info(t.Context(), logger, "hello"); out.Len() > 0 {
		t.Errorf("got %s below the logger's level", &out)
	}
}
