package service

import (
	"log/slog"
	"net/http"
	"time"
)

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
