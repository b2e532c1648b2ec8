package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/app/folder"
	"github.com/partita/partita/exit"
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
		return writeTypes(a.folder, c.Types)
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

// writeTypes writes Go types into a file, whose folder exists.
func writeTypes(f *folder.Folder, path string) error {
	text, err := types.Go(f.Schema, packageOf(filepath.Base(filepath.Dir(path))))
	if findings, is := errors.AsType[directives.Findings](err); is {
		return &findingsError{f.Dir, findings}
	}
	if err != nil {
		return err
	}
	err = os.WriteFile(path, text, 0o644)
	if cause, is := errors.AsType[*fs.PathError](err); is {
		return &exit.Error{
			Problem: fmt.Sprintf("%s cannot be written (%v)", path, cause.Err),
			Fix:     "name a file with --types in a folder that exists", Code: exit.CannotCreate, Err: err,
		}
	}
	return err
}

// packageOf returns the name of the Go package in a folder.
func packageOf(folder string) string {
	name := strings.ToLower(notInPackageName.ReplaceAllString(folder, ""))
	if name == "" || token.IsKeyword(name) {
		return "stored"
	}
	return name
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
