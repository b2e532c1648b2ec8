// Package app is the program of a service: its commands and their settings. The service is an [Application], which
// [Main] runs.
package app

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/internal/defaults"
)

// Main runs the command line and ends the process. SIGTERM and SIGINT stop the command in order; a second one ends the
// process at once, and the local engine with it.
func Main(a Application) {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		// The default comes first: a second signal that arrives once the stop is visible ends the process.
		signal.Stop(signals)
		stop()
	}()
	os.Exit(a.report(os.Stderr, a.Run(ctx, arguments())))
}

// commands are the commands and flags of the command line.
type commands struct {
	Serve   serveCommand    `cmd:"" default:"withargs" help:"Serve the schema over HTTP (default)."`
	Lambda  lambdaCommand   `cmd:"" help:"Serve behind a Lambda function URL or API Gateway."`
	Table   tableCommands   `cmd:"" help:"Create, fill, save, check and repair the table."`
	Migrate migrateCommands `cmd:"" help:"Take a table with data to the design of the schema while it is served."`
	Token   tokenCommand    `cmd:"" help:"Print a token that the gateway trusts, for the local engine or a secret of your own."`
	Design  designCommand   `cmd:"" help:"Print the access patterns, key conditions and costs of the schema."`
	Plan    planCommand     `cmd:"" help:"Print the requests of an operation and their worst-case cost; without a table, unless --stored."`
	Bill    billCommand     `cmd:"" help:"Print what DynamoDB asks for, by the log or the metrics of gateways, or before anything runs."`
	Diff    diffCommand     `cmd:"" help:"Compare the API with an earlier version: what breaks clients, and what their operations cost."`

	New      newCommand      `cmd:"" help:"Create a folder of schema files: an example to begin with."`
	Generate generateCommand `cmd:"" help:"Turn a folder of schema files into a Go module for hand-written resolvers, or generate types."`

	LSP lspCommand `cmd:"" name:"lsp" help:"Show an editor the findings of schema files, and correct them there: a language server over stdin and stdout."`

	MCP mcpCommands `cmd:"" name:"mcp" help:"Offer tools to an agent: the Model Context Protocol over stdin and stdout."`

	Completion completionCommand `cmd:"" help:"Print a script that makes a shell complete the command line."`
	Man        manCommand        `cmd:"" help:"Print the manual page."`

	Version kong.VersionFlag `help:"Print the version."`
}

// Validate returns an error for a number that is out of its range. It is the first check of the command line.
func (*commands) Validate(k *kong.Context) error { return defaults.CheckRanges(k.Flags()) }

// Run parses the arguments, without the program's name, and runs the command. Settings are flags and environment
// variables; a flag takes precedence. [ExitCode] is the exit code of the error.
func (a Application) Run(ctx context.Context, args []string) error {
	a.Name = cmp.Or(a.Name, defaultName)
	parser, err := a.parser(ctx)
	if err != nil {
		return err
	}
	a.complete(parser)
	command, err := parser.Parse(args)
	if err != nil {
		return &usageError{err, a.Name}
	}
	a.about = aboutOf(command)
	if err := a.openFolder(command); err != nil {
		return err
	}
	if err := a.Design.CheckAllow(); err != nil && a.folder == nil {
		return err
	}
	return command.Run()
}

// parser returns the parser of the command line.
func (a *Application) parser(ctx context.Context) (*kong.Kong, error) {
	c := &commands{}
	if a.Background != nil {
		c.Serve.Background = kong.Plugins{a.Background}
		c.Lambda.Serve.Background = kong.Plugins{a.Background}
		c.MCP.Operations.Serve.Background = kong.Plugins{a.Background}
	}
	if a.TableCommands != nil {
		c.Table.Further = kong.Plugins{a.TableCommands}
	}
	return kong.New(c,
		kong.Name(a.Name),
		kong.Description(a.Description),
		kong.Vars{"version": a.Name + " " + version()},
		folderMapper,
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(a),
	)
}
