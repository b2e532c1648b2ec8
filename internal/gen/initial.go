package gen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/partita/partita/internal/gen/module"
)

// InitialFile is a file that every module with a schema begins with.
type InitialFile struct {
	// Name is the file's path in the module, with slashes.
	Name string
	Text string
}

// InitialFiles returns gqlgen's configuration. Everything that all schemas share is built in.
func InitialFiles() []InitialFile {
	return []InitialFile{{"gqlgen.yml", module.GqlgenConfig}}
}

// Write writes the file into a directory. It reports whether the file is new: one that
// exists is left as it is.
func (f InitialFile) Write(dir string) (created bool, err error) {
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = file.WriteString(f.Text)
	return true, errors.Join(err, file.Close())
}
