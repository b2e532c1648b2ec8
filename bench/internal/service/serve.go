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

// logged writes one line for each request.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		l := &response{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(l, r)
		log.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", l.status),
			slog.Float64("milliseconds", float64(time.Since(start).Microseconds())/1000), slog.String("viewer", l.viewer))
	})
}

// response keeps what is logged.
type response struct {
	http.ResponseWriter
	status int
	viewer string
}

// WriteHeader keeps the status.
func (r *response) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}
