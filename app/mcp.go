package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/table/local"
)

// mcpCommands are the commands for agents.
type mcpCommands struct {
	Operations mcpCommand       `cmd:"" default:"withargs" help:"Let an agent call operations as tools, each with a price and a budget (default)."`
	Design     mcpDesignCommand `cmd:"" help:"Let an agent check a schema, propose keys, plan operations and compare designs, over local files alone."`
}

// mcpCommand is `mcp operations`, the default of `mcp`: the tools of /mcp for an agent that starts the program, over
// stdin and stdout. It does not start [Application].Background, and has no address: an agent may start it any number of
// times.
type mcpCommand struct {
	Serve serveCommand `embed:""`
	Token string       `env:"MCP_TOKEN" placeholder:"TOKEN" help:"The token of the caller, whose rights and budget the agent has. Without it, the agent is an anonymous caller. Set it in the environment: other users of the machine can see flags."`
}

// toolsFolder is where the tools are in a folder with schema files, unless the setting says something else.
const toolsFolder = "tools"

// Validate returns an error for a command without tools.
func (c *mcpCommand) Validate() error {
	if c.Serve.Agents.MCP == "" && c.Serve.Dir != "" {
		c.Serve.Agents.MCP = filepath.Join(c.Serve.Dir, toolsFolder)
	}
	if !c.Serve.Agents.isSet() {
		return errors.New("--mcp names the operations that are tools: a folder, or a manifest")
	}
	return nil
}

// Run answers an agent until its input ends.
func (c *mcpCommand) Run(ctx context.Context, a *Application) error {
	log, authenticator, err := c.Serve.open(ctx, a)
	if err != nil {
		return err
	}
	if err := c.checkToken(ctx, authenticator); err != nil {
		return err
	}
	settings, err := c.Serve.tableSettings(ctx, a)
	if err != nil {
		return err
	}
	t, id, err := a.openTable(ctx, settings, log)
	if err != nil {
		return err
	}
	c.Serve.Cursors.tableID = id
	return errors.Join(c.serve(ctx, a, t, authenticator, log), t.Close())
}

// checkToken returns an error for a token that is not trusted, before an agent finds out.
func (c *mcpCommand) checkToken(ctx context.Context, authenticator *auth.Authenticator) error {
	if c.Token == "" {
		return nil
	}
	r := (&http.Request{Header: http.Header{"Authorization": {"Bearer " + c.Token}}}).WithContext(ctx)
	if _, err := authenticator.Authenticate(r); err != nil {
		return &exit.Error{
			Problem: "the token of MCP_TOKEN is not accepted: " + err.Error(),
			Fix:     "get a new one, as for requests to the gateway", Code: exit.Config, Err: err,
		}
	}
	return nil
}

func (c *mcpCommand) serve(
	ctx context.Context, a *Application, t *local.Table, authenticator *auth.Authenticator, log *slog.Logger,
) error {
	observed, err := c.Serve.Telemetry.open(ctx, a.Name, t, c.Serve.HTTP.operations, log)
	if err != nil {
		return err
	}
	defer observed.close(ctx, log)
	t = observed.table(t)
	store, err := openStore(ctx, c.Serve.Shared, observed, log)
	if err != nil {
		return err
	}
	defer store.Close()
	pipe := &agents.Pipe{Token: c.Token, Log: log}
	d := newDesigned(ctx, a, t, log)
	d.newHandler = func(a *Application, t *local.Table) (http.Handler, error) {
		config := c.Serve.config(a, t, store, observed, authenticator, log)
		c.Serve.setSchema(&config, a, t, t, observed, log)
		if err := c.Serve.setAgents(ctx, &config, a, authenticator, log); err != nil {
			return nil, err
		}
		pipe.Use(gateway.Agents(config))
		return http.NotFoundHandler(), nil // nothing comes over HTTP
	}
	if err := d.start(ctx); err != nil {
		return err
	}
	defer d.stop(ctx)
	return pipe.Serve(ctx, io.NopCloser(stdin(ctx)), os.Stdout)
}
