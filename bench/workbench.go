package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/table"
)

// workbench is what a measurement needs: the path of this program, a folder, and the engine with the demo data there.
type workbench struct {
	self, dir string
	engine    *local.Engine
}

// openWorkbench returns a workbench, which must be closed. It is an error if the binary of Partita is missing.
func openWorkbench(ctx context.Context, partita string) (*workbench, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath(partita); err != nil {
		return nil, fmt.Errorf("the binary of Partita is missing (%w): run make build, or set --partita", err)
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	engine, err := startEngine(ctx, dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	debug.SetGCPercent(collections)
	return &workbench{self, dir, engine}, nil
}

func (b *workbench) close() error { return errors.Join(b.engine.Close(), os.RemoveAll(b.dir)) }

// startEngine starts the local engine with the demo data.
func startEngine(ctx context.Context, dir string) (*local.Engine, error) {
	log := slog.New(slog.DiscardHandler)
	binary, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	if err != nil {
		return nil, err
	}
	settings := local.Settings{DataDir: filepath.Join(dir, "data"), Engine: binary, Seed: demo.Items()}
	schema := table.SchemaOf(typed.Design)
	database, err := local.SeedDatabase(ctx, settings, schema, log)
	if err != nil {
		return nil, err
	}
	return local.StartEngine(ctx, local.EngineSettings{Binary: binary, Database: database, Log: log})
}
