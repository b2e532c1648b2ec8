// Package app is the program of a service: its commands and their settings. The service is an [Application], which
// [Main] runs.
package app

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/99designs/gqlgen/graphql"
	"github.com/alecthomas/kong"

	"github.com/partita/partita/internal/defaults"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// Application is the service that a program runs. Only Schema and Design are required.
type Application struct {
	// Name is the program's name in its help, its messages and its traces; "partita" by default.
	Name string
	// Description is a sentence for --help.
	Description string
	// Schema is the generated executor over the service's resolvers.
	Schema graphql.ExecutableSchema
	// Design is the generated typed.Design.
	Design *design.Design
	// Decode returns an error for an item that cannot be decoded into an object of its type, for `table check`; see
	// [Decode]. It is called for types that are a Node. If it is nil, the check decodes no items.
	Decode func(item.Item) error
	// Rules are invariants between items that do not follow from the design, for `table check`.
	Rules []check.Rule
	// Hooks are Go code in mutations that need none.
	Hooks write.Hooks
	// Demo is the service's demo data.
	Demo Demo
	// Background is work that `serve` does beside the gateway; nil for none.
	Background Background
	// Stream is how the stream of the table is read. Its zero fields have defaults, which are for production: tests let
	// replicas take over sooner.
	Stream stream.Settings
	// TableCommands are further commands of `table`: a pointer to a struct of commands with the tags of kong. Their Run
	// methods may have parameters of the types context.Context and *Application.
	TableCommands any

	// folder is the folder whose schema replaces the program's own; nil for none.
	folder *folder.Folder
	// about are the arguments of the command line that name the schema and the table, each after a space.
	about string
}

// Demo is the demo data of a service.
type Demo struct {
	// Items are loaded into a new table of the local engine, and by `table load --demo`.
	Items iter.Seq[item.Item]
	// Viewer is the viewer of the playground on the local engine, and of the token that `token demo` prints. The zero
	// Viewer is anonymous.
	Viewer viewer.Viewer
	// Identities are those among which a visitor of the playground can choose on the local engine. By default, they are
	// Viewer and an anonymous one.
	Identities []Identity
	// Query is the document in the playground's editor at the first visit. If it has several named operations, each
	// becomes a tab.
	Query string
}

// Identity is a viewer of the demo data.
type Identity struct {
	Name, Description string
	// Viewer is who sends the requests; the zero Viewer is anonymous.
	Viewer viewer.Viewer
}

// Background is work beside the gateway. It is a pointer to a struct; kong reads its exported fields as settings of
// `serve` and calls its Validate method, if it has one. A number can have a tag with its range, see
// [defaults.CheckRanges].
type Background interface {
	// Start starts the work and returns. The work ends when stop is called, which returns once nothing is in progress.
	Start(ctx context.Context, t *table.Table, log *slog.Logger) (stop func())
}

// Decode returns the [Application].Decode that uses the generated function model.NewNode.
func Decode[T any](newNode func(item.Item) (T, error)) func(item.Item) error {
	return func(it item.Item) error {
		_, err := newNode(it)
		return err
	}
}

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
	Serve  serveCommand  `cmd:"" default:"withargs" help:"Serve the schema over HTTP (default)."`
	Lambda lambdaCommand `cmd:"" help:"Serve behind a Lambda function URL or API Gateway."`
	Table  tableCommands `cmd:"" help:"Create, fill, save, check and repair the table."`
	Token  tokenCommand  `cmd:"" help:"Print a token that the gateway trusts, for the local engine or a secret of your own."`
	Design designCommand `cmd:"" help:"Print the access patterns, key conditions and costs of the schema."`
	Plan   planCommand   `cmd:"" help:"Print the requests of an operation and their worst-case cost, without a table."`
	Diff   diffCommand   `cmd:"" help:"Compare the API with an earlier version: what breaks clients, and what their operations cost."`

	New      newCommand      `cmd:"" help:"Create a folder of schema files: an example to begin with."`
	Generate generateCommand `cmd:"" help:"Turn a folder of schema files into a Go module for hand-written resolvers, or generate types."`

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
	command, err := parser.Parse(args)
	if err != nil {
		return &usageError{err, a.Name}
	}
	a.about = aboutOf(command)
	if err := a.openFolder(command); err != nil {
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

const defaultName = "partita"

// version returns the version of the main module, or that of the commit that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	return info.Main.Version
}

func (a *Application) tableSchema() table.Schema { return table.SchemaOf(a.Design) }
