package designtools

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
)

// schemaInput is the schema that a call is about.
type schemaInput struct {
	Folder    string            `json:"folder,omitempty" jsonschema:"the folder with the schema files (*.graphqls), below the one that the server was started with; by default that one. Folders below it are not read"`
	Files     map[string]string `json:"files,omitempty" jsonschema:"texts of schema files by name, such as {\"tasks.graphqls\": \"type Query {...}\"}: each takes the place of the file with this name, or is added; an empty text leaves a file out. Nothing is written"`
	OnlyFiles bool              `json:"onlyFiles,omitempty" jsonschema:"use the texts in files alone, and read no folder"`
}

// maxFiles is how many schema files one call is about.
const maxFiles = 200

// schemaFiles are the files of a call.
type schemaFiles struct {
	sources []*ast.Source
	// hasGo is set if they are those of a Go module, which may resolve fields.
	hasGo bool
}

// read returns the files of a call, at least one, sorted by name.
func (t *tools) read(in schemaInput) (schemaFiles, error) {
	var s schemaFiles
	if !in.OnlyFiles {
		saved, err := t.files.sources(in.Folder)
		if err != nil {
			return s, err
		}
		s.sources = slices.DeleteFunc(saved, func(f *ast.Source) bool { _, is := in.Files[f.Name]; return is })
		s.hasGo = t.files.isOfModule(in.Folder)
	}
	for name, text := range in.Files {
		switch {
		case !folder.IsSchemaFile(name) || strings.ContainsAny(name, `/\`):
			return s, fmt.Errorf("%.200q is no name of a schema file: write a name such as tasks.graphqls, without a folder",
				name)
		case text != "":
			s.sources = append(s.sources, &ast.Source{Name: name, Input: text})
		}
	}
	slices.SortFunc(s.sources, func(a, b *ast.Source) int { return cmp.Compare(a.Name, b.Name) })
	return s, s.check()
}

// check returns an error for files that cannot be parsed.
func (s schemaFiles) check() error {
	if len(s.sources) == 0 {
		return errors.New("there are no schema files (*.graphqls) here: name another folder, or give texts in files")
	}
	if len(s.sources) > maxFiles {
		return fmt.Errorf("there are more than %d schema files: name a folder with one schema", maxFiles)
	}
	size := 0
	for _, f := range s.sources {
		if size += len(f.Input); size > maxTexts {
			return errTooMuch
		}
		if err := folder.CheckNesting(f.Input); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if !utf8.ValidString(f.Input) {
			return fmt.Errorf("%s is not UTF-8: write it as such", f.Name)
		}
	}
	return nil
}

func (s schemaFiles) findings(sources []*ast.Source) directives.Findings {
	return folder.Findings(sources, s.hasGo)
}

// load returns the schema of the files. The error says what to correct.
func (s schemaFiles) load() (*directives.Schema, error) {
	schema, err := folder.Load(s.sources, s.hasGo)
	if found, is := errors.AsType[directives.Findings](err); is {
		return nil, fmt.Errorf("the schema has %s, which %s shows with their fixes:\n%s",
			counted(len(found), "finding"), checkTool, limited(found).Error())
	}
	return schema, err
}

// version returns the API of a schema as clients see it, with its design.
func version(s *directives.Schema, files schemaFiles) contract.Version {
	v := contract.Version{API: plan.API(s.AST), Source: s.AST, Design: s.WithoutGo()}
	for _, f := range files.sources {
		v.Files = append(v.Files, f.Name)
	}
	return v
}

// maxFindings is how many findings a result has.
const maxFindings = 50

func limited(found directives.Findings) directives.Findings {
	return found[:min(len(found), maxFindings)]
}

// counted returns a number and what it counts.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// sorted returns the names of a map, sorted.
func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
