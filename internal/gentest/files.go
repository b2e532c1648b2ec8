package gentest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

// Root returns the folder of this repository.
func Root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
	}
	t.Fatal("the test is in no module", err)
	return ""
}

// Glob returns the absolute paths of the files that match. There must be at least one.
func Glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(Abs(t, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", pattern, err)
	}
	return files
}

// Abs returns an absolute path.
func Abs(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	fatal.If(t, err)
	return path
}

// Read returns the text of a file.
func Read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	fatal.If(t, err)
	return string(text)
}

// Write writes a file, and its folder if it is new.
func Write(t *testing.T, file, text string) {
	t.Helper()
	fatal.If(t, os.MkdirAll(filepath.Dir(file), 0o755))
	fatal.If(t, os.WriteFile(file, []byte(text), 0o644))
}

// Copy copies a file.
func Copy(t *testing.T, from, to string) {
	t.Helper()
	Write(t, to, Read(t, from))
}
