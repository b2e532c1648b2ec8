package gen

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/plugin"
	"github.com/vektah/gqlparser/v2/ast"
)

// Options are what is not in gqlgen.yml: the paths of generated files, and what follows.
type Options struct {
	// Typed is the directory of the typed keys. Its base is the package's name.
	Typed string
	// Docs is the file for the list of access patterns, "" for none.
	Docs string
	// Generated gets the complete schema and the files of a person that it is made of, once all is written without
	// findings; nil for nobody.
	Generated func(schema *ast.Schema, files ...*ast.Source) error
}

// Plugin is the gqlgen plugin of Generate, which runs it before modelgen.
type Plugin struct {
	options Options
	// completed is the schema with the positions in the files of a person.
	completed *ast.Schema
	// userErrors are the types that are bound before gqlgen binds others.
	userErrors []string
	schema     *schema
	resolvers  *resolvers
}

var (
	_ plugin.ConfigMutator = (*Plugin)(nil)
	_ plugin.CodeGenerator = (*Plugin)(nil)
)

// Name returns the plugin's name within gqlgen.
func (p *Plugin) Name() string { return "partita" }

// bindEarly binds before gqlgen loads the packages of what is bound, which then loads all at once. It binds nothing if
// a person may bind types in another way than in gqlgen.yml, which gqlgen reads later.
func (p *Plugin) bindEarly(cfg *config.Config) {
	binds := func(s *ast.Source) bool { return strings.Contains(s.Input, "@go") }
	if len(cfg.AutoBind) > 0 || slices.ContainsFunc(cfg.Sources, binds) {
		return
	}
	bindScalars(cfg)
	p.userErrors = bindUserErrors(cfg)
}

// MutateConfig reads the schema and prepares gqlgen's configuration. The error
// may be directives.Findings.
func (p *Plugin) MutateConfig(cfg *config.Config) error {
	restorePositions(cfg.Schema, p.completed)
	d, err := read(cfg.Schema)
	if err != nil {
		return err
	}
	p.schema = &schema{Schema: d, typed: p.options.Typed, bound: map[string]bool{}}
	if p.schema.typedPath, err = importPath(p.options.Typed); err != nil {
		return err
	}
	for name := range cfg.Schema.Types {
		p.schema.bound[name] = cfg.Models.UserDefined(name) && !slices.Contains(p.userErrors, name)
	}
	configure(cfg, d)
	// At once: gqlgen runs the go command for each package that it then misses.
	cfg.Packages.LoadAll(cfg.Models.ReferencedPackages()...)
	// gqlgen does the same with its own files: code of an older schema must not hide the types of the
	// new models.
	if err := os.Remove(itemsFile(cfg)); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// GenerateCode writes all files but those of gqlgen.
func (p *Plugin) GenerateCode(data *codegen.Data) (err error) {
	p.schema.data = data
	cfg := data.Config
	cfg.Packages.LoadAllNames(cfg.Model.ImportPath(), cfg.Exec.ImportPath(), p.schema.typedPath,
		itemPath, loadersPath, viewerPath, writePath, designPath, storedPath, "math")
	renameArguments(p.schema)
	if p.resolvers, err = sortResolvers(p.schema); err != nil {
		return err
	}
	if err := writeModels(p.schema); err != nil {
		return err
	}
	if err := writeTyped(p.resolvers); err != nil {
		return err
	}
	if err := writeReads(p.resolvers); err != nil {
		return err
	}
	return p.writeDocs()
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
