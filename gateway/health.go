package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/partita/partita/gateway/httpserver"
)

const (
	// readyTimeout bounds one check of readiness.
	readyTimeout = 2 * time.Second
	// readyFor is how long the outcome of a check is told to all who ask.
	readyFor = time.Second
)

// A healthReport is the body of /healthz and /readyz.
type healthReport struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// serveHealth says that the process runs and answers; a supervisor restarts it when it does not.
func serveHealth(w http.ResponseWriter, _ *http.Request) {
	writeReport(w, http.StatusOK, healthReport{Status: "ok"})
}

// readiness is /readyz: whether operations sent here will be answered.
type readiness struct {
	check func(ctx context.Context) error

	mu      sync.Mutex // held during a check, so that callers share it
	checked time.Time
	outcome error
}

func newReadiness(check func(ctx context.Context) error) *readiness {
	return &readiness{check: check}
}

func (c *readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if httpserver.IsStopping(r.Context()) {
		writeReport(w, http.StatusServiceUnavailable, healthReport{"not ready", "The gateway is stopping."})
		return
	}
	err := c.current(r.Context())
	if err == nil {
		writeReport(w, http.StatusOK, healthReport{Status: "ready"})
		return
	}
	writeReport(w, http.StatusServiceUnavailable, healthReport{"not ready", reason(err)})
}

// current gives the outcome of a check that is at most readyFor old.
func (c *readiness) current(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.checked.IsZero() && time.Since(c.checked) < readyFor {
		return c.outcome
	}
	// The caller may leave; the others who wait for this check have not.
	checkCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
	defer cancel()
	c.outcome = c.check(checkCtx)
	c.checked = time.Now()
	if c.outcome != nil {
		logger(ctx).WarnContext(ctx, "not ready", "error", c.outcome.Error())
	}
	return c.outcome
}

// reason gives what of an error may be told to whoever asks.
func reason(err error) string {
	if c, isCoded := errors.AsType[coded](err); isCoded {
		return c.Error()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "The table did not answer in time."
	}
	return "The table cannot be read at present. The gateway's log says why."
}

func writeReport(w http.ResponseWriter, status int, report healthReport) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(report) // an error means that the client is gone
}
