package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// tableCommands are `partita table ...`.
type tableCommands struct {
	Create createCommand `cmd:"" help:"Create the table that the schema needs."`
	Load   loadCommand   `cmd:"" help:"Put items into the table: JSON lines as DynamoDB exports them to S3, plain or gzip."`
	Export exportCommand `cmd:"" help:"Write all items to standard output as JSON lines. Reads the whole table."`
	Check  checkCommand  `cmd:"" help:"Find violations of the design and of the rules. Reads the whole table."`
	Repair repairCommand `cmd:"" help:"Repair what check finds, where the correct value is certain."`
	Sweep  sweepCommand  `cmd:"" help:"Remove what is left of deleted objects, as serve does beside its work."`
	Import importCommand `cmd:"" help:"Propose a schema for an existing table, from an export or a sample."`

	Further kong.Plugins `embed:""`
}

type createCommand struct {
	folderArgument
	Table  local.Settings `embed:""`
	Stream bool           `name:"table-stream" env:"TABLE_STREAM" help:"Create the table with a stream also if the schema has no live fields: for the cache of items."`
}

// Run creates the table.
func (c *createCommand) Run(ctx context.Context, a *Application) error {
	c.Table.Stream = c.Stream
	return a.withTable(ctx, c.Table, func(t *table.Table, _ *slog.Logger) error {
		if err := admin.Create(ctx, t); err != nil {
			return err
		}
		if err := a.putRecord(ctx, t); err != nil {
			return t.ExitError(err)
		}
		_, err := fmt.Printf("table %s created\n", t.Name())
		return err
	})
}

type loadCommand struct {
	Table  local.Settings `embed:""`
	Tenant string         `placeholder:"TENANT" help:"The tenant of the items, whose keys are without it, in a table with tenants. Of the demo data it is \"demo\" by default."`
	Demo   bool           `help:"Load the demo data instead of a file: those of the program, or data.jsonl of the folder."`
	Dir    string         `arg:"" optional:"" type:"folder" predictor:"folder" leading:"" help:"A folder with schema files (*.graphqls), instead of the program's own schema."`
	File   string         `arg:"" optional:"" type:"path" predictor:"file" help:"The file; standard input when absent."`
}

// Validate returns an error for two sources of items.
func (c *loadCommand) Validate() error {
	if c.Demo && c.File != "" {
		return errors.New("give either --demo or a file")
	}
	return nil
}

// Run loads the file, standard input or the demo data.
func (c *loadCommand) Run(ctx context.Context, a *Application) error {
	if c.Demo && c.Table.TenantClaim != "" {
		c.Tenant = cmp.Or(c.Tenant, local.DemoTenant)
	}
	if c.Demo && a.folder != nil {
		if a.folder.Data == "" {
			return &exit.Error{
				Problem: "the folder " + a.folder.Dir + " has no " + folder.DataFile,
				Fix:     "name a file instead of --demo, or add it", Code: exit.NoInput,
			}
		}
		c.Demo, c.File = false, a.folder.Data
	}
	if c.Demo && a.Demo.Items == nil {
		return &usageError{errors.New("there are no demo data"), a.Name}
	}
	// The file is opened first, so that a missing one is reported without a table.
	var input io.Reader
	switch {
	case c.Demo:
	case c.File == "":
		input = stdin(ctx)
	default:
		file, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		input = file
	}
	return a.WithTable(ctx, c.Table, func(t *table.Table, _ *slog.Logger) error {
		if err := a.checkTenancy(ctx, t); err != nil {
			return err
		}
		stats, err := c.load(ctx, t, input, a.Demo)
		_, printErr := fmt.Printf("%d items loaded into table %s\n", stats.Items, t.Name())
		return errors.Join(err, printErr)
	})
}

func (c *loadCommand) load(ctx context.Context, t *table.Table, input io.Reader, demo Demo) (admin.LoadStats, error) {
	ctx = request.WithTenant(ctx, c.Tenant)
	if c.Demo {
		return admin.LoadItems(ctx, t, demo.Items)
	}
	return admin.Load(ctx, t, input)
}

type exportCommand struct {
	folderArgument
	Table  local.Settings `embed:""`
	Tenant string         `placeholder:"TENANT" help:"Write only the items of this tenant, without it in their keys."`
}

// Run writes the items to standard output.
func (c *exportCommand) Run(ctx context.Context, a *Application) error {
	return a.WithTable(ctx, c.Table, func(t *table.Table, _ *slog.Logger) error {
		_, err := admin.Export(request.WithTenant(ctx, c.Tenant), t, os.Stdout)
		return err
	})
}
