// Package app is the program: its commands and settings.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/exit"
	"github.com/partita/partita/gateway/logging"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// commands is the command line.
type commands struct {
	Serve  serveCommand  `cmd:"" default:"withargs" help:"Serve the schema over HTTP (default)."`
	Lambda lambdaCommand `cmd:"" help:"Serve behind a Lambda function URL or API Gateway."`
	Table  tableCommands `cmd:"" help:"Make, fill and save the table."`
	Token  tokenCommand  `cmd:"" help:"Print a token that the gateway trusts, for the local engine or a secret of your own."`
	Design designCommand `cmd:"" help:"Print the access patterns, key conditions and costs of the schema."`
	Plan   planCommand   `cmd:"" help:"Print what an operation would send and cost at worst, without a table."`

	Version kong.VersionFlag `help:"Print the version."`
}

// Main runs the command line and ends the process.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Who sends a second signal does not want to wait for what is in flight. It
	// ends the process as if nothing caught it, and the engine with it.
	context.AfterFunc(ctx, stop)
	os.Exit(report(os.Stderr, Run(ctx, arguments())))
}

// Run parses the arguments and runs the command. Settings come from flags and
// from the environment; a flag wins.
func Run(ctx context.Context, args []string) error {
	parser, err := kong.New(&commands{},
		kong.Name("partita"),
		kong.Description("A GraphQL gateway over one DynamoDB table."),
		kong.Vars{"version": "partita " + version()},
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if err != nil {
		return &usageError{err}
	}
	return command.Run()
}

// version is that of the module, or of the commit that the binary was built
// from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	return info.Main.Version
}

// usageError is a command line that cannot be read.
type usageError struct{ error }

func (e *usageError) Error() string { return e.error.Error() + `: see "partita --help"` }

// report tells the person who started the command what went wrong, in one line,
// and gives the exit code.
func report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	message := strings.ReplaceAll(err.Error(), "\n", "; ")
	code := ExitCode(err)
	if code == exit.Interrupted {
		message = "interrupted"
		if stopped, is := errors.AsType[*stoppedError](err); is {
			message = stopped.Error()
		}
	}
	_, _ = fmt.Fprintln(w, "partita: "+message)
	return code
}

// ExitCode is the exit code of a command that ended with the error.
func ExitCode(err error) int {
	var start *exit.Error
	var usage *usageError
	var line *table.LineError
	var operation *operationError
	var path *fs.PathError
	var checkpoint *check.CheckpointError
	var violations *violationsError
	switch {
	case errors.As(err, &usage):
		return exit.Usage
	case errors.As(err, &start):
		return start.Code
	case errors.As(err, &line), errors.As(err, &checkpoint), errors.As(err, &operation):
		return exit.DataError
	case errors.Is(err, context.Canceled):
		return exit.Interrupted
	case errors.As(err, &path):
		return exit.NoInput
	case errors.As(err, &violations):
		return exitViolations
	}
	return 1
}

// openTable opens the table and makes sure that it fits the schema.
func openTable(ctx context.Context, s table.Settings, log *slog.Logger) (*table.Table, error) {
	t, err := table.Open(ctx, s, tableSchema(), log)
	if err != nil {
		return nil, err
	}
	if err := t.Verify(ctx); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func tableSchema() table.Schema { return table.Schema{Indexes: typed.Design.IndexNames()} }

// tableCommands are `partita table ...`.
type tableCommands struct {
	Create createCommand `cmd:"" help:"Create the table that the schema needs."`
	Load   loadCommand   `cmd:"" help:"Put items into the table: JSON lines as DynamoDB exports them to S3, plain or gzip."`
	Export exportCommand `cmd:"" help:"Write all items to standard output as JSON lines. Reads the whole table."`
	Check  checkCommand  `cmd:"" help:"Find what is wrong in the table. Reads the whole table."`
	Repair repairCommand `cmd:"" help:"Mend what check finds, as far as it is certain what is right."`

	domainTableCommands
}

type createCommand struct {
	Table table.Settings `embed:""`
}

// Run creates the table.
func (c *createCommand) Run(ctx context.Context) error {
	return withTable(ctx, c.Table, func(t *table.Table) error {
		if err := t.CreateTable(ctx); err != nil {
			return err
		}
		_, err := fmt.Printf("table %s created\n", t.Name())
		return err
	})
}

type loadCommand struct {
	Table table.Settings `embed:""`
	Demo  bool           `help:"Load the shop's demo data instead of a file."`
	File  string         `arg:"" optional:"" type:"path" help:"The file; standard input when absent."`
}

// Validate refuses two sources of items.
func (c *loadCommand) Validate() error {
	if c.Demo && c.File != "" {
		return errors.New("give either --demo or a file")
	}
	return nil
}

// Run loads the file, standard input or the demo data.
func (c *loadCommand) Run(ctx context.Context) (err error) {
	// The file comes first: without it there is nothing to ask the table for.
	input := os.Stdin
	if c.File != "" {
		if input, err = os.Open(c.File); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, input.Close()) }()
	}
	return withVerified(ctx, c.Table, func(t *table.Table) error {
		stats, err := c.load(ctx, t, input)
		_, printErr := fmt.Printf("%d items loaded into table %s\n", stats.Items, t.Name())
		return errors.Join(err, printErr)
	})
}

func (c *loadCommand) load(ctx context.Context, t *table.Table, input io.Reader) (table.LoadStats, error) {
	if c.Demo {
		return t.LoadItems(ctx, demo.Items())
	}
	return t.Load(ctx, input)
}

type exportCommand struct {
	Table table.Settings `embed:""`
}

// Run writes the items to standard output.
func (c *exportCommand) Run(ctx context.Context) error {
	return withVerified(ctx, c.Table, func(t *table.Table) error {
		_, err := t.Export(ctx, os.Stdout)
		return err
	})
}

// withTable runs an operator's command on the table, which need not exist yet.
func withTable(ctx context.Context, s table.Settings, command func(*table.Table) error) error {
	log, err := logging.New(os.Stderr, "text")
	if err != nil {
		return err
	}
	t, err := table.Open(ctx, s, tableSchema(), log)
	if err != nil {
		return err
	}
	return errors.Join(command(t), t.Close())
}

// withVerified is withTable for a table that must exist, and fit the schema.
func withVerified(ctx context.Context, s table.Settings, command func(*table.Table) error) error {
	return withTable(ctx, s, func(t *table.Table) error {
		if err := t.Verify(ctx); err != nil {
			return err
		}
		return command(t)
	})
}
