package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/table"
)

// importCommand is `table import`.
type importCommand struct {
	Table       local.Settings `embed:""`
	ReadUnits   float64        `default:"1000" range:"100..1e9" placeholder:"N" help:"Read at most N read units of the table."`
	Output      string         `type:"path" predictor:"file" placeholder:"DIR" help:"Write schema.graphqls and import.txt into DIR. Without it, the schema is written to standard output and the report to standard error."`
	PK          string         `name:"pk" help:"The attribute with the partition key, if a file does not show it."`
	SK          string         `name:"sk" help:"The attribute with the sort key, if a file does not show it."`
	Description string         `type:"path" predictor:"file" placeholder:"FILE" help:"The output of \"aws dynamodb describe-table\", which has the indexes of the table of a file."`
	TTL         string         `name:"ttl" placeholder:"ATTRIBUTE" help:"The attribute with the time to live, which a file does not show."`
	Files       []string       `arg:"" optional:"" name:"file" type:"path" predictor:"file" help:"JSON lines as DynamoDB exports them to S3, plain or gzip; - for standard input; of a folder, all its *.json.gz, *.jsonl and *.jsonl.gz. Without any, a sample of the table is read."`
}

// Validate returns an error for settings that do not belong together.
func (c *importCommand) Validate() error {
	if len(c.Files) == 0 && (c.Description != "" || c.PK != "" || c.SK != "" || c.TTL != "") {
		return errors.New("--description, --pk, --sk and --ttl are for a file: DynamoDB describes the table itself")
	}
	return nil
}

// Run proposes a schema for the items of a file, or of the table.
func (c *importCommand) Run(ctx context.Context, a *Application) error {
	result, err := c.propose(ctx, a)
	if err != nil {
		return err
	}
	if c.Output == "" {
		_, err := fmt.Print(result.Schema)
		_, reportErr := fmt.Fprint(os.Stderr, result.Report)
		return errors.Join(err, reportErr)
	}
	if err := writeNew(filepath.Join(c.Output, "schema.graphqls"), result.Schema); err != nil {
		return err
	}
	if err := writeNew(filepath.Join(c.Output, "import.txt"), result.Report.String()); err != nil {
		return err
	}
	_, err = fmt.Print(result.Report)
	return err
}

func (c *importCommand) propose(ctx context.Context, a *Application) (result *importer.Result, err error) {
	if len(c.Files) == 0 {
		err := a.withTable(ctx, c.Table, func(t *table.Table, _ *slog.Logger) error {
			sample, options, err := importer.NewSample(ctx, t, c.ReadUnits)
			if err != nil {
				return err
			}
			if result, err = importer.Import(sample.Items(ctx), options); err != nil {
				return err
			}
			result.Report.ReadUnits = c.ReadUnits - sample.Left()
			return nil
		})
		return result, err
	}
	options := importer.Options{}
	if c.Description != "" {
		if options, err = readDescription(c.Description); err != nil {
			return nil, err
		}
	}
	if c.PK != "" {
		options.PK = c.PK
	}
	if c.SK != "" {
		options.SK = c.SK
	}
	options.Expires = c.TTL
	paths, err := exported(c.Files)
	if err != nil {
		return nil, err
	}
	return importer.Import(itemsOf(ctx, paths), options)
}

func readDescription(path string) (o importer.Options, err error) {
	text, err := folder.ReadFile(path)
	if err != nil {
		return o, err
	}
	return importer.ReadDescription(bytes.NewReader(text))
}

// writeNew writes a file that must not exist: a schema that a person may have changed is not replaced.
func writeNew(path, text string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return &exit.Error{
			Problem: path + " exists already", Fix: "give another --output, or remove the file",
			Code: exit.CannotCreate, Err: err,
		}
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
