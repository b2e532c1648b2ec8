package folder

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/editors"
)

//go:embed all:starter
var starter embed.FS

// New creates a folder with a schema of two types and an edge, data, a README with its access patterns, and what
// editors need. The folder may exist if it has no file of these names and no other schema. The error is an *exit.Error,
// or one of the file system.
func New(dir string) error {
	files, err := fs.Sub(starter, "starter")
	if err != nil {
		return err
	}
	if IsFolder(dir) {
		return exists(dir, "a schema")
	}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, err := os.Lstat(filepath.Join(dir, e.Name())); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return cannotCreate(dir, err)
			}
			return exists(dir, e.Name())
		}
	}
	if err := os.CopyFS(dir, files); err != nil {
		return cannotCreate(dir, err)
	}
	return newForEditors(dir)
}

func newForEditors(dir string) error {
	f, err := Open(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, editors.Dir), 0o755); err != nil {
		return cannotCreate(dir, err)
	}
	if err := f.WriteForEditors(); err != nil {
		return cannotCreate(dir, err)
	}
	return nil
}

func exists(dir, what string) error {
	return &exit.Error{
		Problem: "the folder " + dir + " has " + what + " already", Fix: "give the name of a new folder",
		Code: exit.CannotCreate,
	}
}

func cannotCreate(dir string, err error) error {
	if cause, is := errors.AsType[*fs.PathError](err); is {
		err = cause.Err
	}
	return &exit.Error{
		Problem: "the folder " + dir + " cannot be created (" + err.Error() + ")",
		Fix:     "give the name of a folder that can", Code: exit.CannotCreate, Err: err,
	}
}
