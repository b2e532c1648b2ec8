package gen

import (
	"os"
	"slices"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/99designs/gqlgen/plugin/modelgen"
	"github.com/99designs/gqlgen/plugin/resolvergen"
)

// modelGenerator is gqlgen's plugin for models. Once it has written them, it loads all packages of what is bound, and
// gqlgen does the same when all plugins have configured it. Loading takes longer than all else: once is enough.
type modelGenerator struct{ *modelgen.Plugin }

func newModelGenerator() modelGenerator { return modelGenerator{modelgen.New().(*modelgen.Plugin)} }

// MutateConfig writes the models and binds them.
func (g modelGenerator) MutateConfig(cfg *config.Config) error {
	models := cfg.Models
	defer func() { cfg.Models = models }()
	// This is called when all models are bound.
	g.MutateHook = func(b *modelgen.ModelBuild) *modelgen.ModelBuild {
		cfg.Models = nil
		return b
	}
	return g.Plugin.MutateConfig(cfg)
}

// resolverGenerator is gqlgen's plugin for resolvers, for those that are in no other file.
type resolverGenerator struct {
	resolvergen.Plugin
	partita *Plugin
}

// GenerateCode writes gqlgen's files.
func (g *resolverGenerator) GenerateCode(data *codegen.Data) error {
	for _, f := range slices.Concat(g.partita.resolvers.Fields, g.partita.resolvers.own) {
		f.IsResolver = false
		defer func() { f.IsResolver = true }()
	}
	if slices.ContainsFunc(slices.Concat(data.Objects, data.Inputs), (*codegen.Object).HasResolvers) {
		return g.Plugin.GenerateCode(data)
	}
	return writeRoot(data.Config)
}

// writeRoot writes the file with the type of all resolvers as gqlgen does, which would first load the package: without
// a resolver to write, there is none to keep.
func writeRoot(cfg *config.Config) error {
	if _, err := os.Stat(cfg.Resolver.Filename); err == nil {
		return nil
	}
	return templates.Render(templates.Options{
		PackageName: cfg.Resolver.Package,
		FileNotice: `
				// This file will not be regenerated automatically.
				//
				// It serves as dependency injection for your app, add any dependencies you require
				// here.`,
		Template:     `type {{.}} struct {}`,
		Filename:     cfg.Resolver.Filename,
		Data:         cfg.Resolver.Type,
		Packages:     cfg.Packages,
		PruneOptions: cfg.GetPruneOptions(),
	})
}
