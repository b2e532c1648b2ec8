package app

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// liveSettings say whether and how the stream of the table is read.
type liveSettings struct {
	Live string `env:"LIVE" default:"auto" enum:"auto,off" help:"auto: the stream of the table is read if the schema has live fields or the cache keeps items; off: it is not, and there are no subscriptions, and the cache cannot be used."`
}

// liveData reads the stream of the table for what is served.
type liveData struct {
	settings liveSettings
	stream   stream.Settings
	store    *replicas.Store
	cursors  []byte
	metrics  *telemetry.Metrics
	log      *slog.Logger

	// reader is nil before the stream is read. stop ends it.
	reader atomic.Pointer[streamReader]
	stop   func()
}

// streamReader is a reader of the stream with the records that others had delivered before it, and their requests.
type streamReader struct {
	*stream.Reader
	records, requests int64
}

// Records returns how many records have been delivered.
func (r *streamReader) Records() int64 { return r.records + r.Reader.Records() }

// Requests returns how many requests have read the stream.
func (r *streamReader) Requests() int64 { return r.requests + r.Reader.Requests() }

// start returns the hub of a design, for which the stream of the table is read until the next start or close; nil if
// nothing needs the stream. A sink that the hub's events depend on is before it.
func (l *liveData) start(ctx context.Context, design *design.Design, t *local.Table, before ...live.Sink) *live.Hub {
	l.close()
	if l.settings.Live == "off" || len(design.Live) == 0 && len(before) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	reader := &streamReader{Reader: stream.New(t.Table, stream.Options{
		Settings: l.stream, Alone: t.IsLocal(), Store: l.store, Logger: l.log,
	})}
	if last := l.reader.Load(); last != nil {
		reader.records, reader.requests = last.Records(), last.Requests()
	}
	if l.reader.Swap(reader) == nil {
		l.metrics.ObserveStream(l)
	}
	hub := live.NewHub(design, live.Options{
		Reader: reader, Cursors: keys.NewCursors(l.cursors),
	})
	var reading sync.WaitGroup
	reading.Go(func() {
		if t.IsLocal() {
			if err := admin.EnsureStream(ctx, t.Table); err != nil && ctx.Err() == nil {
				l.log.ErrorContext(ctx, "the stream of the table cannot be turned on", "error", err.Error())
			}
		}
		_ = reader.Read(ctx, append(sinks(before), hub)) // its error is that of the context
	})
	l.stop = func() {
		hub.Close()
		cancel()
		reading.Wait()
	}
	return hub
}

// close ends all subscriptions, and stores how far the stream has been read.
func (l *liveData) close() {
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
}

// Lag implements telemetry.Stream, as the following methods.
func (l *liveData) Lag() (time.Duration, bool) { return l.reader.Load().Lag() }

// Records returns how many records have been delivered.
func (l *liveData) Records() int64 { return l.reader.Load().Records() }

// Requests returns how many requests have read the stream.
func (l *liveData) Requests() int64 { return l.reader.Load().Requests() }

// Shards returns how many shards of the stream this replica reads by itself.
func (l *liveData) Shards() int { return l.reader.Load().Shards() }

// sinks passes what it receives to each sink, in their order.
type sinks []live.Sink

// Deliver implements live.Sink. A sink before the one that needs items has received the changes then, which does no
// harm: it is a cache.
func (s sinks) Deliver(changes []*live.Change) (needed []*live.Change) {
	for _, sink := range s {
		if needed = sink.Deliver(changes); len(needed) > 0 {
			return needed
		}
	}
	return nil
}

// Current implements live.Sink.
func (s sinks) Current(at time.Time) {
	for _, sink := range s {
		sink.Current(at)
	}
}

// Lost implements live.Sink.
func (s sinks) Lost(cause error) {
	for _, sink := range s {
		sink.Lost(cause)
	}
}
