package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/partita/partita/internal/platform"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local/several"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
)

// SeedDatabase creates the database that Open creates from Settings.Seed, in
// Settings.DataDir, and returns its path: for StartEngine.
func SeedDatabase(ctx context.Context, s Settings, schema table.Schema, log *slog.Logger) (path string, err error) {
	if err := s.applyDefaults(); err != nil {
		return "", err
	}
	binary, err := FindEngine(s.Engine)
	if err != nil {
		return "", err
	}
	return filepath.Join(s.DataDir, databaseFile), seedDatabase(ctx, binary, s, schema, log)
}

// seedDatabase creates the engine's database with the table and its first items by
// the engine's import of an S3 export. That is ten times as fast as BatchWriteItem,
// and the file exists only once it is complete.
func seedDatabase(ctx context.Context, binary string, s Settings, schema table.Schema, log *slog.Logger) (err error) {
	start := time.Now()
	dir := filepath.Join(s.DataDir, seedDir)
	if err := os.RemoveAll(dir); err != nil { // left by a start that was killed
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	export := filepath.Join(dir, "export", s.TableName, "data")
	if err := os.MkdirAll(export, 0o755); err != nil {
		return err
	}
	items, err := s.items(schema)
	if err != nil {
		return err
	}
	count, err := writeLines(filepath.Join(export, "seed.json"), func(yield func(item.Item, error) bool) {
		for it, err := range items {
			if !yield(several.Add(schema.Layout(), schema.Indexes, it), err) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	description, err := importSchema(s.TableName, schema)
	if err != nil {
		return err
	}
	schemaFile := filepath.Join(dir, "schema.json")
	if err := os.WriteFile(schemaFile, description, 0o644); err != nil {
		return err
	}
	database := filepath.Join(dir, databaseFile)
	cmd := exec.CommandContext(ctx, binary, "import",
		"--source", filepath.Join(dir, "export"), "--schema", schemaFile, "--output", database)
	cmd.SysProcAttr = platform.Child()
	runtime.LockOSThread() // for the parent-death signal, as in Engine.run
	defer runtime.UnlockOSThread()
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("local: import: %w; it wrote: %s", err, output)
	}
	if err := os.Rename(database, filepath.Join(s.DataDir, databaseFile)); err != nil {
		return err
	}
	log.InfoContext(ctx, "table created and filled", "table", s.TableName, "items", count, "took", time.Since(start))
	return nil
}

func writeLines(path string, items iter.Seq2[item.Item, error]) (count int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	for it, err := range items {
		if err != nil {
			return count, err
		}
		line, err := admin.EncodeLine(it)
		if err != nil {
			return count, err
		}
		if _, err := w.Write(line); err != nil {
			return count, err
		}
		count++
	}
	return count, w.Flush()
}

// importSchema returns the table in the format of DescribeTable, which the engine's import reads.
func importSchema(name string, schema table.Schema) ([]byte, error) {
	in := admin.TableInput(name, schema)
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	var given map[string]any
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	d := map[string]any{"BillingModeSummary": map[string]any{"BillingMode": in.BillingMode}}
	for _, same := range []string{
		"TableName", "KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes",
	} {
		d[same] = given[same]
	}
	several.ToEngine(d)
	return json.Marshal(map[string]any{"Table": withoutNull(d)})
}

// withoutNull removes the members of objects that are null.
func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			if withoutNull(child) == nil {
				delete(v, name)
			}
		}
	case []any:
		for _, child := range v {
			withoutNull(child)
		}
	}
	return v
}
