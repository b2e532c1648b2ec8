package gen

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"
)

//go:embed templates/reads.gotpl
var readsTemplate string

// reads is the data of the template of the read resolvers.
type reads struct{ *resolvers }

// Body returns the body of a read resolver. It is called while the file is rendered.
func (r reads) Body(f *codegen.Field) string {
	return bodies{r.schema, templates.CurrentImports.Lookup}.body(f)
}

// sortResolvers decides where the resolver of each field is, and removes what was generated from other files. The error
// may be directives.Findings.
func sortResolvers(s *schema) (*resolvers, error) {
	files, err := resolverFiles(receivers{s})
	if err != nil {
		return nil, err
	}
	if findings := hiding(receivers{s}); len(findings) > 0 {
		return nil, findings
	}
	r := newResolvers(receivers{s}, files)
	findings := slices.Concat(unbuilt(r), removeStale(r, files), r.unread(), liveByHand(r))
	if len(findings) > 0 {
		return nil, findings
	}
	for _, f := range files {
		if err := f.write(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// writeReads writes the read resolvers, or removes their file if there are none.
func writeReads(r *resolvers) error {
	if len(r.Objects) > 0 || len(r.Fields) > 0 {
		return render(r.data.Config, r.readsFile(), r.data.Config.Resolver.Package, readsTemplate, reads{r})
	}
	if err := os.Remove(r.readsFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
