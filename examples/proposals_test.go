package examples

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/designtools/proposal"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// exceptions are patterns that propose_keys does not serve as the examples do, and examples whose proposal has more
// indexes, with the reason.
var exceptions = map[string]string{
	"billing: Tenant.contents":       "patterns do not say that several types are one collection",
	"organisation: Department.staff": "as above",
	"organisation: Query.staff":      "as above",
	"organisation: Query.staffList":  "as above",
	"employees: indexes":             "an entry in another index costs one write unit, a copy that lets one index do two",
	"organisation: indexes":          "as above",
	"teams: indexes":                 "the inverted index costs one write unit, the copy of an edge two",
}

// TestProposals: for the types and patterns of each example, and of the shop, keys are proposed that the checks accept,
// with which each pattern needs no more requests than by the keys of the example, and the table no more indexes.
func TestProposals(t *testing.T) {
	dirs, err := filepath.Glob("*/schema.graphqls")
	fatal.If(t, err)
	for i, file := range dirs {
		dirs[i] = filepath.Dir(file)
	}
	used := map[string]bool{}
	except := func(name string) bool { used[name] = true; return exceptions[name] != "" }
	for _, dir := range append(dirs, "../graph/schema") {
		t.Run(filepath.Base(dir), func(t *testing.T) { compareProposal(t, dir, except) })
	}
	for name := range exceptions {
		if !used[name] {
			t.Errorf("%s is no exception any more", name)
		}
	}
}

func compareProposal(t *testing.T, dir string, except func(string) bool) {
	t.Helper()
	sources, err := folder.Sources(dir)
	fatal.If(t, err)
	own, err := folder.Load(sources, true)
	fatal.If(t, err)
	text := stripped(t, sources)
	patterns := patternsOf(own, text)
	var types []proposal.Type
	for _, of := range own.Types {
		types = append(types, proposal.Type{Name: of.Name, MaxBytes: of.MaxBytes, Identity: of.Identity})
	}
	p, err := proposal.Propose(context.Background(), text, patterns, types)
	fatal.If(t, err)
	if os.Getenv("SHOW") != "" {
		for _, text := range p.Files {
			t.Log(text)
		}
	}
	for _, u := range p.Unserved {
		if !except(filepath.Base(dir) + ": " + u.Field) {
			t.Errorf("%s is not served: %s: %s", u.Field, u.Reason, u.Help)
		}
	}
	proposed := map[string]proposal.Served{}
	for _, s := range p.Patterns {
		proposed[s.Field] = s
	}
	for _, pattern := range patterns {
		f := own.Field(cut(pattern.Field))
		if is := proposed[pattern.Field]; is.Requests > own.Pattern(f, false).Cost.Requests {
			t.Errorf("%s needs %d requests", pattern.Field, is.Requests)
		}
	}
	if len(p.Indexes) <= len(own.IndexNames()) {
		return
	}
	if !except(filepath.Base(dir) + ": indexes") {
		t.Errorf("the indexes are %v instead of %v", p.Indexes, own.IndexNames())
	}
	for _, is := range p.Types {
		of := own.Type(is.Name)
		if units, most := 2*is.Items+is.Entries, 2*(1+len(of.Copies))+len(of.Indexes); units > most {
			t.Errorf("a %s is written with %d units for each KB instead of %d", is.Name, units, most)
		}
	}
}

func cut(coordinate string) (parent, name string) {
	parent, name, _ = strings.Cut(coordinate, ".")
	return parent, name
}

// patternsOf returns the access patterns of the types in files, as one would describe them without the keys of a
// design.
func patternsOf(s *directives.Schema, files []*ast.Source) []proposal.Pattern {
	var all []proposal.Pattern
	for _, f := range s.Fields {
		def := s.FieldDef(f.Parent, f.Name)
		if f.Kind.IsByID() || def == nil || !slices.ContainsFunc(files, func(file *ast.Source) bool {
			return strings.Contains(file.Input, "type "+f.Parent+" ")
		}) {
			continue
		}
		p := proposal.Pattern{Field: f.Coordinate(), Equals: map[string]string{}, AtMost: f.AtMost}
		if f.Descending {
			p.Order = "DESC"
		}
		if len(f.Types) > 1 {
			all = append(all, p)
			continue
		}
		p.Type = f.Types[0]
		m := f.Matches()[0]
		p.Constants = maps.Clone(m.Constants)
		describe(&p, f, m, def)
		all = append(all, p)
	}
	return all
}

// describe adds what the condition of a field says to a pattern.
func describe(p *proposal.Pattern, f *design.Field, m design.Match, def *ast.FieldDefinition) {
	isOptional := func(variable string) bool {
		a := def.Arguments.ForName(variable)
		return a != nil && !a.Type.NonNull
	}
	for _, attribute := range slices.Sorted(maps.Keys(m.Variables)) {
		variable := m.Variables[attribute]
		switch {
		case f.Bucketed() == variable && f.Kind == design.Query:
		case isOptional(variable):
		default:
			p.Equals[attribute] = variable
		}
	}
	for _, segment := range f.SK.Segments() {
		if segment.Variable != "" && isOptional(segment.Variable) {
			p.Prefix = append(p.Prefix, segment.Variable)
		}
	}
	for _, a := range f.Arguments {
		if a.Range && !a.Filter {
			p.Range = a.Name
		}
	}
	if next := f.Next(); p.Range == "" && next != "id" && f.Kind == design.Query && p.Equals[next] == "" {
		p.Sort = next
	}
}

// stripped returns the types and fields that a proposal is about: without what writes, and without directives but those
// for counters.
func stripped(t *testing.T, sources []*ast.Source) []*ast.Source {
	t.Helper()
	var all []*ast.Source
	for _, s := range sources {
		file, err := parser.ParseSchema(s)
		fatal.If(t, err)
		reads := func(def *ast.Definition) bool {
			return def.Name == "Mutation" || def.Kind == ast.InputObject || strings.HasPrefix(def.Name, "UserError") ||
				strings.HasSuffix(def.Name, "Payload")
		}
		file.Definitions = slices.DeleteFunc(file.Definitions, reads)
		file.Extensions = slices.DeleteFunc(file.Extensions, reads)
		for _, def := range slices.Concat(file.Definitions, file.Extensions) {
			def.Directives = nil
			for _, f := range def.Fields {
				f.Directives = f.Directives.ForNames("counts")
			}
			for _, v := range def.EnumValues {
				v.Directives = nil
			}
		}
		var b strings.Builder
		formatter.NewFormatter(&b).FormatSchemaDocument(file)
		all = append(all, &ast.Source{Name: s.Name, Input: b.String()})
	}
	return all
}
