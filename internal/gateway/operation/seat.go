package operation

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/netip"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/viewer"
)

// Shares are what the callers of operations share.
type Shares struct {
	limits     Limits
	cpus       *share.Pool
	operations *share.Pool
	// events are operations that the gateway begins by itself: those of subscriptions. All of them may wait, as there
	// are no more than subscriptions.
	events *share.Pool
	// pages are questions of the page /table, which read up to a megabyte each: a caller has one at a time.
	Pages *share.Pool
	// shortages are events whose budget is short: those of a caller wait one after the other.
	Shortages *share.Pool
	memory    *share.Memory
}

// turnsPerCPU is how many operations of a caller who is alone may compute at a time, for each CPU. More than one, so
// that no CPU is idle while an operation that has got its turn is not yet running.
const turnsPerCPU = 4

// maxPages is how many questions of the page /table are answered at a time.
const maxPages = 2

// NewShares returns the shares of a process with so many CPUs.
func NewShares(l Limits, cpus int) *Shares {
	turns := turnsPerCPU * cpus
	return &Shares{
		limits: l,
		// Beside others, a caller leaves them a CPU: nobody waits for the end of what somebody else computes. To parse
		// answers, for which others may wait, there are as many places again.
		cpus: share.NewPool(share.Limits{
			Size: turns, PerCaller: turns, Beside: max(1, cpus-1), Waiting: math.MaxInt,
		}),
		operations: share.NewPool(share.Limits{
			Size: l.MaxOperations, PerCaller: l.MaxOperationsPerCaller, Beside: l.MaxOperationsPerCaller,
			Waiting: l.MaxOperationsPerCaller,
		}),
		events: share.NewPool(share.Limits{
			Size: l.MaxOperations, PerCaller: l.MaxOperationsPerCaller, Beside: l.MaxOperationsPerCaller,
			Waiting: math.MaxInt,
		}),
		Pages: share.NewPool(share.Limits{
			Size: maxPages, PerCaller: 1, Beside: 1, Waiting: l.MaxOperationsPerCaller,
		}),
		Shortages: share.NewPool(share.Limits{Size: math.MaxInt, PerCaller: 1, Beside: 1, Waiting: math.MaxInt}),
		memory:    share.NewMemory(l.MaxBufferedBytes, l.MaxBufferedBytesPerCaller),
	}
}

// A Seat is what a request has of its caller's share until the response has been written. It is also the
// ResponseWriter below the compression: a turn on the CPUs ends when something is sent to the client, who may be slow.
type Seat struct {
	http.ResponseWriter
	Shares   *Shares
	Turn     share.Turn
	inFlight bool
	inEvent  bool
	bytes    int64
}

// Seated gives each request a seat.
func (s *Shares) Seated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seat := &Seat{ResponseWriter: w, Shares: s}
		defer seat.Leave()
		next.ServeHTTP(seat, r.WithContext(seat.Within(r.Context())))
	})
}

type seatKey struct{}

// Within returns the context of an operation with the seat and its turn.
func (s *Seat) Within(ctx context.Context) context.Context {
	return context.WithValue(share.NewContext(ctx, &s.Turn), seatKey{}, s)
}

// SeatOf returns the seat of an operation's context.
func SeatOf(ctx context.Context) *Seat { return ctx.Value(seatKey{}).(*Seat) }

// Write implements io.Writer.
func (s *Seat) Write(p []byte) (int, error) {
	s.Turn.End()
	return s.ResponseWriter.Write(p)
}

// Flush implements http.Flusher, which the compression needs to pass events on.
func (s *Seat) Flush() {
	_ = http.NewResponseController(s.ResponseWriter).Flush() // an error is that of the next write as well
}

// Unwrap is for http.ResponseController.
func (s *Seat) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Sit sets whose share it is.
func (s *Seat) Sit(c share.Caller) { s.Turn.CPUs, s.Turn.Caller = s.Shares.cpus, c }

// CallerOf returns whose share a request of the viewer is part of.
func CallerOf(v viewer.Viewer, r *http.Request, trusted []netip.Prefix) share.Caller {
	if !v.IsAnonymous() {
		return share.Caller{Tenant: v.Tenant, Viewer: v.ID}
	}
	return share.Caller{Network: networkOf(clientAddress(r, trusted))}
}

// Enter waits until the operation may be in flight, and then for a turn on the CPUs.
func (s *Seat) Enter(ctx context.Context) *response.Error {
	s.Turn.Arrive()
	if err := s.Shares.operations.Acquire(ctx, s.Turn.Caller); err != nil {
		return s.rejected(err)
	}
	s.inFlight = true
	return s.compute(ctx)
}

// Event is enter for an event of a subscription. It waits however many others do.
func (s *Seat) Event(ctx context.Context) *response.Error {
	s.Turn.Arrive()
	if err := s.Shares.events.Acquire(ctx, s.Turn.Caller); err != nil {
		return busy()
	}
	s.inEvent = true
	return s.compute(ctx)
}

// compute waits for a turn on the CPUs, unless the operation has one.
func (s *Seat) compute(ctx context.Context) *response.Error {
	if err := s.Turn.Begin(ctx); err != nil {
		return busy()
	}
	return nil
}

// Leave gives everything back. A subscription that has begun does so as well, and enters again for each event.
func (s *Seat) Leave() {
	s.Turn.End()
	if s.inFlight {
		s.Shares.operations.Release(s.Turn.Caller)
		s.inFlight = false
	}
	if s.inEvent {
		s.Shares.events.Release(s.Turn.Caller)
		s.inEvent = false
	}
	if s.bytes > 0 {
		s.Shares.memory.Give(s.Turn.Caller, s.bytes)
		s.bytes = 0
	}
}

// rejected returns the error for an operation that cannot have a place.
func (s *Seat) rejected(err error) *response.Error {
	if errors.Is(err, share.ErrCallerFull) {
		return response.Later(response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited,
			"%d operations of yours are being answered, and others wait. Send fewer at a time.",
			s.Shares.limits.MaxOperationsPerCaller))
	}
	return busy()
}

// sendAgain ends the message of an error because of which an operation was not executed.
const sendAgain = " Send the operation again."

func busy() *response.Error {
	return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
		"The gateway is busy."+sendAgain))
}

// Take takes bytes for a buffer until the seat is left.
func (s *Seat) Take(bytes int) *response.Error {
	switch s.Shares.memory.Take(s.Turn.Caller, int64(bytes)) {
	case share.CallerFull:
		return response.Later(response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited,
			"Your requests, answers that you have not read yet, and large subscriptions have more than %d bytes. "+
				"Read the answers, end subscriptions, and send fewer operations at a time.",
			s.Shares.limits.MaxBufferedBytesPerCaller))
	case share.Full:
		return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The gateway is busy: too much that it has received or answered is still on its way."+sendAgain))
	default:
		s.bytes += int64(bytes)
		return nil
	}
}

// TakingReader takes the bytes that it reads.
type TakingReader struct {
	io.Reader
	Seat   *Seat
	Failed *response.Error
}

var errNoMemory = errors.New("gateway: the caller's share of memory is taken")

// Read implements io.Reader.
func (t *TakingReader) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if n == 0 {
		return 0, err
	}
	if t.Failed = t.Seat.Take(n); t.Failed != nil {
		return 0, errNoMemory
	}
	return n, err
}
