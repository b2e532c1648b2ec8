package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/loaders"
)

// serveCommand is `serve`.
type serveCommand struct {
	folderArgument
	Table      local.Settings     `embed:"" group:"Table"`
	Sample     sampleSettings     `embed:"" group:"Table"`
	Auth       auth.Settings      `embed:"" group:"Tokens"`
	HTTP       httpSettings       `embed:"" group:"Clients"`
	Federation federationSettings `embed:"" group:"Clients"`
	Agents     agentSettings      `embed:"" group:"Clients"`
	Exposure   gateway.Exposure   `embed:"" group:"What is shown"`
	Visitor    visitorSettings    `embed:"" group:"What is shown"`
	Cost       costSettings       `embed:"" group:"Costs"`
	Live       liveSettings       `embed:"" group:"Live data and caches"`
	Cache      cache.Settings     `embed:"" group:"Live data and caches"`
	Shared     replicas.Settings  `embed:"" group:"Replicas"`
	Cursors    cursorSettings     `embed:"" group:"Replicas"`
	Sweep      sweeping           `embed:"" group:"Background"`
	Background kong.Plugins       `embed:"" group:"Background"`
	Telemetry  telemetrySettings  `embed:"" group:"Process"`

	Addr             string        `group:"Process" env:"ADDR" placeholder:"HOST:PORT" help:"Address to listen on. :8080 by default, localhost:8080 on the local engine, whose data are for this machine; localhost is 127.0.0.1 and ::1."`
	OperationTimeout time.Duration `group:"Process" env:"OPERATION_TIMEOUT" default:"10s" range:"1ns..24h" help:"How long one operation may take, waiting for its turn included."`
	Grace            time.Duration `group:"Process" env:"GRACE" default:"20s" range:"0s..24h" help:"How long operations in flight may take after the gateway is stopped."`
	LogFormat        string        `group:"Process" env:"LOG_FORMAT" default:"text" enum:"text,json" help:"Format of the log: text or json."`
	Reset            bool          `help:"Begin with a new table of the local engine and its first data. What was written to the old one is lost."`
	Watch            bool          `help:"Serve each change of the folder when it is saved, for development."`
}

// Validate returns an error for settings that exclude each other.
func (c *serveCommand) Validate() error {
	if c.Live.Live == "off" && c.Cache.KeepsItems() {
		return errors.New("--cache-bytes needs the stream of the table, which --live=off leaves alone")
	}
	if c.Cache.SharedReads == "off" && c.Cache.KeepsItems() {
		return errors.New("--cache-bytes keeps items for all operations, which --shared-reads=off excludes")
	}
	if c.Watch && c.Dir == "" {
		return errors.New("--watch needs a folder to watch")
	}
	return nil
}

// open returns what needs no table.
func (c *serveCommand) open(ctx context.Context, a *Application) (*slog.Logger, *auth.Authenticator, error) {
	log, err := logging.New(os.Stderr, c.LogFormat)
	if err != nil {
		return nil, nil, err
	}
	slog.SetDefault(log)
	if c.Auth, err = a.authSettings(ctx, c.Auth, c.Table); err != nil {
		return nil, nil, err
	}
	authenticator, err := newAuthenticator(ctx, c.Auth, log)
	if err != nil {
		return nil, nil, err
	}
	if err := cmp.Or(c.Cursors.open(), c.Federation.check(a), c.Visitor.check(authenticator)); err != nil {
		return nil, nil, err
	}
	if err := c.HTTP.open(c.Federation.of(a).schema.Schema()); err != nil {
		return nil, nil, err
	}
	return log, authenticator, c.setAgents(ctx, &gateway.Config{}, a, authenticator, slog.New(slog.DiscardHandler))
}

// Run serves until the context ends.
func (c *serveCommand) Run(ctx context.Context, a *Application) error {
	log, authenticator, err := c.open(ctx, a)
	if err != nil {
		return err
	}
	setMemory(ctx, log)
	// The port is opened first, so that a second gateway fails before it changes any data.
	listeners, err := listen(c.address(ctx))
	if err != nil {
		return err
	}
	defer listeners.close()
	settings, err := c.tableSettings(ctx, a)
	if err != nil {
		return err
	}
	t, id, err := a.openTable(ctx, settings, log)
	if err != nil {
		return err
	}
	c.Cursors.tableID = id
	err = c.serve(ctx, a, listeners, t, authenticator, log)
	return errors.Join(err, t.Close())
}

// tableSettings returns the settings of the table, with the first items of a new one of the local engine.
func (c *serveCommand) tableSettings(ctx context.Context, a *Application) (local.Settings, error) {
	s := a.seeded(c.Table)
	s.Reset = c.Reset
	if s.Reset && !s.Local(ctx) {
		return s, &usageError{errors.New("--reset is for the local engine; no other table is changed"), a.Name}
	}
	return s, nil
}

func (c *serveCommand) serve(ctx context.Context, a *Application, listeners listeners, t *local.Table,
	authenticator *auth.Authenticator, log *slog.Logger,
) error {
	observed, err := c.Telemetry.open(ctx, a.Name, t, c.HTTP.operations, log)
	if err != nil {
		return err
	}
	defer observed.close(ctx, log)
	t = observed.table(t)
	stop, err := observed.serve(ctx, c.HTTP.page, log)
	if err != nil {
		return err
	}
	defer stop()
	store, err := openStore(ctx, c.Shared, observed, log)
	if err != nil {
		return err
	}
	defer store.Close()
	logLimits(ctx, log)
	changes := &liveData{
		settings: c.Live, stream: a.Stream, store: store, cursors: c.Cursors.secret(), metrics: observed.metrics, log: log,
	}
	defer changes.close()
	shared := newCache(c.Cache, observed)
	config := c.config(a, t, store, observed, authenticator, log)
	handler, stopWatch, err := c.handler(ctx, a, t, func(a *Application, t *local.Table) (gateway.Config, error) {
		config := config
		if err := c.setAgents(ctx, &config, a, authenticator, log); err != nil {
			return config, err
		}
		changes.close() // nothing is delivered to the cache before it is emptied for another schema
		c.setSchema(&config, a, t, sourceOf(c.Cache, shared, t), observed, log)
		design := c.Federation.of(a).design
		config.Subscriptions.Live = changes.start(ctx, design, t, evicted(c.Cache, shared, design)...)
		return config, nil
	}, log)
	if err != nil {
		return err
	}
	if t.IsLocal() {
		warnOfExposure(ctx, exposure{config, listeners, c.Telemetry.MetricsAddr, c.Auth.IsDemo()}, log)
	}
	serving := []any{"addr", listeners.String()}
	if !config.Playground.Disabled {
		serving = append(serving, "playground", "http://"+listeners.browsable())
	}
	log.InfoContext(ctx, "serving", append(serving, "local", t.IsLocal())...)
	stopSample := func() {}
	if handler.servesOwnDesign() {
		stopSample = c.Sample.start(ctx, a, t.Table, log)
	}
	err = httpserver.Serve(ctx, listeners[0], handler, c.server(), listeners[1:]...)
	stopWatch()
	stopSample()
	log.InfoContext(ctx, "stopped")
	select {
	case died := <-t.Died():
		return errors.Join(err, &exit.Error{
			Problem: fmt.Sprintf("the local engine had ended before the gateway was stopped (%v)", died),
			Fix:     "start the gateway again; no data is lost",
			Code:    exit.Unavailable, Err: died,
		})
	default:
		return err
	}
}

// config returns the configuration of the gateway without its schema.
func (c *serveCommand) config(a *Application, t *local.Table, store *replicas.Store, observed *observers,
	authenticator *auth.Authenticator, log *slog.Logger,
) gateway.Config {
	config := gateway.Config{
		Consumption: operation.Consumption{
			Budget:             c.Cost.budget(t.IsLocal()),
			AnonymousMutations: c.Cost.anonymousMutations(),
			Store:              store,
		},
		Callers: operation.Callers{
			TrustedProxies: c.Cost.TrustedProxies,
			Authenticate:   authenticator.Authenticate,
			OnKeys:         authenticator.OnKeys,
		},
		Monitoring: gateway.Monitoring{
			Logger:   log,
			Observer: observed.observer,
			Metrics:  observed.handler(),
			Keys:     observed.metrics.Keys(),
		},
		Playground: gateway.Playground{SignIn: c.Visitor.signIn(authenticator)},
		Table:      gateway.TablePage{Reader: tableReader(a, t, observed, c.Cursors.secret())},
		Documents:  document.Settings{Manifest: c.HTTP.operations},
		Browser: browser.Rules{
			CORSOrigins: c.HTTP.CORSOrigins,
			CORSHeaders: c.HTTP.CORSHeaders,
			HSTS:        c.HTTP.HSTSMaxAge,
		},
		Limits: operation.Limits{OperationTimeout: c.OperationTimeout},
	}
	c.Exposure.Apply(&config, t.IsLocal())
	if host := hostOf(c.Addr); t.IsLocal() && host != "" {
		config.Browser.AllowedHosts = config.Browser.AllowedHosts.With(host)
	}
	return config
}

// setSchema sets what follows from the schema of an application, whose operations read from the source.
func (c *serveCommand) setSchema(config *gateway.Config, a *Application, t *local.Table, source loaders.Source,
	observed *observers, log *slog.Logger,
) {
	served := c.Federation.of(a)
	config.Schema = served.schema
	config.Callers.NeedsTenant, config.Callers.Ready = c.Table.TenantClaim != "", a.tenancy.ready
	config.Monitoring.Ready = func(ctx context.Context) error { return admin.Verify(ctx, t.Table) }
	page := a.Demo.as(c.Visitor).playground(c.Auth, c.Table, c.HTTP.page)
	page.Disabled, page.SignIn = config.Playground.Disabled, config.Playground.SignIn
	config.Playground, config.Fields = page, a.fieldFacts()
	config.Design = a.designPage(c.Table.TenantClaim != "")
	if config.Table.Reader != nil {
		config.Table.Reader = tableReader(a, t, observed, c.Cursors.secret())
	}
	config.Engine = loaders.New(served.design, served.schema.Schema(), source, loaders.Options{
		MaxInFlight: c.requestsInFlight(t.IsLocal()),
		// That of the local engine as well, so that waves are those of a table in production.
		MaxInFlightPerOperation: max(1, c.Table.MaxConnections/2),
		Hooks:                   a.Hooks,
		Workload:                t.Workload,
		Deleted:                 c.Sweep.wake,
		Limits:                  c.Cost.limits(),
		MaxAnonymousObjects:     c.Cost.MaxAnonymousObjects,
		CursorSecret:            c.Cursors.secret(),
		Observer:                observed.observer,
		Logger:                  log,
		SDL:                     served.sdl,
	})
}

// readingTime is how long a client may take to read the answer to the longest operation: 8 MiB at 170 KB each second.
const readingTime = 50 * time.Second

func (c *serveCommand) server() httpserver.Settings {
	return httpserver.Settings{WriteTimeout: c.OperationTimeout + readingTime, Grace: c.Grace}
}

// logLimits logs the limits that are derived from what the process has.
func logLimits(ctx context.Context, log *slog.Logger) {
	resources := operation.AvailableResources()
	l, s := operation.Limits{}.Derive(resources), subscribe.Limits{}.Derive(resources)
	log.InfoContext(ctx, "limits of the process", "cpus", resources.CPUs, "memoryBytes", resources.Memory,
		"operations", l.MaxOperations, "operationsPerCaller", l.MaxOperationsPerCaller,
		"bufferedBytes", l.MaxBufferedBytes, "bufferedBytesPerCaller", l.MaxBufferedBytesPerCaller,
		"answerBytes", l.MaxAnswerBytes,
		"connections", s.MaxConnections, "connectionsPerCaller", s.MaxConnectionsPerCaller,
		"subscriptions", s.MaxSubscriptions, "subscriptionsPerCaller", s.MaxSubscriptionsPerCaller)
}

// localRequests is how many requests to the local engine are useful at a time. It carries out one after the other, so
// that further ones only delay those of other callers.
const localRequests = 8

func (c *serveCommand) requestsInFlight(local bool) int {
	if local {
		return min(c.Table.MaxConnections, localRequests)
	}
	return c.Table.MaxConnections
}

// address returns the address to listen on. The data of the local engine are for this machine: its secret is public.
func (c *serveCommand) address(ctx context.Context) string {
	if c.Table.Local(ctx) {
		return cmp.Or(c.Addr, "localhost:8080")
	}
	return cmp.Or(c.Addr, ":8080")
}

// designHandler is the gateway of an application by the record of the table's design.
type designHandler interface {
	http.Handler
	// servesOwnDesign reports whether the table has the application's own design.
	servesOwnDesign() bool
}

// handler returns the gateway of an application, which follows the table's record until stop is called; with --watch,
// it follows its folder as well.
func (c *serveCommand) handler(
	ctx context.Context, a *Application, t *local.Table,
	newConfig func(*Application, *local.Table) (gateway.Config, error), log *slog.Logger,
) (handler designHandler, stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	if !c.Watch {
		d := newDesigned(ctx, a, t, log)
		d.sweep = c.Sweep.start
		d.newHandler = func(a *Application, t *local.Table) (http.Handler, error) {
			config, err := newConfig(a, t)
			if err != nil {
				return nil, err
			}
			return gateway.New(config), nil
		}
		if err := d.start(ctx); err != nil {
			cancel()
			return nil, nil, err
		}
		return d, func() {
			d.stop(ctx)
			cancel()
		}, nil
	}
	w, err := c.newWatcher(ctx, a, t, newConfig, log)
	var wait func()
	if err == nil {
		wait, err = w.start(ctx)
	}
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return w, func() {
		w.designed.stop(ctx)
		cancel()
		wait()
	}, nil
}

func (c *serveCommand) newWatcher(
	ctx context.Context, a *Application, t *local.Table,
	newConfig func(*Application, *local.Table) (gateway.Config, error), log *slog.Logger,
) (*watcher, error) {
	w := &watcher{app: *a, table: t, log: log, changes: newChanges(ctx, a.folder.Version),
		out: os.Stderr, data: dataFileOf(a.folder), designed: newDesigned(ctx, a, t, log)}
	w.designed.sweep = c.Sweep.start
	w.designed.newHandler = func(a *Application, t *local.Table) (http.Handler, error) {
		files := c.HTTP
		if err := files.openManifest(c.Federation.of(a).schema.Schema()); err != nil {
			return nil, err
		}
		config, err := newConfig(a, t)
		if err != nil {
			return nil, err
		}
		config.Documents.Manifest, config.Playground.Changes = files.operations, w.changes
		return gateway.New(config), nil
	}
	if t.IsLocal() {
		w.designed.every = everyHere
	}
	return w, w.designed.start(ctx)
}

// everyHere is how often the only replica of a local engine looks for a new record, which it writes itself.
const everyHere = 200 * time.Millisecond

// streamHere is how the stream of a local engine is read, which has each change at once.
var streamHere = stream.Settings{Interval: everyHere, Settled: time.Millisecond}
