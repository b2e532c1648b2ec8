package gen

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"
)

// receivers are the Go types and files of resolvers, as gqlgen names them.
type receivers struct{ *schema }

// Root returns the name of the Go type that is the root of all resolvers.
func (r receivers) Root() string { return r.data.Config.Resolver.Type }

// Receiver returns the name of the Go type with the resolvers of an object type.
func (r receivers) Receiver(o *codegen.Object) string {
	return templates.LcFirst(o.Name) + templates.UcFirst(r.Root())
}

// Embed returns the field of a Receiver that is the Root.
func (r receivers) Embed() string {
	if r.data.Config.Resolver.OmitResolverEmbedding {
		return "r *" + r.Root()
	}
	return "*" + r.Root()
}

// resolved returns the object with the resolvers that are methods of a Go type, or nil.
func (r receivers) resolved(receiver string) *codegen.Object {
	for _, o := range r.data.Objects {
		if o.HasResolvers() && r.Receiver(o) == receiver {
			return o
		}
	}
	return nil
}

// resolverNamed returns the field of an object whose resolver has a Go name, or nil.
func resolverNamed(o *codegen.Object, name string) *codegen.Field {
	for _, f := range o.Fields {
		if f.IsResolver && f.GoFieldName == name {
			return f
		}
	}
	return nil
}

// isRoot reports whether a type is a pointer to the root of all resolvers.
func (r receivers) isRoot(e ast.Expr) bool {
	pointer, is := e.(*ast.StarExpr)
	return is && isIdent(pointer.X, r.Root())
}

// template returns the pattern of the names of the files with resolvers.
func (r receivers) template() string {
	if name := r.data.Config.Resolver.FilenameTemplate; name != "" {
		return name
	}
	return "{name}.resolvers.go"
}

// names returns the expression for the names of such files, for the current schema or an older one.
func (r receivers) names() *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(r.template()), `\{name\}`, ".+") + "$")
}

// file returns the file in which gqlgen writes resolvers of what a schema file declares.
func (r receivers) file(schemaFile string) string {
	name := filepath.Base(schemaFile)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	return filepath.Join(r.data.Config.Resolver.Dir(), strings.ReplaceAll(r.template(), "{name}", name))
}

// readsFile returns the file in which the read resolvers are written.
func (r receivers) readsFile() string {
	return filepath.Join(r.data.Config.Resolver.Dir(), "reads_gen.go")
}

// renameArguments gives arguments of resolvers Go names that nothing else in their methods has: another argument, the
// receiver, the context, the parent, or what is called in the bodies.
func renameArguments(s *schema) {
	for _, o := range s.data.Objects {
		for _, field := range o.Fields {
			taken := map[string]bool{"r": true, "ctx": true, "obj": true, "fmt": true, "panic": true}
			if s.isRead(field) {
				for _, name := range []string{"loaders", "viewer", s.typedName(), s.data.Config.Model.Package} {
					taken[name] = true
				}
			}
			for _, a := range field.Args {
				for taken[a.VarName] || a.VarName == "_" {
					a.VarName += "Arg"
				}
				taken[a.VarName] = true
			}
		}
	}
}
