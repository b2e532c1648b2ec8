package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/response"
)

// The paths for supervisors and load balancers.
const (
	pathHealth = "/healthz"
	pathReady  = "/readyz"
)

const (
	// readyTimeout is how long a check of readiness may take.
	readyTimeout = 2 * time.Second
	// readyFor is how long the result of a check is reused.
	readyFor = time.Second
)

// A healthReport is the body of /healthz and /readyz.
type healthReport struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// serveHealth always succeeds: a supervisor restarts a process that does not answer.
func serveHealth(w http.ResponseWriter, _ *http.Request) {
	writeReport(w, http.StatusOK, healthReport{Status: "ok"})
}

// readiness is /readyz, which reports whether operations can be answered at present.
type readiness struct {
	check func(ctx context.Context) error

	mu      sync.Mutex // locked during a check, so that concurrent requests share its result
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

// current returns the result of a check that is at most readyFor old.
func (c *readiness) current(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.checked.IsZero() && time.Since(c.checked) < readyFor {
		return c.outcome
	}
	// Other requests wait for this check, even if the client of this one is gone.
	checkCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
	defer cancel()
	c.outcome = c.check(checkCtx)
	c.checked = time.Now()
	if c.outcome != nil {
		logging.Logger(ctx).WarnContext(ctx, "not ready", "error", c.outcome.Error())
	}
	return c.outcome
}

// reason returns a message for an error that contains no internals.
func reason(err error) string {
	if c, isCoded := errors.AsType[response.Coded](err); isCoded {
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
