package gen

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/finding"
)

// removeStale removes from gqlgen's files what an older schema has left there, such as stubs of removed fields
// and all that was generated for a removed schema file. The findings are resolvers that a person has
// written for fields that do not exist any more.
func removeStale(r *resolvers, files []*goFile) directives.Findings {
	var findings directives.Findings
	for _, f := range files {
		if !f.isResolvers {
			continue
		}
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				finding := removeStaleMethod(r, f, d)
				isSame := func(other directives.Finding) bool { return other.File == finding.File && other.Fix == finding.Fix }
				if finding != nil && !slices.ContainsFunc(findings, isSame) {
					findings = append(findings, *finding)
				}
			case *ast.GenDecl:
				if d.Tok == token.TYPE {
					removeStaleTypes(r, f, d)
				}
			}
		}
	}
	return findings
}

func removeStaleMethod(r *resolvers, f *goFile, m *ast.FuncDecl) *directives.Finding {
	root := r.Root()
	receiver := receiverOf(m)
	if receiver == root {
		if isRootMethod(m) && !keeps(r, f, templates.LcFirst(m.Name.Name)+templates.UcFirst(root)) {
			f.removeMethod(receiver, m.Name.Name)
		}
		return nil
	}
	object := r.resolved(receiver)
	isReceiver := object != nil || strings.HasSuffix(receiver, templates.UcFirst(root))
	if !isReceiver || !m.Name.IsExported() || object != nil && resolverNamed(object, m.Name.Name) != nil {
		return nil
	}
	if isUnedited(r.schema, f, receiver, m, nil) {
		f.removeMethod(receiver, m.Name.Name)
		return nil
	}
	typ := templates.UcFirst(strings.TrimSuffix(receiver, templates.UcFirst(root)))
	what := fmt.Sprintf("no field of the schema is resolved by %s any more", m.Name.Name)
	fix := fmt.Sprintf("remove the method %s of %s", m.Name.Name, receiver)
	if renamed := renamed(r, m.Name.Name); renamed != nil && r.AST.Types[typ] == nil {
		pkg := r.data.Config.Model.Package
		what = fmt.Sprintf("%s is the likely name: the schema has no type %s any more", renamed.Name, typ)
		fix = fmt.Sprintf("rename %s to %s and %s.%s to %s.%s in this file", receiver, r.Receiver(renamed),
			pkg, templates.ToGo(typ), pkg, templates.ToGo(renamed.Name))
	}
	if object != nil {
		typ = object.Name
		if name := finding.Likely(m.Name.Name, unwritten(r, object)); name != "" {
			what = fmt.Sprintf("%s is the likely name: %s", name, what)
			fix = fmt.Sprintf("rename the method %s of %s to %s", m.Name.Name, receiver, name)
		}
	}
	finding := f.find(m.Name.Pos(), typ+"."+templates.LcFirst(m.Name.Name), what, fix)
	return &finding
}

// renamed returns the only object with a field of a Go name that needs a hand-written resolver and has none, or nil: it
// probably is the one that a method was written for.
func renamed(r *resolvers, method string) *codegen.Object {
	var found []*codegen.Object
	for _, o := range r.data.Objects {
		f := resolverNamed(o, method)
		if f != nil && !r.isRead(f) && !r.isByHand(f) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// unwritten returns the Go names of the object's fields that nobody has written a resolver for.
func unwritten(r *resolvers, o *codegen.Object) []string {
	var names []string
	for _, f := range o.Fields {
		if f.IsResolver && !slices.Contains(r.own, f) {
			names = append(names, f.GoFieldName)
		}
	}
	return names
}

// removeStaleTypes removes the types with the resolvers of objects that are written elsewhere or nowhere.
func removeStaleTypes(r *resolvers, f *goFile, group *ast.GenDecl) {
	for _, spec := range group.Specs {
		t := spec.(*ast.TypeSpec)
		body, isStruct := t.Type.(*ast.StructType)
		if isStruct && len(body.Fields.List) == 1 && r.isRoot(body.Fields.List[0].Type) && !keeps(r, f, t.Name.Name) {
			f.removeType(t.Name.Name)
		}
	}
}

// keeps reports whether gqlgen writes the type with the resolvers of an object into the file.
func keeps(r *resolvers, f *goFile, receiver string) bool {
	o := r.resolved(receiver)
	return o != nil && !slices.Contains(r.Objects, o) && r.file(o.Position.Src.Name) == f.path
}

// isRootMethod reports whether a method of the root returns the resolvers of an object.
func isRootMethod(m *ast.FuncDecl) bool {
	if m.Type.Params.NumFields() != 0 || m.Type.Results.NumFields() != 1 {
		return false
	}
	result, is := m.Type.Results.List[0].Type.(*ast.SelectorExpr)
	return is && result.Sel.Name == m.Name.Name+"Resolver"
}

// unbuilt returns the findings for schema files whose resolvers gqlgen would write into a file that Go does not build:
// one with the name of a test, of another platform, or of a file that Go ignores.
func unbuilt(r *resolvers) directives.Findings {
	var findings directives.Findings
	check := func(name string) {
		file := filepath.Base(r.file(name))
		isFound := func(f directives.Finding) bool { return f.File == name }
		if isBuilt(file) || slices.ContainsFunc(findings, isFound) {
			return
		}
		base := filepath.Base(name)
		findings = append(findings, directives.Finding{
			File: name, Line: 1, Column: 1, Coordinate: "schema",
			What: fmt.Sprintf("the resolvers would be in %s, which Go does not build on all platforms because of its name",
				file),
			Fix: fmt.Sprintf("rename the file %s to %s", base, strings.ReplaceAll(strings.TrimLeft(base, "_."), "_", "-")),
		})
	}
	for _, o := range r.data.Objects {
		if !o.HasResolvers() || slices.Contains(r.Objects, o) {
			continue
		}
		check(o.Position.Src.Name)
		for _, f := range o.Fields {
			if f.IsResolver && !r.has(f) {
				check(f.Position.Src.Name)
			}
		}
	}
	return findings
}

// isBuilt reports whether a Go file of this name is part of its package on all platforms: no name is that of both of
// these.
func isBuilt(name string) bool {
	for _, platform := range [...]build.Context{{GOOS: "linux", GOARCH: "amd64"}, {GOOS: "windows", GOARCH: "arm64"}} {
		platform.OpenFile = func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package resolvers\n")), nil
		}
		if is, err := platform.MatchFile("", name); err != nil || !is {
			return false
		}
	}
	return !strings.HasSuffix(name, "_test.go")
}
