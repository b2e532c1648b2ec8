package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/module"
)

// generateCommand is `generate`.
type generateCommand struct {
	folderArgument
	Output string `type:"path" predictor:"file" placeholder:"DIR" help:"The module's folder, which is new or empty. By default it is in the working directory and has the name of the program."`
	Module string `placeholder:"PATH" help:"The module's path, whose last element is the name of the program. By default it is example.com/ and the name of the folder."`
	Types  string `type:"path" predictor:"file" placeholder:"FILE" help:"Write only Go types of what is stored to this .go file, for programs that write to the table without the gateway, in a package with the name of the file's folder."`
	Engine string `type:"existingdir" predictor:"file" placeholder:"DIR" help:"A folder with Partita's source, instead of the version of this program."`
}

// Validate returns an error for flags that do not belong together. Without --types, the folder is required.
func (c *generateCommand) Validate() error {
	switch {
	case c.Dir == "" && c.Types == "":
		return errors.New(`expected "<dir>"`)
	case c.Types != "" && filepath.Ext(c.Types) != ".go":
		return errors.New("--types writes Go: name a .go file")
	}
	return nil
}

// Run generates a Go module from the folder, or types.
func (c *generateCommand) Run(ctx context.Context, a *Application) error {
	if c.Types != "" {
		return writeTypes(c.Dir, a.Schema.Schema(), c.Types)
	}
	dir, err := filepath.Abs(a.folder.Dir)
	if err != nil {
		return err
	}
	path := cmp.Or(c.Module, "example.com/"+filepath.Base(dir))
	output := cmp.Or(c.Output, filepath.Base(path))
	engine := module.Engine{Dir: c.Engine}
	if c.Engine == "" {
		if engine, err = module.OwnEngine(ctx); err != nil {
			return err
		}
	}
	m := module.Module{
		Dir: output, Path: path, Schema: a.folder.Files, Data: a.folder.Data, Engine: engine, Log: os.Stderr,
		HasNodes: slices.ContainsFunc(a.Design.Types, isNode),
	}
	if a.folder.Query != "" {
		m.Query = filepath.Join(a.folder.Dir, folder.QueryFile)
	}
	if err := m.Generate(ctx); err != nil {
		return err
	}
	_, err = fmt.Printf(generatedText, path, output)
	return err
}

const generatedText = `wrote the module %s into %s

It serves what the folder serves. To resolve a field by hand, write a method
with the receiver and the name of its resolver in resolvers/reads_gen.go in
another file of resolvers. After that, and after each change of graph/schema:

  go tool partitagen

To serve it:

  go run .
`
