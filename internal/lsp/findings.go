package lsp

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/edits"
)

// schema is what a folder has: its files, with the texts of the editor in place of those that are not saved.
type schema struct {
	sources  []*ast.Source
	findings directives.Findings
	hasGo    bool
}

// read reads the folder of a file. texts are those of the editor by their paths.
func read(file string, texts map[string]string) schema {
	dir := filepath.Dir(file)
	sources, err := sourcesOf(dir, texts)
	if err != nil {
		return schema{
			sources:  []*ast.Source{{Name: file, Input: texts[file]}},
			findings: directives.Findings{{File: file, Line: 1, Column: 1, Coordinate: "schema", What: err.Error()}},
		}
	}
	s := schema{sources: sources, hasGo: isOfModule(dir)}
	s.findings = s.check(sources)
	return s
}

func sourcesOf(dir string, texts map[string]string) ([]*ast.Source, error) {
	var sources []*ast.Source
	if folder.IsFolder(dir) { // otherwise its first file is not saved
		saved, err := folder.Sources(dir)
		if err != nil {
			return nil, err
		}
		sources = slices.DeleteFunc(saved, func(s *ast.Source) bool { _, is := texts[s.Name]; return is })
	}
	for name, text := range texts {
		if filepath.Dir(name) != dir {
			continue
		}
		if err := folder.CheckNesting(text); err != nil {
			return nil, err
		}
		sources = append(sources, &ast.Source{Name: name, Input: text})
	}
	slices.SortFunc(sources, func(a, b *ast.Source) int { return cmp.Compare(a.Name, b.Name) })
	return sources, nil
}

func (s schema) check(sources []*ast.Source) directives.Findings {
	return folder.Findings(sources, s.hasGo)
}

// of returns the findings of a file. The first file has those without a place.
func (s schema) of(file *ast.Source) directives.Findings {
	return slices.DeleteFunc(slices.Clone(s.findings), func(f directives.Finding) bool {
		return f.File != file.Name && (f.File != "" || file != s.sources[0])
	})
}

// changes returns what the fix of a finding changes; nothing if a person has to decide.
func (s schema) changes(f directives.Finding) []edits.Change {
	return edits.Changes(s.sources, f, s.check)
}

// isOfModule reports whether the schema of a folder is that of a Go module, whose gqlgen.yml names its files.
func isOfModule(dir string) bool {
	for root := dir; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "gqlgen.yml"))
		if err == nil {
			within, err := filepath.Rel(root, dir)
			return err == nil && folder.IsOfModule(text, filepath.ToSlash(within))
		}
		if root == filepath.Dir(root) {
			return false
		}
	}
}
