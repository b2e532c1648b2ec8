package subscribe

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/share"
)

// A socket is a WebSocket connection. One goroutine reads its messages, and each operation has one.
type socket struct {
	*Server
	conn    *websocket.Conn
	line    *streamLine
	upgrade *http.Request

	// Of the goroutine that reads: the upgrade with the viewer of connection_init, whether there was one, whose share the
	// connection is part of, what gives its place back, and the limit of messages.
	request     *http.Request
	initialised bool
	caller      share.Caller
	release     func()
	maxMessage  int64 // bytes

	initTimer, idleTimer, pingTimer, messageTimer *time.Timer
	// distrust ends the wait for the end of the trust in the viewer's token; nil before connection_init.
	distrust func()

	operations sync.WaitGroup
	relays     relays
	noted      sync.Once // why the connection ends
	pinging    atomic.Bool
	busy       atomic.Int32 // messages that are being handled or sent

	mu            sync.Mutex
	retired       error // why no more operations begin; nil while they do
	active        map[string]*socketOperation
	inFlight      int // operations that are no subscriptions, or have not begun as such
	subscriptions int
}

// end notes why the connection ends, unless it has been noted.
func (s *socket) end(why, detail string) {
	s.noted.Do(func() { s.line.end, s.line.detail = why, detail })
}

// close ends all operations and the connection.
func (s *socket) close(code websocket.StatusCode, reason, why string) {
	s.end(why, reason)
	s.cancel(ErrClientGone, true)
	cut := strings.ToValidUTF8(reason[:min(len(reason), maxCloseReason)], "")
	_ = s.conn.Close(code, cut) // the client may be gone
}

// retire ends subscriptions, waits for queries and mutations, and ends the connection.
func (s *socket) retire(code websocket.StatusCode, reason string, cause error) {
	s.end(endOf(cause), "")
	s.cancel(cause, false)
	s.operations.Wait()
	_ = s.conn.Close(code, reason) // the client may be gone
}

// noMore lets no more operations begin. s.mu is locked.
func (s *socket) noMore(cause error) {
	if s.retired == nil {
		s.retired = cause
	}
}

// cancel ends subscriptions, and all operations if it is asked to. No more begin.
func (s *socket) cancel(cause error, all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noMore(cause)
	for _, o := range s.active {
		if all || o.subscribed {
			o.cancel(cause)
		}
	}
}

func (s *socket) closeIdle() {
	s.mu.Lock()
	idle := s.inFlight+s.subscriptions == 0
	if idle {
		s.noMore(ErrClientGone)
	}
	s.mu.Unlock()
	if idle {
		s.close(closeNormal, "There was no operation for a long time", endIdle)
	}
}

// ping finds out whether the client is there. Browsers and all libraries answer these pings by themselves. Ping does
// not end a connection whose client has not answered.
func (s *socket) ping() {
	ctx, cancel := context.WithTimeout(s.upgrade.Context(), s.Server.limits.MessageTimeout)
	defer cancel()
	s.pinging.Store(true)
	// While this side handles or sends a message, a pong or the ping itself may have to wait for that. These have limits
	// of their own.
	if err := s.conn.Ping(ctx); err != nil && s.busy.Load() == 0 {
		s.end(endSilent, "")
		s.cancel(ErrClientGone, true)
		_ = s.conn.CloseNow() // it may be closed
		return
	}
	s.pinging.Store(false)
	s.pingTimer.Reset(s.Server.limits.PingInterval)
}

// A socketOperation is an operation on a WebSocket.
type socketOperation struct {
	id         string
	payload    []byte // of the message subscribe
	seat       *operation.Seat
	cancel     context.CancelCauseFunc
	subscribed bool // it is a subscription that has begun
}
