package gen

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/imports"

	"github.com/partita/partita/internal/gen/directives"
)

// goFile is a Go file of the resolvers' package.
type goFile struct {
	path string
	// isResolvers is set for a file with the name of one that gqlgen writes, for the current schema or an older
	// one.
	isResolvers bool
	// isShared is set for a file that gqlgen writes now: it keeps the bodies that a person has written there.
	isShared bool
	text     []byte
	syntax   *ast.File
	lines    *token.File
	// removed are the declarations to leave out.
	removed []ast.Node
}

// readGoFiles reads the Go files of a folder, which need not exist, except tests and files that are not
// built here, and the one at the path except. Files may declare the same method, but each must be well-formed.
func readGoFiles(dir, except string) ([]*goFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var files []*goFile
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") ||
			filepath.Join(dir, entry.Name()) == except {
			continue
		}
		built, err := build.Default.MatchFile(dir, entry.Name())
		if err != nil {
			return nil, err
		}
		if !built {
			continue
		}
		f := &goFile{path: filepath.Join(dir, entry.Name())}
		if f.text, err = os.ReadFile(f.path); err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		f.syntax, err = parser.ParseFile(set, f.path, f.text, parser.ParseComments|parser.SkipObjectResolution)
		var wrong scanner.ErrorList
		if errors.As(err, &wrong) {
			return nil, directives.Findings{goFinding(wrong[0].Pos, f.syntax.Name.Name,
				wrong[0].Msg, "correct it first, because the file may have resolvers")}
		}
		if err != nil {
			return nil, err
		}
		f.lines = set.File(f.syntax.FileStart)
		files = append(files, f)
	}
	return files, nil
}

// method returns the declaration of a method of a type or of its pointer, or nil.
func (f *goFile) method(receiver, name string) *ast.FuncDecl {
	for _, d := range f.syntax.Decls {
		if m, is := d.(*ast.FuncDecl); is && m.Name.Name == name && receiverOf(m) == receiver {
			return m
		}
	}
	return nil
}

// receiverOf returns the name of the type that a method belongs to, "" for a function.
func receiverOf(m *ast.FuncDecl) string {
	if m.Recv == nil || len(m.Recv.List) != 1 {
		return ""
	}
	typ := m.Recv.List[0].Type
	if pointer, is := typ.(*ast.StarExpr); is {
		typ = pointer.X
	}
	if ident, is := typ.(*ast.Ident); is {
		return ident.Name
	}
	return ""
}

// body returns what is between the braces of a function.
func (f *goFile) body(m *ast.FuncDecl) string {
	if m.Body == nil {
		return ""
	}
	return string(bytes.TrimSpace(f.text[f.offset(m.Body.Lbrace)+1 : f.offset(m.Body.Rbrace)]))
}

// packageName returns the name by which the file refers to the package with an import path. known
// returns the package's own name.
func (f *goFile) packageName(path string, known func(path string) string) string {
	for _, spec := range f.syntax.Imports {
		if imported, err := strconv.Unquote(spec.Path.Value); err != nil || imported != path {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return known(path)
	}
	return ""
}

// removeMethod leaves out a method, if the file has it.
func (f *goFile) removeMethod(receiver, name string) {
	if m := f.method(receiver, name); m != nil {
		f.removed = append(f.removed, m)
	}
}

// removeType leaves out the declaration of a type, if the file has it.
func (f *goFile) removeType(name string) {
	for _, d := range f.syntax.Decls {
		group, is := d.(*ast.GenDecl)
		if !is || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			if spec.(*ast.TypeSpec).Name.Name == name {
				f.removed = append(f.removed, spec)
			}
		}
		isKept := func(spec ast.Spec) bool { return !slices.Contains(f.removed, ast.Node(spec)) }
		if !slices.ContainsFunc(group.Specs, isKept) {
			f.removed = append(f.removed, group)
		}
	}
}

// write writes the file without what was removed, and without the imports that only this needed. It
// keeps a file in which nothing is left: go generate fails if a file vanishes while it runs the generator.
func (f *goFile) write() error {
	if len(f.removed) == 0 {
		return nil
	}
	// A group of types comes before its types.
	slices.SortFunc(f.removed, func(a, b ast.Node) int {
		return cmp.Or(cmp.Compare(start(a), start(b)), cmp.Compare(b.End(), a.End()))
	})
	var kept bytes.Buffer
	at := f.syntax.FileStart
	for _, d := range f.removed {
		if start(d) >= at {
			kept.Write(f.text[f.offset(at):f.offset(start(d))])
			at = d.End()
		}
	}
	kept.Write(f.text[f.offset(at):])
	text, err := imports.Process(f.path, kept.Bytes(), nil)
	if err != nil {
		return err
	}
	return writeFile(f.path, text, 0o644)
}

// start returns where a declaration begins, with its comment.
func start(n ast.Node) token.Pos {
	var doc *ast.CommentGroup
	switch d := n.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	case *ast.TypeSpec:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

func (f *goFile) offset(p token.Pos) int { return int(p - f.syntax.FileStart) }

// find returns a finding at a position of the file.
func (f *goFile) find(at token.Pos, coordinate, what, fix string) directives.Finding {
	return goFinding(f.lines.Position(at), coordinate, what, fix)
}

// goFinding returns a finding in a Go file. Its path is relative to the working directory, like those of the
// schema's files.
func goFinding(at token.Position, coordinate, what, fix string) directives.Finding {
	return directives.Finding{
		File: relative(at.Filename), Line: at.Line, Column: at.Column, Coordinate: coordinate, What: what, Fix: fix,
	}
}

func relative(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(dir, path); err == nil {
		return short
	}
	return path
}
