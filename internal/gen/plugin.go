package gen

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/plugin"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// Options are the paths of the generated files that are not in gqlgen.yml.
type Options struct {
	// Typed is the directory of the typed keys. Its base is the package's name.
	Typed string
	// Docs is the file for the list of access patterns, "" for none.
	Docs string
}

// Plugin is the gqlgen plugin of Generate, which runs it before modelgen, and a resolverGenerator in place of
// resolvergen.
type Plugin struct {
	options Options
	config  *config.Config
	// completed is the schema with the positions in the files of a person.
	completed *ast.Schema
	schema    *directives.Schema
	data      *codegen.Data
	// typedPath is the import path of the typed keys.
	typedPath string
	// bound are the names of the types that a person binds to Go types, in gqlgen.yml for example.
	bound map[string]bool
	// reads are set by sortResolvers.
	reads reads
}

var (
	_ plugin.ConfigMutator = (*Plugin)(nil)
	_ plugin.CodeGenerator = (*Plugin)(nil)
)

// Name returns the plugin's name within gqlgen.
func (p *Plugin) Name() string { return "partita" }

// MutateConfig reads the schema and prepares gqlgen's configuration. The error
// may be directives.Findings.
func (p *Plugin) MutateConfig(cfg *config.Config) error {
	restorePositions(cfg.Schema, p.completed)
	var err error
	if p.schema, err = read(cfg.Schema); err != nil {
		return err
	}
	if p.typedPath, err = importPath(p.options.Typed); err != nil {
		return err
	}
	p.bound = map[string]bool{}
	for name := range cfg.Schema.Types {
		p.bound[name] = cfg.Models.UserDefined(name)
	}
	p.configure(cfg)
	// At once: gqlgen runs the go command for each package that it then misses.
	cfg.Packages.LoadAll(cfg.Models.ReferencedPackages()...)
	cfg.Packages.LoadAllNames(itemPath, loadersPath, viewerPath, writePath, designPath, storedPath, "math")
	// gqlgen does the same with its own files: code of an older schema must not hide the types of the
	// new models.
	if err := os.Remove(itemsFile(cfg)); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

func itemsFile(cfg *config.Config) string { return filepath.Join(cfg.Model.Dir(), "items_gen.go") }

// GenerateCode writes all files but those of gqlgen.
func (p *Plugin) GenerateCode(data *codegen.Data) error {
	p.data = data
	p.config.Packages.LoadAllNames(p.config.Model.ImportPath(), p.config.Exec.ImportPath(), p.typedPath)
	p.renameArguments()
	for _, write := range []func() error{p.sortResolvers, p.writeModels, p.writeTyped, p.writeReads, p.writeDocs} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plugin) writeDocs() error {
	if p.options.Docs == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(p.options.Docs), 0o755); err != nil {
		return err
	}
	return writeFile(p.options.Docs, p.schema.AccessPatterns(), 0o644)
}

// object returns gqlgen's object type, which has the Go names and types of its fields.
func (p *Plugin) object(name string) *codegen.Object { return p.data.Objects.ByName(name) }

// field returns the field of an object. It exists, since the directives have been checked.
func (p *Plugin) field(object, name string) *codegen.Field {
	for _, f := range p.object(object).Fields {
		if f.Name == name {
			return f
		}
	}
	panic(fmt.Sprintf("gen: bug: gqlgen has no field %s.%s", object, name))
}
