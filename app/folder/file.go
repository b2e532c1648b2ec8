package folder

import (
	"errors"
	"io/fs"
	"os"
)

// errNotRegular is the error of a pipe or a device, which may never end.
var errNotRegular = errors.New("not a regular file; write its content to one")

// ReadFile reads a file that a person has named. The error is a *fs.PathError, also for what is not a regular file.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func checkRegular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() { // a folder has an error of its own
		return nil
	}
	return &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
}
