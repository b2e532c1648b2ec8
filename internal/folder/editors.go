package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
)

// EditorDir is where a folder has the files that only editors and other tools read, by the folder's .graphqlrc.yml.
const EditorDir = ".partita"

// WriteForEditors writes the files of EditorDir anew, if the folder has one:
//
//   - built-in.graphql, what Partita adds to the schema files, which are complete with it;
//   - api.graphql, the schema for operations: fields of the schema files have further arguments in it.
func (f *Folder) WriteForEditors() error {
	dir := filepath.Join(f.Dir, EditorDir)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	added, err := directives.Added(f.Schema.AST, f.sources...)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"built-in.graphql": heading("What Partita adds to the schema files of this folder") + added,
		"api.graphql":      heading("The schema of this folder as clients see it") + directives.SDL(plan.API(f.Schema.AST)),
	} {
		if err := replace(filepath.Join(dir, name), []byte(text)); err != nil {
			return fmt.Errorf("folder: files for editors: %w", err)
		}
	}
	return nil
}

func heading(what string) string {
	return "# " + what + ".\n# `partita serve --watch` writes it, and overwrites changes.\n\n"
}

// replace writes a file with another text, so that editors notice only what has changed.
func replace(path string, text []byte) error {
	if old, err := ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return os.WriteFile(path, text, 0o644)
}
