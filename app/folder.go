package app

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
)

// folderArgument is the argument of the commands that are about a schema. [Application.Run] opens the folder before the
// command runs, which then has its schema and design.
type folderArgument struct {
	Dir string `arg:"" optional:"" type:"folder" predictor:"folder" help:"A folder with schema files (*.graphqls), instead of the program's own schema."`
}

// leadingFolder is the same argument before another one. It is present if two arguments follow each other, or if it is
// a folder with schema files, so that flags can be between the two.
type leadingFolder struct {
	Dir string `arg:"" optional:"" type:"folder" predictor:"folder" leading:"" help:"A folder with schema files (*.graphqls), instead of the program's own schema."`
}

// folderMapper is the type folder of arguments: for the tag leading, it leaves an argument without another one behind
// it to that one, unless it is a folder with schema files.
var folderMapper = kong.NamedMapper("folder", kong.MapperFunc(
	func(ctx *kong.DecodeContext, target reflect.Value) error {
		if ctx.Value.Tag.Has("leading") && !isFollowed(ctx.Scan) && !folder.IsFolder(ctx.Scan.Peek().String()) {
			return nil
		}
		return ctx.Scan.PopValueInto("folder", target.Addr().Interface())
	}))

// isFollowed reports whether the next token, too, is an argument and no flag.
func isFollowed(s *kong.Scanner) bool {
	tokens := s.PeekAll()
	if len(tokens) < 2 {
		return false
	}
	text, is := tokens[1].Value.(string)
	return is && (text == "-" || !strings.HasPrefix(text, "-"))
}

// folderOf returns the folder that a command is about; "" for the program's own schema.
func folderOf(command *kong.Context) string {
	for _, p := range command.Path {
		if p.Positional != nil && p.Positional.Tag.Type == "folder" {
			return p.Positional.Target.String()
		}
	}
	return ""
}

// drawsFindings is a command that writes something about a folder with findings, before they are its error.
type drawsFindings interface {
	drawFindings(dir string, found directives.Findings) error
}

// openFolder opens the folder that a command is about, if there is one.
func (a *Application) openFolder(command *kong.Context) error {
	dir := folderOf(command)
	if dir == "" {
		return nil
	}
	f, err := folder.Open(dir)
	if findings, is := errors.AsType[directives.Findings](err); is {
		if c, is := command.Selected().Target.Addr().Interface().(drawsFindings); is {
			if err := c.drawFindings(dir, findings); err != nil {
				return err
			}
		}
		return &findingsError{dir, findings}
	}
	// Without a command, the argument may also be a misspelt one.
	if _, is := errors.AsType[*exit.Error](err); is && !isNamed(command) {
		return &usageError{fmt.Errorf("unexpected argument %s", dir), a.Name}
	}
	if err != nil {
		return err
	}
	a.use(f)
	return nil
}

// isNamed reports whether a command line has the name of its command, or of one that has it as the default.
func isNamed(command *kong.Context) bool {
	for n := command.Selected(); n != nil && n.Type == kong.CommandNode; n = n.Parent {
		if slices.Contains(command.Args, n.Name) {
			return true
		}
	}
	return false
}

// use replaces what the program has of its own by what a folder has.
func (a *Application) use(f *folder.Folder) {
	a.folder = f
	a.Schema, a.Design = answer.NewFolder(f.Schema.AST), f.Schema.Design.WithoutGo()
	a.Decode, a.Rules, a.Hooks, a.Background = nil, nil, nil, nil
	a.Demo = Demo{Query: f.Query}
}

// findingsError is the error of a command about a schema that has findings: that of a folder, or with "" the program's.
type findingsError struct {
	dir      string
	findings directives.Findings
}

// Error returns one line. The findings have lines of their own.
func (e *findingsError) Error() string {
	schema := "the schema"
	if e.dir != "" {
		schema += " in " + e.dir
	}
	if n := len(e.findings); n > 1 {
		return fmt.Sprintf("%s has %d findings", schema, n)
	}
	return schema + " has a finding"
}

func (e *findingsError) details() string { return e.findings.Error() }
