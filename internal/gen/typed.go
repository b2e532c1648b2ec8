package gen

import (
	_ "embed"
	"path/filepath"

	"github.com/99designs/gqlgen/codegen/config"
)

var (
	//go:embed templates/design.gotpl
	designTemplate string
	//go:embed templates/fields.gotpl
	fieldsTemplate string
	//go:embed templates/types.gotpl
	typesTemplate string
)

// writeTyped writes the package of the typed keys.
func writeTyped(r *resolvers) error {
	for _, f := range []struct {
		name, template string
		data           any
	}{
		{designName, designTemplate, newDesignFile(r)},
		{"fields_gen.go", fieldsTemplate, newBindings(r.schema)},
		{"types_gen.go", typesTemplate, newStoredTypes(r.schema)},
	} {
		if err := render(r.data.Config, filepath.Join(r.typed, f.name), r.typedName(), f.template, f.data); err != nil {
			return err
		}
	}
	return nil
}

// importPath returns the import path of a directory, which need not exist yet.
func importPath(dir string) (string, error) {
	file, err := filepath.Abs(filepath.Join(dir, designName))
	pkg := config.PackageConfig{Filename: filepath.ToSlash(file)}
	return pkg.ImportPath(), err
}
