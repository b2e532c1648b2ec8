package folder

import (
	"errors"
	"io/fs"
	"os"
)

const (
	// maxFile is the size in bytes of the largest file that is read as a whole: a schema, documents, a manifest.
	maxFile = 64 << 20
	// maxNesting is how deep brackets are nested in such a file at most. Parsers of GraphQL use the stack for each level,
	// and the process ends when there is none left.
	maxNesting = 10_000
)

var (
	// errNotRegular is the error of a pipe or a device, which may never end.
	errNotRegular = errors.New("not a regular file; write its content to one")
	errTooLarge   = errors.New("larger than 64 MiB; name the file that was meant")
	errTooDeep    = errors.New("brackets are nested deeper than 10,000 levels; name the file that was meant")
)

// ReadFile reads a file that a person has named. The error is a *fs.PathError, also for what is not a regular file, and
// for one that is too large or nested too deep to be parsed.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if CheckNesting(text) != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errTooDeep}
	}
	return text, nil
}

// CheckNesting returns an error for a text whose brackets are nested too deep to be parsed, wherever they are.
func CheckNesting[T string | []byte](text T) error {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[', '(':
			if depth++; depth > maxNesting {
				return errTooDeep
			}
		case '}', ']', ')':
			depth = max(0, depth-1)
		}
	}
	return nil
}

func checkRegular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() { // a folder has an error of its own
		return nil
	}
	return &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
}
