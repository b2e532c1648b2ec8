package subscribe

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/viewer"
)

// A streamLine is the line of the log for a connection or a subscription that has ended.
type streamLine struct {
	start     time.Time
	transport string
	name      string // of the operation; empty for a WebSocket
	// events and readUnits are those of a subscription.
	events    int
	readUnits float64
	// operations is how many a WebSocket had.
	operations int
	// end is why: a word of a fixed set, or the code of an error.
	end string
	// detail is what the client is told, if anything.
	detail string
}

// The words for the end of a connection or a subscription.
const (
	endClient    = "client"    // the client has ended it
	endGone      = "gone"      // the connection was lost
	endStop      = "stop"      // the gateway is stopping
	endExpired   = "expired"   // the token has expired
	endSlow      = "slow"      // the client reads or sends too slowly
	endIdle      = "idle"      // there was no operation for a long time
	endSilent    = "silent"    // the client does not answer pings
	endRejected  = "rejected"  // the client was not authenticated, or has too many connections
	endProtocol  = "protocol"  // the client does not follow the protocol
	endCompleted = "completed" // the operation has been answered
)

// The messages of lines about ends.
const (
	connectionEnded   = "connection"
	subscriptionEnded = "subscription"
)

// endLog logs the ends of connections. Those that a client causes by mistakes are at most endBurst at once and one in
// endInterval, because anybody can make any number of them.
type endLog struct {
	hostile *rate.Limiter
	skipped atomic.Int64
}

const (
	endInterval = 5 * time.Second
	endBurst    = 20
)

func newEndLog() *endLog { return &endLog{hostile: rate.NewLimiter(rate.Every(endInterval), endBurst)} }

// write writes the line of what has ended.
func (l *endLog) write(ctx context.Context, message string, line *streamLine) {
	skipped := int64(0)
	if line.end == endProtocol || line.end == endRejected {
		if !l.hostile.Allow() {
			l.skipped.Add(1)
			return
		}
		skipped = l.skipped.Swap(0)
	}
	attrs := append(make([]slog.Attr, 0, 10),
		slog.String("transport", line.transport),
		slog.String("end", line.end),
	)
	if message == subscriptionEnded {
		attrs = append(attrs, slog.Int("events", line.events), slog.Float64("readUnits", line.readUnits))
	} else {
		attrs = append(attrs, slog.Int("operations", line.operations))
	}
	attrs = append(attrs, slog.Float64("milliseconds", float64(time.Since(line.start).Microseconds())/1000))
	if line.name != "" {
		attrs = append(attrs, slog.String("operation", line.name[:min(len(line.name), operation.MaxLoggedName)]))
	}
	if line.detail != "" {
		attrs = append(attrs, slog.String("detail", line.detail))
	}
	if skipped > 0 {
		attrs = append(attrs, slog.Int64("notLogged", skipped))
	}
	if v := viewer.FromContext(ctx); !v.IsAnonymous() {
		attrs = append(attrs, slog.String("viewer", v.ID))
		if v.Tenant != "" {
			attrs = append(attrs, slog.String("tenant", v.Tenant))
		}
	}
	logging.Info(ctx, logging.Logger(ctx), message, attrs...)
}

// ended sets why a subscription has ended: an error for the client, or a cause of its context.
func (l *streamLine) ended(err *response.Error, cause error) {
	switch {
	case cause == nil && err != nil:
		l.end = response.Codes(err.Errors)[0]
	case cause == nil:
		l.end = endCompleted
	default:
		l.end = endOf(cause)
	}
}

func endOf(cause error) string {
	switch {
	case errors.Is(cause, errStopping):
		return endStop
	case errors.Is(cause, errExpired), errors.Is(cause, errUntrusted):
		return endExpired
	case errors.Is(cause, errSlowClient):
		return endSlow
	case errors.Is(cause, ErrClientLeft):
		return endClient
	case errors.Is(cause, ErrDone):
		return endCompleted
	default:
		return endGone
	}
}
