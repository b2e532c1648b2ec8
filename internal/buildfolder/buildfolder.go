// Package buildfolder has temporary folders for Go code that tests write and compile.
//
// The Go toolchain stores what it has compiled by the path of the folder, among others. In a folder of
// testing.T.TempDir, whose path is a new one each time, it compiles everything again.
package buildfolder

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/platform"
)

// temporary is read before a test changes it, as those of processes do.
var temporary = os.TempDir()

// New returns an empty folder, which is removed when the test ends. It has the same path in each run of the test in
// this checkout, except for a run beside another one.
func New(t *testing.T) string {
	t.Helper()
	dir, err := testFolder(t.Name())
	fatal.If(t, err)
	unlock, ok := lock(dir + ".lock")
	if !ok {
		return t.TempDir()
	}
	t.Cleanup(func() {
		remove(t, dir)
		unlock()
	})
	// A run that was killed has left its files.
	remove(t, dir)
	fatal.If(t, os.MkdirAll(dir, 0o755))
	return dir
}

// testFolder returns the path for a test of the package in the working directory.
func testFolder(test string) (string, error) {
	checkout, err := os.Getwd()
	if err != nil {
		return "", err
	}
	temporary, err := filepath.EvalSymlinks(temporary)
	if err != nil {
		return "", err
	}
	user := fmt.Sprintf("partita-test-%d", os.Getuid())
	name := fmt.Sprintf("%x", sha256.Sum256([]byte(checkout+"\n"+test)))[:16]
	return filepath.Join(temporary, user, name), nil
}

// lock returns false if another process has the file locked. The kernel unlocks the file when the process ends, however
// it does.
func lock(path string) (unlock func(), ok bool) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, false
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false
	}
	if err := platform.Lock(file); err != nil {
		_ = file.Close()
		return nil, false
	}
	return func() { _ = file.Close() }, true
}

func remove(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}
