package app

import (
	"errors"
	"fmt"
	"os"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
)

// versions are the settings of `diff` for what it compares.
type versions struct {
	folderArgument
	Base   string `required:"" placeholder:"BASE" help:"What to compare with: a git revision such as origin/main, a folder with schema files, or a file with a schema in SDL or the JSON of an introspection query. A path that exists is a path."`
	Schema string `default:"graph/schema" placeholder:"DIR" help:"Without <dir>: the folder of the program's own schema files, for a git revision."`
}

// schemaDir returns the folder with the schema files: that of the command, or the program's own.
func (c *versions) schemaDir() string {
	if c.Dir != "" {
		return c.Dir
	}
	return c.Schema
}

// head returns the version of the folder, or that of the program.
func (c *versions) head(a *Application) (contract.Version, error) {
	if a.folder != nil {
		return contract.Version{
			API: plan.API(a.folder.Schema.AST), Source: a.folder.Schema.AST, Design: a.folder.Schema.Design,
			Files: a.folder.Files,
		}, nil
	}
	v, err := c.own(a)
	if err != nil {
		return v, err
	}
	v.API = plan.API(v.API)
	return v, nil
}

// own returns the version of the program, with the places in its schema files if they are there.
func (c *versions) own(a *Application) (contract.Version, error) {
	own := a.Schema.Schema()
	if folder.IsFolder(c.Schema) {
		sources, err := folder.Sources(c.Schema)
		if err != nil {
			return contract.Version{}, err
		}
		if v, err := contract.Load(sources...); err == nil && directives.SDL(v.API) == directives.SDL(own) {
			return v, nil
		}
		if c.baseIsRevision() {
			return contract.Version{}, &exit.Error{
				Problem: "the program was built from other schema files than those in " + c.Schema,
				Fix:     "build it again, or name the folder of its own ones with --schema", Code: exit.Config,
			}
		}
	}
	return contract.Read(own)
}

func (c *versions) baseIsRevision() bool {
	_, err := os.Stat(c.Base)
	return err != nil
}

// base returns the version to compare with.
func (c *versions) base() (contract.Version, error) {
	info, err := os.Stat(c.Base)
	var v contract.Version
	switch {
	case err == nil && info.IsDir():
		var sources []*ast.Source
		if sources, err = folder.Sources(c.Base); err != nil {
			return v, err
		}
		v, err = contract.Load(sources...)
	case err == nil:
		var text []byte
		if text, err = folder.ReadFile(c.Base); err != nil {
			return v, err
		}
		v, err = contract.LoadFile(&ast.Source{Name: c.Base, Input: string(text)})
	default:
		var sources []*ast.Source
		if sources, err = sourcesAt(c.schemaDir(), c.Base); err != nil {
			return v, err
		}
		v, err = contract.Load(sources...)
	}
	if findings, is := errors.AsType[directives.Findings](err); is {
		return v, &baseError{c.Base, findings}
	}
	if err != nil {
		return v, &exit.Error{
			Problem: fmt.Sprintf("the base %s is no schema (%v)", c.Base, err),
			Fix:     "name a schema in SDL, or the JSON of an introspection query", Code: exit.DataError, Err: err,
		}
	}
	v.API = plan.API(v.API)
	return v, nil
}

// baseError is the error for a base that this version of the program cannot load.
type baseError struct {
	base     string
	findings directives.Findings
}

// Error returns one line. The findings have lines of their own.
func (e *baseError) Error() string {
	return fmt.Sprintf("the base %s cannot be loaded by this version of the program: compare with a later revision, or "+
		"with a file that has its API in SDL", e.base)
}

func (e *baseError) details() string { return e.findings.Error() }
