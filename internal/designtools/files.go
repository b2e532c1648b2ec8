package designtools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/folder"
)

// maxTexts is how many bytes the files and texts of one call have together.
const maxTexts = 1 << 20

var errTooMuch = fmt.Errorf("the schema files have more than %d bytes together: name a folder with one schema",
	maxTexts)

// files are the files below one folder. Paths that lead out of it, also by links, are errors.
type files struct{ root *os.Root }

// sources returns the schema files of a folder, sorted by name; none if it has none. Their names are those in the
// folder.
func (f files) sources(dir string) ([]*ast.Source, error) {
	dir, err := local(dir)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(f.root.FS(), dir)
	if err != nil {
		return nil, cannotRead(dir, err)
	}
	var sources []*ast.Source
	rest := maxTexts
	for _, e := range entries {
		if e.IsDir() || !folder.IsSchemaFile(e.Name()) {
			continue
		}
		text, err := f.read(path.Join(dir, e.Name()), rest)
		if err != nil {
			return nil, err
		}
		rest -= len(text)
		sources = append(sources, &ast.Source{Name: e.Name(), Input: text})
	}
	return sources, nil
}

// isOfModule reports whether a gqlgen.yml in the folder, or above it, names its files.
func (f files) isOfModule(dir string) bool {
	dir, err := local(dir)
	if err != nil {
		return false
	}
	for above := dir; ; above = path.Dir(above) {
		if text, err := f.read(path.Join(above, "gqlgen.yml"), maxTexts); err == nil {
			within, err := filepath.Rel(above, dir)
			return err == nil && folder.IsOfModule([]byte(text), filepath.ToSlash(within))
		}
		if above == "." {
			return false
		}
	}
}

// read returns the text of a file of at most so many bytes.
func (f files) read(name string, most int) (string, error) {
	info, err := f.root.Stat(name)
	if err != nil {
		return "", cannotRead(name, err)
	}
	if !info.Mode().IsRegular() { // a pipe may have no end
		return "", cannotRead(name, errors.New("not a regular file"))
	}
	file, err := f.root.Open(name)
	if err != nil {
		return "", cannotRead(name, err)
	}
	defer func() { _ = file.Close() }() // was only read
	text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	if err != nil {
		return "", cannotRead(name, err)
	}
	if len(text) > most {
		return "", errTooMuch
	}
	return string(text), nil
}

// local returns a path below the folder with slashes; "." for the folder itself.
func local(dir string) (string, error) {
	if dir == "" {
		return ".", nil
	}
	if clean := filepath.ToSlash(filepath.Clean(dir)); filepath.IsLocal(dir) {
		return clean, nil
	}
	return "", fmt.Errorf("the folder %.200q is not below the one that the server was started with: "+
		"name it relative to that one, and not by ..: as tasks or apps/shop", dir)
}

// cannotRead returns the error for a file or a folder. What the system says has names of files outside.
func cannotRead(name string, err error) error {
	why := "it cannot be opened, or a link leads out of the folder that the server was started with"
	switch known := []error{fs.ErrNotExist, fs.ErrPermission}; {
	case slices.ContainsFunc(known, func(e error) bool { return errors.Is(err, e) }):
		why = "it does not exist, or may not be read"
	case err.Error() == "not a regular file":
		why = "it is not a regular file"
	}
	return fmt.Errorf("%.200q cannot be read (%s): name a folder with schema files (*.graphqls), or give their texts "+
		"in files", name, why)
}
