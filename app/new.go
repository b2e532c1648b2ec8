package app

import (
	"fmt"

	"github.com/partita/partita/app/folder"
)

// newCommand is `new`.
type newCommand struct {
	Dir string `arg:"" help:"The folder. It may exist if it has none of the files."`
}

// Run creates the folder.
func (c *newCommand) Run(a *Application) error {
	if err := folder.New(c.Dir); err != nil {
		return err
	}
	_, err := fmt.Printf("%s is ready: run \"%s serve %s --watch\"\n", c.Dir, a.Name, c.Dir)
	return err
}
