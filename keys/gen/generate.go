package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives"
)

// Generate runs gqlgen with the plugin on the configuration in the file. Nothing
// is written when the error is directives.Findings.
func Generate(configFile string, options Options) error {
	cfg, err := config.LoadConfig(configFile)
	if err != nil {
		return fmt.Errorf("reading %s: %w", configFile, err)
	}
	if !cfg.Model.IsDefined() || !cfg.Resolver.IsDefined() {
		return errors.New(configFile +
			" must have the sections model and resolver, because read resolvers and the models that they fill are generated")
	}
	if cfg.Resolver.Layout != config.LayoutFollowSchema {
		return errors.New(configFile + " must have resolver.layout: follow-schema")
	}
	// gqlgen removes its old output before it reads the schema, so faults are found here first.
	if err := cfg.LoadSchema(); err != nil {
		return err
	}
	design, err := read(cfg.Schema)
	if err != nil {
		return err
	}
	if err := checkPrevious(design, options.Typed); err != nil {
		return err
	}
	p := New(options)
	return api.Generate(cfg, api.PrependPlugin(p), api.ReplacePlugin(&resolverGenerator{partita: p}))
}

// read reads and checks the schema. The error is directives.Findings: all faults.
func read(schema *ast.Schema) (*directives.Schema, error) {
	d, err := directives.Read(schema)
	if err != nil {
		return nil, err
	}
	findings := append(checkNames(d), checkStorable(d)...)
	if len(findings) == 0 {
		return d, nil
	}
	slices.SortStableFunc(findings, func(a, b directives.Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return nil, findings
}
