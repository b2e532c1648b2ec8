package local

import (
	"context"
	"iter"
	"path/filepath"

	"github.com/partita/partita/internal/defaults"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// Settings are the table's, and those of the local engine that is started if they
// name no remote table. The tags are for kong; Open sets zero fields to the
// defaults in the tags.
type Settings struct {
	table.Settings `embed:""`

	DataDir string `name:"data-dir" env:"DATA_DIR" type:"path" predictor:"file" placeholder:"DIR" help:"Directory for the local engine's data. It is .data by default: that in the folder with the schema, if the command has one."`
	Engine  string `name:"engine" env:"DYNOXIDE" help:"Path of the local engine's binary. Without it, node_modules is searched."`

	// Seed is the items of the table in a data directory that is new: in a table with
	// tenants, those of [DemoTenant], without it in their keys. Without Seed, a new data
	// directory has no table.
	Seed iter.Seq[item.Item] `kong:"-"`
	// SeedFile has these items instead, as lines that admin.FileItems reads.
	SeedFile string `kong:"-"`
	// Reset removes the table that the data directory has, so that it is new.
	Reset bool `kong:"-"`
}

// DemoTenant is the tenant of the demo data, and of the playground on the local engine, in a table with tenants.
const DemoTenant = "demo"

// defaultDataDir is the default of Settings.DataDir, in the working directory.
const defaultDataDir = ".data"

func (s *Settings) applyDefaults() (err error) {
	if err := defaults.Apply(s); err != nil {
		return err
	}
	if s.DataDir == "" {
		s.DataDir, err = filepath.Abs(defaultDataDir)
	}
	return err
}

// hasSeed reports whether a new data directory gets a table.
func (s *Settings) hasSeed() bool { return s.Seed != nil || s.SeedFile != "" }

// items are those of a new table, as they are stored.
func (s *Settings) items(schema table.Schema) (iter.Seq2[item.Item, error], error) {
	var tenant keys.Tenant
	if schema.Tenants {
		var err error
		if tenant, err = schema.Layout().Tenant(DemoTenant); err != nil {
			return nil, err
		}
	}
	return func(yield func(item.Item, error) bool) {
		if s.SeedFile == "" {
			s.Seed(func(it item.Item) bool { return yield(schema.ToTenant(tenant, it), nil) })
			return
		}
		for it, err := range admin.FileItems(s.SeedFile, schema) {
			if !yield(schema.ToTenant(tenant, it), err) {
				return
			}
		}
	}, nil
}

// Local reports whether Open starts the local engine.
func (s Settings) Local(ctx context.Context) bool { return !s.IsRemote(ctx) }
