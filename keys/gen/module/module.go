// Package module turns a folder of schema files into a Go module for hand-written resolvers, which serves the same API.
//
// It writes the files that such a module begins with. The Go toolchain then adds the engine to go.mod and runs
// partitagen there. The package does not contain gqlgen's generator, so that the program that uses it stays small.
package module

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/partita/partita/exit"
)

const (
	enginePath = "github.com/partita/partita"
	generator  = enginePath + "/keys/gen/partitagen"
)

// Module is a Go module that is generated from a folder of schema files.
type Module struct {
	// Dir is the module's folder. It must be empty, or not exist.
	Dir string
	// Path is the module's path, such as example.com/billing. Its last element is the name of the program.
	Path string
	// Schema are the paths of the schema files.
	Schema []string
	// Data is the path of the file with the items of a new table, and Query that of the playground's first document; ""
	// for none.
	Data, Query string
	// HasNodes reports whether a stored type of the schema is a Node.
	HasNodes bool
	// Engine is the engine that the module uses.
	Engine Engine
	// Log gets what the Go toolchain prints.
	Log io.Writer
}

// Generate writes the module. The error is an *exit.Error if the folder is not empty or the Go toolchain is missing or
// fails. With an error, nothing is written.
func (m Module) Generate(ctx context.Context) (err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return &exit.Error{
			Problem: "there is no Go toolchain, which compiles what is generated",
			Fix:     "install Go 1.26 or newer from https://go.dev/dl, so that the command go is on the PATH",
			Code:    exit.Unavailable, Err: err,
		}
	}
	if err := checkPath(m.Path); err != nil {
		return err
	}
	existed, err := m.checkEmpty()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.remove(existed))
		}
	}()
	if err := m.writeFiles(); err != nil {
		return cannotWrite(m.Dir, err)
	}
	commands := [][]string{{"mod", "init", m.Path}}
	if m.Engine.Dir != "" {
		commands = append(commands, []string{"mod", "edit", "-replace", enginePath + "=" + m.Engine.Dir})
	}
	commands = append(commands,
		[]string{"get", enginePath + "/app" + m.Engine.suffix()},
		[]string{"get", "-tool", generator + m.Engine.suffix()},
		[]string{"tool", "partitagen"},
	)
	for _, arguments := range commands {
		if err := m.goCommand(ctx, arguments); err != nil {
			return err
		}
	}
	return nil
}

// checkEmpty returns an error for a folder that has files.
func (m Module) checkEmpty() (existed bool, err error) {
	entries, err := os.ReadDir(m.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, cannotWrite(m.Dir, err)
	case len(entries) > 0:
		return false, &exit.Error{
			Problem: m.Dir + " is not empty", Fix: "name another folder with --output, or empty this one", Code: exit.CannotCreate,
		}
	}
	return true, nil
}

// remove removes what has been written.
func (m Module) remove(existed bool) error {
	if !existed {
		return os.RemoveAll(m.Dir)
	}
	entries, err := os.ReadDir(m.Dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(m.Dir, e.Name())))
	}
	return err
}

// goCommand runs the command go in the module.
func (m Module) goCommand(ctx context.Context, arguments []string) error {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir, command.Stdout, command.Stderr = m.Dir, m.Log, m.Log
	// A workspace does not have the new module.
	command.Env = append(os.Environ(), "GOWORK=off")
	err := command.Run()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return &exit.Error{
		Problem: fmt.Sprintf("go %s has failed (%v)", strings.Join(arguments, " "), err),
		Fix:     "correct what it has printed above; nothing has been written",
		Code:    exit.DataError, Err: err,
	}
}

func cannotWrite(dir string, err error) error {
	return &exit.Error{
		Problem: fmt.Sprintf("the module cannot be written into %s (%v)", dir, err),
		Fix:     "name another folder with --output", Code: exit.CannotCreate, Err: err,
	}
}
