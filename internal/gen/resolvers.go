package gen

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"

	"github.com/partita/partita/internal/gen/directives"
)

// resolvers are the fields with resolvers, by where their resolver is: in the file of reads, in a file that gqlgen
// writes, or in another file.
type resolvers struct {
	receivers
	// Fields are the read fields without a hand-written resolver.
	Fields []*codegen.Field
	// Objects are the types for which gqlgen writes no resolver.
	Objects []*codegen.Object
	// own are the fields with a resolver in a file that gqlgen does not write.
	own []*codegen.Field
	// edited are the fields with a hand-written resolver in a file that gqlgen writes.
	edited []*codegen.Field
}

// newResolvers finds the resolver of each field in the files. It removes generated ones from there.
func newResolvers(in receivers, files []*goFile) *resolvers {
	r := &resolvers{receivers: in}
	for _, o := range r.data.Objects {
		if !o.HasResolvers() {
			continue
		}
		left := false
		for _, f := range o.Fields {
			if f.IsResolver {
				r.add(f, files)
				left = left || !r.has(f)
			}
		}
		if !left {
			r.Objects = append(r.Objects, o)
		}
	}
	return r
}

// add decides where the resolver of a field is. It removes it from files where nobody has edited it.
func (r *resolvers) add(field *codegen.Field, files []*goFile) {
	receiver, isRead := r.Receiver(field.Object), r.isRead(field)
	var own, edited bool
	var unedited []*goFile
	for _, f := range files {
		switch m := f.method(receiver, field.GoFieldName); {
		case m == nil:
		case isUnedited(r.schema, f, receiver, m, field) && (isRead || f.isResolvers):
			unedited = append(unedited, f)
		case f.isShared:
			edited = true
		default:
			own = true
		}
	}
	for _, f := range unedited {
		if own || isRead || !f.isShared {
			f.removeMethod(receiver, field.GoFieldName)
		}
	}
	if edited {
		r.edited = append(r.edited, field)
	}
	switch {
	case own:
		r.own = append(r.own, field)
	case isRead && !edited:
		r.Fields = append(r.Fields, field)
	}
}

// has reports whether a file that gqlgen does not write has the field's resolver.
func (r *resolvers) has(f *codegen.Field) bool {
	return slices.Contains(r.Fields, f) || slices.Contains(r.own, f)
}

// isByHand reports whether a person has written the field's resolver.
func (r *resolvers) isByHand(f *codegen.Field) bool {
	return slices.Contains(r.own, f) || slices.Contains(r.edited, f)
}

// unread returns the findings for fields that return stored objects but that neither a directive nor Go code
// resolves: a stub would fail at run time.
func (r *resolvers) unread() directives.Findings {
	var findings directives.Findings
	for _, f := range r.Unread {
		object, name, _ := strings.Cut(f.Coordinate, ".")
		field := r.field(object, name)
		if !field.IsResolver || r.isByHand(field) {
			continue
		}
		f.What += ", and no Go code resolves it"
		f.Fix += ", or add @cost with its price: the resolver is then yours to write in Go"
		findings = append(findings, f)
	}
	return findings
}

// resolverFiles reads the files of the resolvers' package, except the file of reads.
func resolverFiles(r receivers) ([]*goFile, error) {
	files, err := readGoFiles(r.data.Config.Resolver.Dir(), r.readsFile())
	names := r.names()
	for _, f := range files {
		f.isResolvers = names.MatchString(filepath.Base(f.path))
		f.isShared = f.isResolvers && isShared(r, f)
	}
	return files, err
}

// isShared reports whether gqlgen writes a file: because of a field that no directive serves or whose
// resolver a person has edited there.
func isShared(r receivers, f *goFile) bool {
	for _, o := range r.data.Objects {
		for _, field := range o.Fields {
			if !field.IsResolver {
				continue
			}
			hasField := r.file(field.Position.Src.Name) == f.path
			m := f.method(r.Receiver(o), field.GoFieldName)
			switch {
			case r.isRead(field):
				if hasField && m != nil && !isUnedited(r.schema, f, r.Receiver(o), m, field) {
					return true
				}
			case hasField, r.file(o.Position.Src.Name) == f.path:
				return true
			}
		}
	}
	return false
}
