package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/exit"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/gateway/auth"
	"github.com/partita/partita/gateway/httpserver"
	"github.com/partita/partita/gateway/logging"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/table"
)

// serveCommand is `partita serve`.
type serveCommand struct {
	Table     table.Settings      `embed:""`
	Telemetry telemetrySettings   `embed:""`
	Auth      auth.Settings       `embed:""`
	HTTP      httpSettings        `embed:""`
	Limits    gateway.Limits      `embed:""`
	Exposure  gateway.Exposure    `embed:""`
	Cost      costSettings        `embed:""`
	Server    httpserver.Settings `embed:""`
	Domain    domainSettings      `embed:""`

	Addr      string `env:"ADDR" default:":8080" help:"Address to listen on."`
	LogFormat string `env:"LOG_FORMAT" default:"text" enum:"text,json" help:"Form of the log: text or json."`
}

// Validate refuses durations that no operation could meet.
func (c *serveCommand) Validate() error {
	if err := cmp.Or(c.Limits.Validate(), c.Server.Validate()); err != nil {
		return err
	}
	if c.Limits.OperationTimeout >= c.Server.WriteTimeout {
		return fmt.Errorf("--write-timeout must be longer than --operation-timeout, %v, not %v", c.Limits.OperationTimeout, c.Server.WriteTimeout)
	}
	return nil
}

// open makes what the settings alone decide.
func (c *serveCommand) open(ctx context.Context) (*slog.Logger, *auth.Authenticator, error) {
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
	return log, authenticator, c.HTTP.open()
}

// Run serves until the context ends.
func (c *serveCommand) Run(ctx context.Context) error {
	log, authenticator, err := c.open(ctx)
	if err != nil {
		return err
	}
	// The port comes first: a second gateway says so before it touches any data.
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return cannotListen("ADDR", c.Addr, err)
	}
	defer func() { _ = listener.Close() }()
	c.Table.Seed = demo.Items()
	t, err := openTable(ctx, c.Table, log)
	if err != nil {
		return err
	}
	err = c.serve(ctx, listener, t, authenticator, log)
	return errors.Join(err, t.Close())
}

func (c *serveCommand) serve(ctx context.Context, listener net.Listener, t *table.Table, authenticator *auth.Authenticator, log *slog.Logger) error {
	observed, err := c.Telemetry.open(ctx, t, log)
	if err != nil {
		return err
	}
	defer observed.close(ctx, log)
	stop, err := observed.serve(ctx, log)
	if err != nil {
		return err
	}
	defer stop()
	resolver, stopDomain := c.Domain.start(ctx, t, log)
	config := c.config(t, log, resolver)
	config.Authenticate = authenticator.Authenticate
	serving := []any{"addr", listener.Addr().String()}
	if !config.Playground.Disabled {
		serving = append(serving, "playground", "http://"+browsable(listener.Addr()))
	}
	log.InfoContext(ctx, "serving", append(serving, "local", t.Local())...)
	err = httpserver.Serve(ctx, listener, c.handler(config, t, observed), c.Server)
	stopDomain()
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

// cannotListen is for the address that a setting gives.
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

// config is what the gateway serves, apart from what the loaders add.
func (c *serveCommand) config(t *table.Table, log *slog.Logger, resolver *resolvers.Resolver) gateway.Config {
	config := gateway.Config{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}),
		Cost: func(ctx context.Context) gateway.Cost {
			cost := loaders.CostOf(ctx)
			return gateway.Cost{
				ReadUnits: cost.ReadUnits, WriteUnits: cost.WriteUnits,
				Requests: cost.Requests, Retries: cost.Retries, Waves: cost.Waves,
			}
		},
		Ready:      t.Ready,
		Logger:     log,
		Playground: playgroundSettings(c.Auth),
		Limits:     c.Limits,
	}
	c.Exposure.Apply(&config, t.Local())
	return config
}

// handler puts the shop together: the executor over the resolvers, with the
// loaders that read the table.
func (c *serveCommand) handler(config gateway.Config, t *table.Table, observed *observers) http.Handler {
	options := loaders.Options{MaxInFlight: int64(c.Table.MaxConnections), Logger: config.Logger}
	observed.observe(&config, &options)
	c.HTTP.apply(&config)
	c.Cost.apply(&config, &options, t.Local())
	config.Extensions = []graphql.HandlerExtension{loaders.New(typed.Design, t, options)}
	return gateway.New(config)
}

// browsable is the address as a person would type it.
func browsable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return addr.String()
}
