package app

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/app/folder"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/gen/directives"
	"github.com/partita/partita/keys/gen/module"
	"github.com/partita/partita/keys/gen/types"
)

// generateCommand is `generate`.
type generateCommand struct {
	Dir    string `arg:"" type:"folder" help:"A folder with schema files (*.graphqls)."`
	Output string `type:"path" placeholder:"DIR" help:"The module's folder, which is new or empty. By default it is in the working directory and has the name of the program."`
	Module string `placeholder:"PATH" help:"The module's path, whose last element is the name of the program. By default it is example.com/ and the name of the folder."`
	Types  string `type:"path" placeholder:"FILE" help:"Write only Go types to this file, for programs that write to the table without the gateway. The package has the name of the file's folder."`
	Engine string `type:"existingdir" placeholder:"DIR" help:"A folder with Partita's source, instead of the version of this program."`
}

// Run generates a Go module from the folder, or Go types.
func (c *generateCommand) Run(ctx context.Context, a *Application) error {
	if c.Types != "" {
		return writeTypes(a.folder.Schema, c.Types)
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
		HasNodes: slices.ContainsFunc(a.Design.Types, func(t *keys.Type) bool { return slices.Contains(t.Satisfies, "Node") }),
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

// writeTypes writes Go types into a file, whose folder exists.
func writeTypes(schema *directives.Schema, path string) error {
	packageName := strings.ToLower(notInPackageName.ReplaceAllString(filepath.Base(filepath.Dir(path)), ""))
	text, err := types.Go(schema, cmp.Or(packageName, "stored"))
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

var notInPackageName = regexp.MustCompile(`^[^A-Za-z]+|[^A-Za-z0-9]+`)

const generatedText = `wrote the module %s into %s

It serves what the folder serves. To resolve a field by hand, write a method
with the receiver and the name of its resolver in resolvers/reads_gen.go in
another file of resolvers. After that, and after each change of graph/schema:

  go tool partitagen

To serve it:

  go run .
`
