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
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/types"
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
