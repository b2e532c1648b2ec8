package app

import (
	"errors"
	"fmt"

	"github.com/partita/partita/internal/folder"
)

// newCommand is `new`.
type newCommand struct {
	Dir string `arg:"" predictor:"file" help:"The folder. It may exist if it has none of the files."`
}

// Validate returns an error for a name without a text, such as that of a variable of the shell that is not set.
func (c *newCommand) Validate() error {
	if c.Dir == "" {
		return errors.New(`expected "<dir>"`)
	}
	return nil
}

// Run creates the folder.
func (c *newCommand) Run(a *Application) error {
	if err := folder.New(c.Dir); err != nil {
		return err
	}
	_, err := fmt.Printf("%s is ready: run \"%s serve %s --watch\"\n", c.Dir, a.Name, c.Dir)
	return err
}
