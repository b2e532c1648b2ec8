package gen

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/99designs/gqlgen/plugin/resolvergen"

	"github.com/partita/partita/internal/gen/directives"
)

//go:embed templates/reads.gotpl
var readsTemplate string

// stub is the beginning of the body that gqlgen writes for a resolver.
const stub = `panic(fmt.Errorf("not implemented: `

// reads is the data of the template of the read resolvers.
type reads struct {
	*Plugin
	// Fields are the read fields without a hand-written resolver.
	Fields []*codegen.Field
	// Objects are the types for which gqlgen writes no resolver.
	Objects []*codegen.Object
	// own are the fields with a resolver in a file that gqlgen does not write.
	own []*codegen.Field
	// edited are the fields with a hand-written resolver in a file that gqlgen writes.
	edited []*codegen.Field
}

func (p *Plugin) readsFile() string {
	return filepath.Join(p.data.Config.Resolver.Dir(), "reads_gen.go")
}

// sortResolvers decides where the resolver of each field is: in the file of reads, in a file that
// gqlgen writes, or in another file. The error may be directives.Findings.
func (p *Plugin) sortResolvers() error {
	p.reads = reads{Plugin: p}
	files, err := p.resolverFiles()
	if err != nil {
		return err
	}
	if findings := p.hiding(); len(findings) > 0 {
		return findings
	}
	for _, o := range p.data.Objects {
		if !o.HasResolvers() {
			continue
		}
		left := false
		for _, f := range o.Fields {
			if f.IsResolver {
				p.sortResolver(f, files)
				left = left || !p.reads.has(f)
			}
		}
		if !left {
			p.reads.Objects = append(p.reads.Objects, o)
		}
	}
	if findings := slices.Concat(p.unbuilt(), p.removeStale(files), p.unread(), p.liveByHand()); len(findings) > 0 {
		return findings
	}
	for _, f := range files {
		if err := f.write(); err != nil {
			return err
		}
	}
	return nil
}

// sortResolver decides where the resolver of a field is. It removes it from files where nobody has
// edited it.
func (p *Plugin) sortResolver(field *codegen.Field, files []*goFile) {
	receiver, isRead := p.reads.Receiver(field.Object), p.isRead(field)
	var own, edited bool
	var unedited []*goFile
	for _, f := range files {
		switch m := f.method(receiver, field.GoFieldName); {
		case m == nil:
		case p.isUnedited(f, receiver, m, field) && (isRead || f.isResolvers):
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
		p.reads.edited = append(p.reads.edited, field)
	}
	switch {
	case own:
		p.reads.own = append(p.reads.own, field)
	case isRead && !edited:
		p.reads.Fields = append(p.reads.Fields, field)
	}
}

// unread returns the findings for fields that return stored objects but that neither a directive nor Go code
// resolves: a stub would fail at run time.
func (p *Plugin) unread() directives.Findings {
	var findings directives.Findings
	for _, f := range p.schema.Unread {
		object, name, _ := strings.Cut(f.Coordinate, ".")
		field := p.field(object, name)
		if !field.IsResolver || slices.Contains(p.reads.own, field) || slices.Contains(p.reads.edited, field) {
			continue
		}
		f.What += ", and no Go code resolves it"
		f.Fix += ", or add @cost with its price: the resolver is then yours to write in Go"
		findings = append(findings, f)
	}
	return findings
}

// has reports whether a file that gqlgen does not write has the field's resolver.
func (r reads) has(f *codegen.Field) bool {
	return slices.Contains(r.Fields, f) || slices.Contains(r.own, f)
}

// Body returns the body of a read resolver. It is called while the file is rendered.
func (r reads) Body(f *codegen.Field) string {
	return bodies{r.Plugin, templates.CurrentImports.Lookup}.body(f)
}

// Receiver returns the name of the Go type with the resolvers of an object type.
func (r reads) Receiver(o *codegen.Object) string {
	return templates.LcFirst(o.Name) + templates.UcFirst(r.data.Config.Resolver.Type)
}

// Root returns the name of the Go type that is the root of all resolvers.
func (r reads) Root() string { return r.data.Config.Resolver.Type }

// Embed returns the field of a Receiver that is the Root.
func (r reads) Embed() string {
	if r.data.Config.Resolver.OmitResolverEmbedding {
		return "r *" + r.Root()
	}
	return "*" + r.Root()
}

func (p *Plugin) writeReads() error {
	if len(p.reads.Objects) > 0 || len(p.reads.Fields) > 0 {
		return p.render(p.readsFile(), p.data.Config.Resolver.Package, readsTemplate, p.reads)
	}
	if err := os.Remove(p.readsFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// resolverGenerator is gqlgen's plugin for resolvers, for those that are in no other file.
type resolverGenerator struct {
	resolvergen.Plugin
	partita *Plugin
}

// GenerateCode writes gqlgen's files.
func (g *resolverGenerator) GenerateCode(data *codegen.Data) error {
	for _, f := range slices.Concat(g.partita.reads.Fields, g.partita.reads.own) {
		f.IsResolver = false
		defer func() { f.IsResolver = true }()
	}
	return g.Plugin.GenerateCode(data)
}
