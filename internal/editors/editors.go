// Package editors writes the files that editors and other tools need beside those of a schema.
package editors

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
)

// Dir is where a folder has the files that only editors and other tools read, by the folder's .graphqlrc.yml.
const Dir = ".partita"

// Write writes the files of Dir anew, if a folder has one:
//
//   - built-in.graphql, what Partita adds to the schema files, which are complete with it;
//   - api.graphql, the schema for operations: fields of the schema files have further arguments in it.
//
// The schema is what directives.Load returns for the files. command is what people run to write them again.
func Write(folder, command string, schema *ast.Schema, files ...*ast.Source) error {
	dir := filepath.Join(folder, Dir)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	added, err := directives.Added(schema, files...)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"built-in.graphql": heading("What Partita adds to the schema files", command) + added,
		"api.graphql":      heading("The schema as clients see it", command) + directives.SDL(plan.API(schema)),
	} {
		if err := replace(filepath.Join(dir, name), []byte(text)); err != nil {
			return fmt.Errorf("files for editors: %w", err)
		}
	}
	return nil
}

func heading(what, command string) string {
	return "# " + what + ".\n# `" + command + "` writes it, and overwrites changes.\n\n"
}

// replace writes a file with another text, so that editors notice only what has changed.
func replace(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return os.WriteFile(path, text, 0o644)
}
