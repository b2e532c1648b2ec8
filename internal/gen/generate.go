package gen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/module"
)

// Generate runs gqlgen with the plugin on the configuration in the file. The error is directives.Findings if the
// schema, or the Go code of its resolvers, has faults. All files are written, or none: none if there is an
// error, except for findings in Go code that a person has to correct to fit what has been generated.
func Generate(ctx context.Context, configFile string, options Options) error {
	cfg, err := config.LoadConfig(configFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no %s here: "+
			"run partitagen in the folder that has it, or partitagen -init for a new module",
			configFile)
	}
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
	sources := ownSources(cfg)
	if len(sources) == 0 {
		return fmt.Errorf("%s: no file matches schema: list the files of the schema there, such as graph/schema/*.graphqls",
			configFile)
	}
	completed, err := directives.Load(sources...)
	if err != nil {
		return err
	}
	if _, err := read(completed); err != nil {
		return err
	}
	// The plugin's own check distinguishes what a person has to correct.
	cfg.SkipValidation = true
	replaceSources(cfg, completed)
	// This also completes the configuration.
	if err := cfg.LoadSchema(); err != nil {
		return err
	}
	if err := generate(ctx, cfg, &Plugin{options: options, completed: completed}); err != nil || options.Generated == nil {
		return err
	}
	return options.Generated(completed, sources...)
}

// generate writes all files and compiles them, or writes none.
func generate(ctx context.Context, cfg *config.Config, p *Plugin) (err error) {
	// toCorrect are findings that can be corrected only once the files are written.
	var toCorrect directives.Findings
	files, err := moduleFiles()
	if err != nil {
		return err
	}
	files = append(files, sdlFile(cfg))
	if p.options.Docs != "" {
		files = append(files, p.options.Docs)
	}
	before, err := saveTree(generatedFolders(cfg, p.options.Typed), files)
	if err != nil {
		return err
	}
	// An interrupt reaches the go commands that gqlgen runs, too. Their failure is an error like others.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupted)
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("gqlgen cannot generate code for this schema: %v", fault)
		}
		if len(interrupted) > 0 {
			err = errors.New("interrupted: nothing has been written")
		}
		if err != nil {
			err = restored(before, err)
		} else if len(toCorrect) > 0 {
			err = toCorrect
		}
	}()
	if err := writeSDL(cfg); err != nil {
		return err
	}
	p.bindEarly(cfg)
	err = api.Generate(cfg, api.PrependPlugin(p), api.ReplacePlugin(newModelGenerator()),
		api.ReplacePlugin(&resolverGenerator{partita: p}))
	if err != nil {
		return err
	}
	toCorrect, err = compile(ctx, receivers{p.schema})
	return err
}

// restored restores the files and returns the findings that an error contains, otherwise the error.
func restored(before *tree, err error) error {
	if failed := before.restore(); failed != nil {
		return errors.Join(err, fmt.Errorf("restoring the files: %w", failed))
	}
	var findings directives.Findings
	if errors.As(err, &findings) {
		return findings
	}
	return err
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

// InitialFile is a file that every module with a schema begins with.
type InitialFile struct {
	// Name is the file's path in the module, with slashes.
	Name string
	Text string
}

// InitialFiles returns gqlgen's configuration. Everything that all schemas share is built in.
func InitialFiles() []InitialFile {
	return []InitialFile{{"gqlgen.yml", module.GqlgenConfig}}
}

// Write writes the file into a directory. It reports whether the file is new: one that
// exists is left as it is.
func (f InitialFile) Write(dir string) (created bool, err error) {
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = file.WriteString(f.Text)
	return true, errors.Join(err, file.Close())
}
