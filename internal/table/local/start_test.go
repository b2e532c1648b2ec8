package local_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/internal/tabletest"
)

func openError(t *testing.T, s local.Settings) error {
	t.Helper()
	opened, err := local.Open(t.Context(), s, schema, discard)
	if err == nil {
		t.Cleanup(func() { opened.Close() })
	}
	return err
}

func TestStartWithoutEngine(t *testing.T) {
	tabletest.WantExitError(t, openError(t, local.Settings{DataDir: t.TempDir(), Engine: "/nowhere/dynoxide"}),
		exit.Unavailable, "/nowhere/dynoxide", "npm install")
	t.Chdir(t.TempDir())
	tabletest.WantExitError(t, openError(t, local.Settings{DataDir: t.TempDir()}), exit.Unavailable,
		"not installed", "npm install @dynoxide/linux-x64@", "DYNAMODB_ENDPOINT")
}

func TestEngineIsFoundAboveTheWorkingDirectory(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "node_modules", "@dynoxide", "linux-x64")
	deep := filepath.Join(root, "a", "b")
	for _, d := range []string{dir, deep} {
		fatal.If(t, os.MkdirAll(d, 0o755))
	}
	want := filepath.Join(dir, "dynoxide")
	fatal.If(t, os.WriteFile(want, nil, 0o755))
	t.Chdir(deep)
	if got, err := local.FindEngine(""); got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestStartWithBrokenEngineOrData(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "engine")
	fatal.If(t, os.WriteFile(broken, []byte("#!/bin/sh\necho it is broken >&2\nexit 3\n"), 0o755))
	tabletest.WantExitError(t, openError(t, local.Settings{DataDir: filepath.Join(dir, "data"), Engine: broken}),
		exit.Unavailable, "cannot be started", "it is broken")

	s := settings(dir)
	database := filepath.Join(dir, "partita.db")
	fatal.If(t, os.WriteFile(database, []byte("not a database, but long enough"), 0o644))
	tabletest.WantExitError(t, openError(t, s), exit.DataError,
		database, "damaged", "not a valid SQLite database", "move the data directory away")

	opened := openLocal(t, settings(filepath.Join(dir, "cut off")))
	fatal.If(t, errors.Join(admin.Create(t.Context(), opened.Table), opened.Close()))
	fatal.If(t, os.Truncate(filepath.Join(dir, "cut off", "partita.db"), 4096))
	tabletest.WantExitError(t, openError(t, settings(filepath.Join(dir, "cut off"))), exit.DataError,
		"damaged", "it has 4096 bytes of", "move the data directory away")

	s.DataDir = filepath.Join(broken, "below a file")
	tabletest.WantExitError(t, openError(t, s), exit.CannotCreate, "cannot be written", "DATA_DIR")
}
