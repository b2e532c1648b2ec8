package local_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
)

// A page that an engine was writing into the database when it was killed is still in the write-ahead log. It is not
// damaged.
func TestUnfinishedPagesAreNotDamaged(t *testing.T) {
	const pageSize, logHeader, frameHeader = 4096, 32, 24 // https://www.sqlite.org/fileformat2.html#walformat
	dir := t.TempDir()
	opened := openLocal(t, settings(dir))
	fatal.If(t, admin.Create(t.Context(), opened.Table))
	fatal.If(t, put(t.Context(), opened, tabletest.Stored("A", "A", "name", "kept")))
	fatal.If(t, must(os.FindProcess(enginePID(t, dir))).Kill())
	if err := <-opened.Died(); err == nil {
		t.Fatal("the engine ended without an error")
	}
	fatal.If(t, opened.Close())

	path := filepath.Join(dir, "partita.db")
	log, err := os.ReadFile(path + "-wal")
	if err != nil || len(log) < logHeader+frameHeader+pageSize {
		t.Fatalf("the log has %d bytes, %v", len(log), err)
	}
	database := must(os.ReadFile(path))
	unfinished := 0
	for frame := log[logHeader:]; len(frame) >= frameHeader+pageSize; frame = frame[frameHeader+pageSize:] {
		if at := (int(binary.BigEndian.Uint32(frame)) - 1) * pageSize; at < len(database) {
			clear(database[at : at+pageSize])
			unfinished++
		}
	}
	if unfinished == 0 {
		t.Fatal("the log has no page of the database")
	}
	fatal.If(t, os.WriteFile(path, database, 0o600))
	hasA(t, openLocal(t, settings(dir)))
}
