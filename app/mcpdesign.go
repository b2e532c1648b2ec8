package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/designtools"
)

// mcpDesignCommand is `mcp design`.
type mcpDesignCommand struct {
	Dir string `arg:"" optional:"" type:"path" default:"." predictor:"folder" help:"The folder below which schema files may be read; by default the current one."`
}

// Run answers an agent until its input ends.
func (c *mcpDesignCommand) Run(ctx context.Context, a *Application) error {
	config := designtools.Config{
		Dir: c.Dir, Name: a.Name, Version: version(), Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}
	err := designtools.Serve(ctx, config, io.NopCloser(stdin(ctx)), os.Stdout)
	if cause, is := errors.AsType[*fs.PathError](err); is {
		return &exit.Error{
			Problem: fmt.Sprintf("the folder %s cannot be opened (%v)", c.Dir, cause.Err),
			Fix:     "name the folder below which the schema files are", Code: exit.NoInput, Err: err,
		}
	}
	return err
}
