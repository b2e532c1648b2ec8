package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/gateway/auth"
	"github.com/partita/partita/gateway/httpserver"
	"github.com/partita/partita/gateway/logging"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table/admin"
	"github.com/partita/partita/table/local"
)

// serveCommand is `serve`.
type serveCommand struct {
	Table      local.Settings      `embed:""`
	Telemetry  telemetrySettings   `embed:""`
	Auth       auth.Settings       `embed:""`
	HTTP       httpSettings        `embed:""`
	Limits     gateway.Limits      `embed:""`
	Exposure   gateway.Exposure    `embed:""`
	Cost       costSettings        `embed:""`
	Server     httpserver.Settings `embed:""`
	Background kong.Plugins        `embed:""`

	Addr      string `env:"ADDR" default:":8080" help:"Address to listen on."`
	Executor  string `env:"EXECUTOR" default:"plan" enum:"plan,gqlgen" help:"Executor of operations without hand-written Go: plan answers them from the plan, gqlgen runs generated code and resolvers as for all others. The answers are the same."`
	LogFormat string `env:"LOG_FORMAT" default:"text" enum:"text,json" help:"Format of the log: text or json."`
}

// Validate returns an error for durations that exclude each other.
func (c *serveCommand) Validate() error {
	if err := cmp.Or(c.Limits.Validate(), c.Server.Validate()); err != nil {
		return err
	}
	if c.Limits.OperationTimeout >= c.Server.WriteTimeout {
		return fmt.Errorf("--write-timeout must be longer than --operation-timeout, %v, not %v",
			c.Limits.OperationTimeout, c.Server.WriteTimeout)
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
	if c.Auth, err = authSettings(c.Auth, c.Table.Local(ctx)); err != nil {
		return nil, nil, err
	}
	authenticator, err := newAuthenticator(ctx, c.Auth, log)
	if err != nil {
		return nil, nil, err
	}
	return log, authenticator, c.HTTP.open(a.Schema.Schema())
}

// Run serves until the context ends.
func (c *serveCommand) Run(ctx context.Context, a *Application) error {
	log, authenticator, err := c.open(ctx, a)
	if err != nil {
		return err
	}
	setMemory(ctx, log)
	// The port is opened first, so that a second gateway fails before it changes any data.
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return cannotListen("ADDR", c.Addr, err)
	}
	defer func() { _ = listener.Close() }()
	c.Table.Seed = a.Demo.seed
	t, err := a.openTable(ctx, c.Table, log)
	if err != nil {
		return err
	}
	err = c.serve(ctx, a, listener, t, authenticator, log)
	return errors.Join(err, t.Close())
}

// seed yields the items of a new table of the local engine: none if there are no demo data.
func (d Demo) seed(yield func(item.Item) bool) {
	if d.Items != nil {
		d.Items(yield)
	}
}

func (c *serveCommand) serve(ctx context.Context, a *Application, listener net.Listener, t *local.Table,
	authenticator *auth.Authenticator, log *slog.Logger,
) error {
	observed, err := c.Telemetry.open(ctx, a.Name, t, log)
	if err != nil {
		return err
	}
	defer observed.close(ctx, log)
	stop, err := observed.serve(ctx, log)
	if err != nil {
		return err
	}
	defer stop()
	stopBackground := func() {}
	if a.Background != nil {
		stopBackground = a.Background.Start(ctx, t.Table, log)
	}
	config := c.config(a, t, observed, authenticator, log)
	config.Limits = deriveLimits(ctx, config.Limits, log)
	serving := []any{"addr", listener.Addr().String()}
	if !config.Playground.Disabled {
		serving = append(serving, "playground", "http://"+browsable(listener.Addr()))
	}
	log.InfoContext(ctx, "serving", append(serving, "local", t.IsLocal())...)
	err = httpserver.Serve(ctx, listener, gateway.New(config), c.Server)
	stopBackground()
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

// config returns the configuration of the gateway.
func (c *serveCommand) config(a *Application, t *local.Table, observed *observers, authenticator *auth.Authenticator,
	log *slog.Logger,
) gateway.Config {
	config := gateway.Config{
		Schema:         a.Schema,
		AlwaysGqlgen:   c.Executor == "gqlgen",
		Budget:         c.Cost.budget(t.IsLocal()),
		TrustedProxies: c.Cost.TrustedProxies,
		Authenticate:   authenticator.Authenticate,
		Ready:          func(ctx context.Context) error { return admin.Verify(ctx, t.Table) },
		Logger:         log,
		Observer:       observed.observer,
		Metrics:        observed.handler(),
		Playground:     a.Demo.playground(c.Auth, c.HTTP.page),
		Manifest:       c.HTTP.operations,
		CORSOrigins:    c.HTTP.CORSOrigins,
		HSTS:           c.HTTP.HSTSMaxAge,
		Limits:         c.Limits,
	}
	config.Engine = loaders.New(a.Design, a.Schema.Schema(), t, loaders.Options{
		MaxInFlight:  c.requestsInFlight(t.IsLocal()),
		MaxReadUnits: c.Cost.MaxReadUnits,
		Observer:     observed.observer,
		Logger:       log,
	})
	c.Exposure.Apply(&config, t.IsLocal())
	return config
}

// deriveLimits derives the limits of the process that are not set, and logs them.
func deriveLimits(ctx context.Context, l gateway.Limits, log *slog.Logger) gateway.Limits {
	resources := gateway.AvailableResources()
	l = l.Derive(resources)
	log.InfoContext(ctx, "limits of the process", "cpus", resources.CPUs, "memoryBytes", resources.Memory,
		"operations", l.MaxOperations, "operationsPerCaller", l.MaxOperationsPerCaller,
		"bufferedBytes", l.MaxBufferedBytes, "bufferedBytesPerCaller", l.MaxBufferedBytesPerCaller,
		"answerBytes", l.MaxAnswerBytes)
	return l
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

// cannotListen returns the error for the address of a setting.
func cannotListen(setting, addr string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return &exit.Error{
			Problem: "cannot listen on " + addr + ": the address is in use",
			Fix:     "stop what listens there, or set " + setting + " to another address such as :8081",
			Code:    exit.Unavailable, Err: err,
		}
	}
	return &exit.Error{
		Problem: fmt.Sprintf("cannot listen on %s (%v)", addr, err),
		Fix:     "set " + setting + " to an address of this machine such as :8081",
		Code:    exit.Config, Err: err,
	}
}

// browsable returns the address for a browser on this machine.
func browsable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return addr.String()
}
