package app

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/app/folder"
	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys/gen/directives"
	"github.com/partita/partita/keys/gen/types"
	"github.com/partita/partita/keys/gen/typescript"
)

// writeTypes writes Go types of the schema in dir, or of the program's own, into a file, whose folder exists.
func writeTypes(dir string, schema *ast.Schema, path string) error {
	design, err := directives.Read(schema)
	var text []byte
	if err == nil {
		text, err = types.Go(design, packageOf(filepath.Base(filepath.Dir(path))))
	}
	if findings, is := errors.AsType[directives.Findings](err); is {
		return &findingsError{cmp.Or(dir, "this program"), findings}
	}
	if err != nil {
		return err
	}
	return writeFile(path, text)
}

// packageOf returns the name of the Go package in a folder.
func packageOf(folder string) string {
	name := strings.ToLower(notInPackageName.ReplaceAllString(folder, ""))
	if name == "" || token.IsKeyword(name) {
		return "stored"
	}
	return name
}

// writeFile writes generated types.
func writeFile(path string, text []byte) error {
	err := os.WriteFile(path, text, 0o644)
	if cause, is := errors.AsType[*fs.PathError](err); is {
		return &exit.Error{
			Problem: fmt.Sprintf("%s cannot be written (%v)", path, cause.Err),
			Fix:     "name a file with --types in a folder that exists", Code: exit.CannotCreate, Err: err,
		}
	}
	return err
}

var notInPackageName = regexp.MustCompile(`^[^A-Za-z]+|[^A-Za-z0-9]+`)

// isTypeScript reports whether a file is a module in TypeScript. One with declarations alone cannot have constants.
func isTypeScript(path string) bool {
	return slices.Contains([]string{".ts", ".mts"}, filepath.Ext(path)) && !strings.Contains(filepath.Base(path), ".d.")
}

// writeTypeScript writes the types of the documents that the patterns match into a file, whose folder exists.
func writeTypeScript(schema *ast.Schema, path string, patterns []string) error {
	documents, err := readFiles("--documents", patterns)
	if err != nil {
		return err
	}
	text, err := typescript.Generate(schema, documents...)
	if faults, is := errors.AsType[gqlerror.List](err); is {
		return &documentsError{faults}
	}
	if err != nil {
		return err
	}
	return writeFile(path, text)
}

// readFiles reads the files that the patterns of a flag match, sorted by name. Each pattern matches one at least.
func readFiles(flag string, patterns []string) ([]*ast.Source, error) {
	var names []string
	for _, pattern := range patterns {
		found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly(), doublestar.WithFailOnIOErrors())
		if err != nil {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("%s=%s cannot be searched (%v)", flag, pattern, err),
				Fix:     "name files, or a pattern such as src/**/*.graphql", Code: exit.NoInput, Err: err,
			}
		}
		if len(found) == 0 {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("no file matches %s=%s", flag, pattern),
				Fix:     "name files, or a pattern such as src/**/*.graphql", Code: exit.NoInput,
			}
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	var files []*ast.Source
	for _, name := range slices.Compact(names) {
		text, err := folder.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, &ast.Source{Name: name, Input: string(text)})
	}
	return files, nil
}

// documentsError is the error of a command about documents that have faults.
type documentsError struct{ faults gqlerror.List }

// Error returns one line. The faults have lines of their own.
func (e *documentsError) Error() string {
	if n := len(e.faults); n > 1 {
		return fmt.Sprintf("the documents have %d errors", n)
	}
	return "the documents have an error"
}

func (e *documentsError) details() string { return strings.TrimSpace(e.faults.Error()) }
