package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/finding"
)

// resolverFiles reads the files of the resolvers' package, except the file of reads.
func (p *Plugin) resolverFiles() ([]*goFile, error) {
	files, err := readGoFiles(p.data.Config.Resolver.Dir(), p.readsFile())
	if err != nil {
		return nil, err
	}
	name := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(p.resolverTemplate()), `\{name\}`, ".+") + "$")
	for _, f := range files {
		f.isResolvers = name.MatchString(filepath.Base(f.path))
		f.isShared = f.isResolvers && p.isShared(f)
	}
	return files, nil
}

func (p *Plugin) resolverTemplate() string {
	if name := p.data.Config.Resolver.FilenameTemplate; name != "" {
		return name
	}
	return "{name}.resolvers.go"
}

// resolverFile returns the file in which gqlgen writes resolvers of what a schema file declares.
func (p *Plugin) resolverFile(schemaFile string) string {
	name := filepath.Base(schemaFile)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	return filepath.Join(p.data.Config.Resolver.Dir(), strings.ReplaceAll(p.resolverTemplate(), "{name}", name))
}

// isShared reports whether gqlgen writes a file: because of a field that no directive serves or whose
// resolver a person has edited there.
func (p *Plugin) isShared(f *goFile) bool {
	for _, o := range p.data.Objects {
		for _, field := range o.Fields {
			if !field.IsResolver {
				continue
			}
			hasField := p.resolverFile(field.Position.Src.Name) == f.path
			m := f.method(p.reads.Receiver(o), field.GoFieldName)
			switch {
			case p.isRead(field):
				if hasField && m != nil && !p.isUnedited(f, p.reads.Receiver(o), m, field) {
					return true
				}
			case hasField, p.resolverFile(o.Position.Src.Name) == f.path:
				return true
			}
		}
	}
	return false
}

// removeStale removes from gqlgen's files what an older schema has left there, such as stubs of removed fields
// and all that was generated for a removed schema file. The findings are resolvers that a person has
// written for fields that do not exist any more.
func (p *Plugin) removeStale(files []*goFile) directives.Findings {
	var findings directives.Findings
	for _, f := range files {
		if !f.isResolvers {
			continue
		}
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				finding := p.removeStaleMethod(f, d)
				isSame := func(other directives.Finding) bool { return other.File == finding.File && other.Fix == finding.Fix }
				if finding != nil && !slices.ContainsFunc(findings, isSame) {
					findings = append(findings, *finding)
				}
			case *ast.GenDecl:
				if d.Tok == token.TYPE {
					p.removeStaleTypes(f, d)
				}
			}
		}
	}
	return findings
}

func (p *Plugin) removeStaleMethod(f *goFile, m *ast.FuncDecl) *directives.Finding {
	root := p.data.Config.Resolver.Type
	receiver := receiverOf(m)
	if receiver == root {
		if p.isRootMethod(m) && !p.keeps(f, templates.LcFirst(m.Name.Name)+templates.UcFirst(root)) {
			f.removeMethod(receiver, m.Name.Name)
		}
		return nil
	}
	object := p.resolved(receiver)
	isReceiver := object != nil || strings.HasSuffix(receiver, templates.UcFirst(root))
	if !isReceiver || !m.Name.IsExported() || object != nil && resolverNamed(object, m.Name.Name) != nil {
		return nil
	}
	if p.isUnedited(f, receiver, m, nil) {
		f.removeMethod(receiver, m.Name.Name)
		return nil
	}
	typ := templates.UcFirst(strings.TrimSuffix(receiver, templates.UcFirst(root)))
	what := fmt.Sprintf("no field of the schema is resolved by %s any more", m.Name.Name)
	fix := fmt.Sprintf("remove the method %s of %s", m.Name.Name, receiver)
	if renamed := p.renamed(m.Name.Name); renamed != nil && p.schema.AST.Types[typ] == nil {
		pkg := p.data.Config.Model.Package
		what = fmt.Sprintf("%s is the likely name: the schema has no type %s any more", renamed.Name, typ)
		fix = fmt.Sprintf("rename %s to %s and %s.%s to %s.%s in this file", receiver, p.reads.Receiver(renamed),
			pkg, templates.ToGo(typ), pkg, templates.ToGo(renamed.Name))
	}
	if object != nil {
		typ = object.Name
		if name := finding.Likely(m.Name.Name, p.unwritten(object)); name != "" {
			what = fmt.Sprintf("%s is the likely name: %s", name, what)
			fix = fmt.Sprintf("rename the method %s of %s to %s", m.Name.Name, receiver, name)
		}
	}
	finding := f.find(m.Name.Pos(), typ+"."+templates.LcFirst(m.Name.Name), what, fix)
	return &finding
}

// renamed returns the only object with a field of a Go name that needs a hand-written resolver and has none, or nil: it
// probably is the one that a method was written for.
func (p *Plugin) renamed(method string) *codegen.Object {
	var found []*codegen.Object
	for _, o := range p.data.Objects {
		f := resolverNamed(o, method)
		if f != nil && !p.isRead(f) && !slices.Contains(p.reads.own, f) && !slices.Contains(p.reads.edited, f) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// unwritten returns the Go names of the object's fields that nobody has written a resolver for.
func (p *Plugin) unwritten(o *codegen.Object) []string {
	var names []string
	for _, f := range o.Fields {
		if f.IsResolver && !slices.Contains(p.reads.own, f) {
			names = append(names, f.GoFieldName)
		}
	}
	return names
}

// removeStaleTypes removes the types with the resolvers of objects that are written elsewhere or nowhere.
func (p *Plugin) removeStaleTypes(f *goFile, group *ast.GenDecl) {
	for _, spec := range group.Specs {
		t := spec.(*ast.TypeSpec)
		body, isStruct := t.Type.(*ast.StructType)
		if isStruct && len(body.Fields.List) == 1 && p.isRoot(body.Fields.List[0].Type) && !p.keeps(f, t.Name.Name) {
			f.removeType(t.Name.Name)
		}
	}
}

// keeps reports whether gqlgen writes the type with the resolvers of an object into the file.
func (p *Plugin) keeps(f *goFile, receiver string) bool {
	o := p.resolved(receiver)
	return o != nil && !slices.Contains(p.reads.Objects, o) && p.resolverFile(o.Position.Src.Name) == f.path
}

// resolved returns the object with the resolvers that are methods of a Go type, or nil.
func (p *Plugin) resolved(receiver string) *codegen.Object {
	for _, o := range p.data.Objects {
		if o.HasResolvers() && p.reads.Receiver(o) == receiver {
			return o
		}
	}
	return nil
}

func resolverNamed(o *codegen.Object, name string) *codegen.Field {
	for _, f := range o.Fields {
		if f.IsResolver && f.GoFieldName == name {
			return f
		}
	}
	return nil
}

// isRootMethod reports whether a method of the root returns the resolvers of an object.
func (p *Plugin) isRootMethod(m *ast.FuncDecl) bool {
	if m.Type.Params.NumFields() != 0 || m.Type.Results.NumFields() != 1 {
		return false
	}
	result, is := m.Type.Results.List[0].Type.(*ast.SelectorExpr)
	return is && result.Sel.Name == m.Name.Name+"Resolver"
}

// isRoot reports whether a type is a pointer to the root of all resolvers.
func (p *Plugin) isRoot(e ast.Expr) bool {
	pointer, is := e.(*ast.StarExpr)
	return is && isIdent(pointer.X, p.data.Config.Resolver.Type)
}
