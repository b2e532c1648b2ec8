package local

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/platform"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/table"
)

// Files of the data directory.
const (
	databaseFile = "partita.db"
	logSuffix    = "-wal" // of the database's write-ahead log
	lockFile     = "lock"
	seedDir      = "seed"
)

// startOn starts the engine on the data directory, which it creates and seeds if it
// is new. Its errors are *exit.Error, or the context's.
func startOn(ctx context.Context, s Settings, schema table.Schema, log *slog.Logger) (*Engine, error) {
	binary, err := FindEngine(s.Engine)
	if err != nil {
		return nil, err
	}
	release, err := lockDataDir(s.DataDir)
	if err != nil {
		return nil, err
	}
	database := filepath.Join(s.DataDir, databaseFile)
	if s.Reset {
		if err := removeDatabase(database); err != nil {
			return nil, errors.Join(cannotCreate(s.DataDir, err), release())
		}
	}
	settings, isNew := EngineSettings{Binary: binary, Database: database, Log: log}, false
	if _, err := os.Stat(database); err == nil {
		if err := checkData(ctx, database); err != nil {
			return nil, errors.Join(err, release())
		}
	} else if errors.Is(err, fs.ErrNotExist) && s.hasSeed() {
		if err := seedDatabase(ctx, binary, s, schema, log); err != nil {
			return nil, errors.Join(seedFailure(ctx, err), release())
		}
		isNew = true
	}
	engine, err := StartEngine(ctx, settings)
	if err != nil {
		return nil, errors.Join(engineFailure(ctx, "cannot be started", err), release())
	}
	if err := engine.AddSeveral(schema); err != nil {
		return nil, errors.Join(err, engine.Close(), release())
	}
	engine.release, engine.isNew = release, isNew
	engine.name = "the local engine in " + s.DataDir
	log.InfoContext(ctx, "local engine started", "endpoint", engine.Endpoint(), "data", s.DataDir, "pid", engine.PID())
	return engine, nil
}

// removeDatabase removes a database with its write-ahead log and its index of that.
func removeDatabase(path string) error {
	for _, suffix := range []string{logSuffix, "-shm", ""} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// seedFailure returns the error for a database that could not be filled. A fault of the items is not the engine's.
func seedFailure(ctx context.Context, err error) error {
	if line, is := errors.AsType[*admin.LineError](err); is {
		return line
	}
	return engineFailure(ctx, "cannot make its first data", err)
}

// checkData returns an *exit.Error if the database is not a SQLite file, or was cut off. The engine finds what was
// overwritten within it when an operation needs that.
func checkData(ctx context.Context, path string) error {
	if log, err := os.Stat(path + logSuffix); err == nil && log.Size() > 0 {
		return nil // an engine that was killed has left it, and what the database lacks is in it
	}
	file, err := os.Open(path)
	if err != nil {
		return engineFailure(ctx, "cannot read its data", err)
	}
	defer func() { _ = file.Close() }()
	var header [100]byte // stays zero beyond the end of the file
	if _, err := file.ReadAt(header[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return engineFailure(ctx, "cannot read its data", err)
	}
	info, err := file.Stat()
	if err != nil {
		return engineFailure(ctx, "cannot read its data", err)
	}
	// https://www.sqlite.org/fileformat2.html#the_database_header: the size of a page, and how many there are.
	wanted := int64(binary.BigEndian.Uint16(header[16:])) * int64(binary.BigEndian.Uint32(header[28:]))
	problem := fmt.Sprintf("it has %d bytes of %d", info.Size(), wanted)
	switch {
	case !bytes.HasPrefix(header[:], []byte("SQLite format 3\x00")):
		problem = "it is not a valid SQLite database"
	case info.Size() >= wanted:
		return nil
	}
	return &exit.Error{
		Problem: fmt.Sprintf("the data of the local engine in %s are damaged (%s)", path, problem),
		Fix:     "put a copy of the file there, or move the data directory away, which starts anew with demo data",
		Code:    exit.DataError,
	}
}

func engineFailure(ctx context.Context, what string, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("local: %w: %w", ctx.Err(), err)
	}
	return &exit.Error{
		Problem: fmt.Sprintf("the local engine %s (%v)", what, err),
		Fix:     "correct DYNOXIDE or DATA_DIR; moving the data directory away starts anew with demo data",
		Code:    exit.Unavailable, Err: err,
	}
}

// lockDataDir creates the directory and locks it until the process ends. Two
// engines on one database would read each other's incomplete writes.
func lockDataDir(dir string) (release func() error, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, cannotCreate(dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, cannotCreate(dir, err)
	}
	if err := platform.Lock(f); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(f, 32))
		return nil, errors.Join(&exit.Error{
			Problem: fmt.Sprintf("the data directory %s is in use by process %s", dir, strings.TrimSpace(string(holder))),
			Fix:     "stop that gateway, or set another DATA_DIR",
			Code:    exit.TryAgain, Err: err,
		}, f.Close())
	}
	if err := writePID(f); err != nil {
		return nil, errors.Join(cannotCreate(dir, err), f.Close())
	}
	return f.Close, nil
}

// writePID writes what the error of another process's lockDataDir contains.
func writePID(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(fmt.Sprintln(os.Getpid())), 0)
	return err
}

func cannotCreate(dir string, err error) error {
	return &exit.Error{
		Problem: fmt.Sprintf("the data directory %s cannot be written (%v)", dir, err),
		Fix:     "set DATA_DIR to a directory that can",
		Code:    exit.CannotCreate, Err: err,
	}
}
