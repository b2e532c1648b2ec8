package replicas

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"
	"golang.org/x/time/rate"
)

const (
	// probeInterval is the time between two checks whether the store is reachable.
	probeInterval = time.Second
	// logInterval is the shortest time between two lines of the log that a store is not reachable.
	logInterval = time.Minute
	// bufferBytes is the size of each buffer of a connection. A command has a few hundred bytes.
	bufferBytes = 16 << 10
)

// ErrUnreachable is returned if the store did not answer in time, answered with an error, or is known not to be
// reachable. The log has the cause.
var ErrUnreachable = errors.New("the shared store is not reachable")

// Store runs scripts in a Valkey or Redis server. Its methods may be called concurrently.
//
// The first error ends the use of the store until a goroutine, which tries each second, reaches it again. So no
// operation waits for a store that is known not to answer.
type Store struct {
	options valkey.ClientOption
	client  atomic.Pointer[valkey.Client]
	address string
	prefix  string
	timeout time.Duration
	log     *slog.Logger

	reachable atomic.Bool
	fallbacks atomic.Int64
	lost      chan error // wakes watch; has room for one
	stop      context.CancelFunc
	stopped   chan struct{}
}

// Open connects to the store of the settings, which must be set and valid. If the store is not reachable, Open logs a
// warning, and the Store is used as soon as it is. It must be closed.
func Open(ctx context.Context, settings Settings, log *slog.Logger) (*Store, error) {
	options, prefix, err := settings.options()
	if err != nil {
		return nil, err
	}
	options.Dialer.Timeout = max(settings.Timeout, probeInterval)
	options.Dialer.KeepAlive = probeInterval          // of the PINGs of an idle connection
	options.ConnWriteTimeout = options.Dialer.Timeout // after which an unanswered PING ends the connection
	options.PipelineMultiplex = -1                    // one connection, on which commands do not wait for each other
	options.ReadBufferEachConn, options.WriteBufferEachConn = bufferBytes, bufferBytes
	options.DisableCache, options.DisableRetry = true, true
	options.ClientSetInfo = valkey.DisableClientSetInfo // a command that users need not be allowed
	options.ForceSingleClient = true                    // only then a store that is not reachable yet is no error
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &Store{
		options: options, address: options.InitAddress[0], prefix: "{" + prefix + "}:", timeout: settings.Timeout,
		log: log, lost: make(chan error, 1), stop: stop, stopped: make(chan struct{}),
	}
	if err = s.connect(); err != nil {
		stop()
		return nil, fmt.Errorf("the shared store cannot be used: %w", err)
	}
	if err = s.probe(ctx); err != nil {
		s.lost <- err
	} else {
		s.reachable.Store(true)
		log.InfoContext(ctx, "the shared store is reachable", "store", s.address)
	}
	go s.watch(ctx)
	return s, nil
}

// connect begins with new connections.
func (s *Store) connect() error {
	client, err := valkey.NewClient(s.options)
	if client == nil {
		return err
	}
	if before := s.client.Swap(&client); before != nil {
		(*before).Close()
	}
	return nil
}

// use returns the client of the present connections.
func (s *Store) use() valkey.Client { return *s.client.Load() }

// Close ends the connections. Afterwards the store is not reachable. It does nothing for a nil Store.
func (s *Store) Close() {
	if s == nil {
		return
	}
	s.stop()
	<-s.stopped
	s.reachable.Store(false)
	s.use().Close()
}

// IsReachable reports whether the store is used at present.
func (s *Store) IsReachable() bool { return s.reachable.Load() }

// Fallbacks returns how often Run has returned ErrUnreachable.
func (s *Store) Fallbacks() int64 { return s.fallbacks.Load() }

// A Script runs in the store, atomically. Its result is a list of strings.
type Script struct{ lua *valkey.Lua }

// NewScript returns a script in Lua. The server gets its text once, and then its SHA-1 (EVALSHA).
func NewScript(lua string) *Script { return &Script{valkey.NewLuaScript(lua)} }

// Key returns the key in the store of something that one gateway calls name. All keys of a gateway have the same hash
// tag, so that a script may use several of them.
//
// https://valkey.io/topics/cluster-spec/#hash-tags
func (s *Store) Key(name string) string { return s.prefix + name }

// Run runs a script with keys from Key. The only error is ErrUnreachable. It returns after at most the timeout of the
// settings, also if ctx ends before: whether the script has run would be unknown otherwise.
func (s *Store) Run(ctx context.Context, script *Script, keys, args []string) ([]string, error) {
	if !s.reachable.Load() {
		s.fallbacks.Add(1)
		return nil, ErrUnreachable
	}
	result, err := s.run(ctx, script, keys, args)
	if err == nil {
		return result, nil
	}
	s.fallbacks.Add(1)
	if s.reachable.CompareAndSwap(true, false) {
		s.lost <- err
	}
	return nil, ErrUnreachable
}

func (s *Store) run(ctx context.Context, script *Script, keys, args []string) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
	defer cancel()
	return script.lua.Exec(ctx, s.use(), keys, args).AsStrSlice()
}

// probeScript does what scripts do, so that a store that is read-only, full or forbids scripts is not reachable.
var probeScript = NewScript(`redis.call('SET', KEYS[1], '', 'PX', 1000) return {}`)

func (s *Store) probe(ctx context.Context) error {
	_, err := s.run(ctx, probeScript, []string{s.Key("probe")}, nil)
	return err
}

// watch checks whether the store is reachable, until the context ends. It logs a loss and the return, at most once in
// logInterval.
func (s *Store) watch(ctx context.Context) {
	defer close(s.stopped)
	sometimes := rate.Sometimes{Interval: logInterval}
	ticks := time.NewTicker(probeInterval)
	defer ticks.Stop()
	for {
		var cause error
		select {
		case <-ctx.Done():
			return
		case cause = <-s.lost:
		case <-ticks.C: // so that the loss is known even if nobody uses the store
			if cause = s.probe(ctx); cause == nil || !s.reachable.CompareAndSwap(true, false) {
				continue
			}
		}
		isLogged := false
		ticks.Reset(probeInterval)
		for cause != nil {
			if !isLogged {
				sometimes.Do(func() {
					isLogged = true
					s.log.WarnContext(ctx, "the shared store is not reachable: this replica continues by itself",
						"store", s.address, "error", cause.Error())
				})
			}
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				cause = s.probe(ctx)
			}
			if _, answered := valkey.IsValkeyErr(cause); answered {
				// It is read-only or full, and another server may have become the primary at this address.
				_ = s.connect() // the next probe has the error
			}
		}
		s.reachable.Store(true)
		if isLogged {
			s.log.InfoContext(ctx, "the shared store is reachable again", "store", s.address)
		}
	}
}
