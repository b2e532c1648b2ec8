package module

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"io"
	"os"
	"path"
	"path/filepath"
	"text/template"

	"golang.org/x/mod/module"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/editors"
)

// Module is a Go module that is generated from a folder of schema files.
type Module struct {
	// Dir is the module's folder. It must be empty, or not exist.
	Dir string
	// Path is the module's path, such as example.com/billing. Its last element is the name of the program.
	Path string
	// Schema are the paths of the schema files.
	Schema []string
	// Data is the path of the file with the items of a new table, and Query that of the playground's first document; ""
	// for none.
	Data, Query string
	// HasNodes reports whether a stored type of the schema is a Node.
	HasNodes bool
	// Engine is the engine that the module uses.
	Engine Engine
	// Generator is a program to run instead of `go tool partitagen`, which is linked for each module; "" for none.
	Generator string
	// Log gets what a command of the Go toolchain has printed that fails.
	Log io.Writer
}

// GqlgenConfig is the gqlgen.yml that a module begins with.
//
//go:embed templates/gqlgen.yml
var GqlgenConfig string

// editorConfig is the .graphqlrc.yml of a module.
//
//go:embed templates/graphqlrc.yml
var editorConfig string

//go:embed templates/main.gotpl
var mainText string

var mainTemplate = template.Must(template.New("main.go").Parse(mainText))

// gitignore has the local engine's data.
const gitignore = ".data/\n"

// writeFiles writes what the module has before its code is generated.
func (m Module) writeFiles() error {
	program, err := m.program()
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"main.go": program, "gqlgen.yml": []byte(GqlgenConfig), ".graphqlrc.yml": []byte(editorConfig),
		".gitignore": []byte(gitignore),
	}
	copies := map[string]string{}
	for _, file := range m.Schema {
		copies[file] = filepath.Join("graph", "schema", filepath.Base(file))
	}
	for _, file := range []string{m.Data, m.Query} {
		if file != "" {
			copies[file] = filepath.Base(file)
		}
	}
	for from, to := range copies {
		if files[to], err = os.ReadFile(from); err != nil {
			return err
		}
	}
	for name, text := range files {
		to := filepath.Join(m.Dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return os.Mkdir(filepath.Join(m.Dir, editors.Dir), 0o755)
}

// program returns main.go.
func (m Module) program() ([]byte, error) {
	var b bytes.Buffer
	err := mainTemplate.Execute(&b, struct {
		Module
		Name, DataFile, QueryFile string
	}{m, path.Base(m.Path), base(m.Data), base(m.Query)})
	if err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// base is the last element of a path, "" of none.
func base(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Base(file)
}

// checkPath returns an error for what cannot be the path of a module.
func checkPath(text string) error {
	if err := module.CheckImportPath(text); err != nil {
		return &exit.Error{
			Problem: fmt.Sprintf("%q cannot be the path of a Go module (%v)", text, err),
			Fix:     "name one with --module, such as example.com/billing", Code: exit.Usage, Err: err,
		}
	}
	return nil
}
