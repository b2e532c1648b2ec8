package service

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"
)

// Settings are read from the environment variables that Partita has for the same.
type Settings struct {
	Addr, MetricsAddr string
	// TableName and Endpoint are the table.
	TableName, Endpoint string
	// Secret verifies tokens.
	Secret string
}

// FromEnvironment returns the settings in the environment. The AWS SDK reads further ones there.
func FromEnvironment() Settings {
	return Settings{
		Addr: os.Getenv("ADDR"), MetricsAddr: os.Getenv("METRICS_ADDR"),
		TableName: os.Getenv("TABLE_NAME"), Endpoint: os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"),
		Secret: os.Getenv("JWT_SECRET"),
	}
}

// Serve serves the handler to authenticated callers, with a line of the log for each request, and /healthz and /metrics
// to all, until the context ends.
func Serve(ctx context.Context, s Settings, handler http.Handler) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	mux := http.NewServeMux()
	mux.Handle("/", logged(log, authenticated([]byte(s.Secret), handler)))
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	metrics := http.NewServeMux()
	metrics.Handle("GET /metrics", promhttp.Handler())
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return listen(ctx, log, "serving", s.Addr, mux) })
	group.Go(func() error { return listen(ctx, log, "serving metrics", s.MetricsAddr, metrics) })
	return group.Wait()
}

func listen(ctx context.Context, log *slog.Logger, what, addr string, handler http.Handler) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	log.InfoContext(ctx, what, "addr", listener.Addr().String())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
