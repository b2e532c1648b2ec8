package testservice

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

//go:embed graph/schema/*.graphqls
var files embed.FS

// Sources returns the files of the library's schema.
func Sources() []*ast.Source {
	names, err := fs.Glob(files, "graph/schema/*")
	if err != nil {
		panic(err)
	}
	sources := make([]*ast.Source, len(names))
	for i, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sources[i] = &ast.Source{Name: name, Input: string(text)}
	}
	return sources
}

// Folder returns the library's schema as a folder without Go is served.
var Folder = sync.OnceValue(func() *directives.Schema {
	schema, err := directives.Load(Sources()...)
	if err != nil {
		panic(err)
	}
	folder, err := directives.Read(schema)
	if err != nil {
		panic(err)
	}
	folder.Design.WithAllow(Allow).WithoutGo()
	return folder
})
