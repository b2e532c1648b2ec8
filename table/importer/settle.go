package importer

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives"
)

// settle checks the schema as a design, and turns what it rejects into comments until it accepts the rest.
func (m *model) settle() error {
	for {
		text := m.print()
		findings, err := check(text)
		if err != nil {
			return fmt.Errorf("importer: bug: the schema cannot be read: %w\n%s", err, text)
		}
		if len(findings) == 0 {
			return nil
		}
		if !m.drop(findings) {
			return fmt.Errorf("importer: bug: the schema has a fault that nothing can be left out for: %w\n%s", findings, text)
		}
	}
}

// check returns the findings of a schema. The error is for a text that is no schema.
func check(text string) (directives.Findings, error) {
	schema, err := gqlparser.LoadSchema(
		&ast.Source{Name: "directives.graphqls", Input: directives.Definitions},
		&ast.Source{Name: "node.graphqls", Input: directives.NodeDefinitions},
		&ast.Source{Name: schemaFile, Input: text},
	)
	if err != nil {
		return nil, err
	}
	_, err = directives.Read(schema)
	findings, isFindings := errors.AsType[directives.Findings](err)
	if err != nil && !isFindings {
		return nil, err
	}
	return findings, nil
}

const schemaFile = "schema.graphqls"

// drop turns the elements at the lines of findings into comments: reads first, because a finding of a stored key can be
// about the reads of it. It reports whether there was one.
func (m *model) drop(findings directives.Findings) bool {
	for _, kind := range [][]lined{m.readElements(), m.keyElements(), m.fieldElements()} {
		dropped := false
		for _, f := range findings {
			i := slices.IndexFunc(kind, func(e lined) bool {
				return e.self().fault == "" && e.self().line == f.Line && f.File == schemaFile
			})
			if i >= 0 {
				// The line in this text is not that in the final one.
				what := place.ReplaceAllString(f.What, "")
				if field, is := kind[i].(*field); is {
					m.dropField(field, what)
				} else {
					kind[i].self().fault = what
				}
				dropped = true
				m.omit("%s: %s", f.Coordinate, what)
				m.dropDependent(kind[i])
			}
		}
		if dropped {
			return true
		}
	}
	return false
}

// place matches a place of the schema in a finding.
var place = regexp.MustCompile(` \(` + regexp.QuoteMeta(schemaFile) + `:[0-9:]+\)`)

// dropField leaves out a field, and its type if the field is part of its key.
func (m *model) dropField(f *field, why string) {
	for _, t := range m.types {
		if t.fault == "" && slices.Contains(t.fields, f) && t.isInKey(f.variable) {
			m.dropType(t, why)
		}
	}
	f.fault = why
}

// dropDependent leaves out what needs an element that was left out.
func (m *model) dropDependent(e lined) {
	for _, t := range m.types {
		if t.fault != "" {
			continue
		}
		if e == lined(t.item()) || e == lined(t) {
			m.dropType(t, cmp.Or(t.item().fault, t.fault))
			continue
		}
		for i, s := range t.stored[1:] {
			if e != lined(s) {
				continue
			}
			for _, entry := range s.entries {
				m.unclassified = append(m.unclassified, unclassified{entry, s.fault})
			}
			t.stored = slices.Delete(t.stored, i+1, i+2)
			break
		}
	}
}

// dropType leaves out a type, and all fields that return it.
func (m *model) dropType(t *typ, why string) {
	t.fault = why
	for _, e := range t.entries() {
		m.unclassified = append(m.unclassified, unclassified{e, why})
	}
	gone := []string{t.name}
	for _, u := range m.unions {
		if slices.Contains(u.types, t.name) {
			gone = append(gone, u.name)
		}
	}
	for _, r := range m.reads() {
		if slices.Contains(gone, r.result) {
			r.fault = fmt.Sprintf("type %s was left out: %s", t.name, why)
		}
	}
}

func (m *model) readElements() []lined {
	var all []lined
	for _, r := range m.reads() {
		all = append(all, r)
	}
	return all
}

func (m *model) keyElements() []lined {
	var indexes, copies, items []lined
	for _, t := range m.types {
		if t.fault != "" {
			continue
		}
		for i, s := range t.stored {
			if i == 0 {
				items = append(items, s, t)
			} else {
				copies = append(copies, s)
			}
			for _, ix := range s.indexes {
				indexes = append(indexes, ix)
			}
		}
	}
	return slices.Concat(indexes, copies, items)
}

func (m *model) fieldElements() []lined {
	var all []lined
	for _, t := range m.types {
		for _, f := range t.fields {
			all = append(all, f)
		}
	}
	return all
}
