package importer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// settle checks the schema as a design, and turns what it rejects into comments until it accepts the rest.
func (m *model) settle() error {
	if err := m.tellApart(); err != nil {
		return err
	}
	for {
		text := m.print()
		schema, findings, err := check(text)
		if err != nil {
			return fmt.Errorf("importer: bug: the schema cannot be read: %w\n%s", err, text)
		}
		if len(findings) == 0 {
			m.place(schema.Design)
			return nil
		}
		if !m.drop(findings) {
			return fmt.Errorf(
				"importer: bug: the schema has a fault that nothing can be left out for: %w\n%s", findings, text)
		}
	}
}

// check reads a schema, or returns its findings. The error is for a text that is no schema.
func check(text string) (*directives.Schema, directives.Findings, error) {
	parsed, err := directives.Load(&ast.Source{Name: schemaFile, Input: text})
	if err != nil {
		return nil, nil, err
	}
	schema, err := directives.Read(parsed)
	findings, isFindings := errors.AsType[directives.Findings](err)
	if err != nil && !isFindings {
		return nil, nil, err
	}
	return schema, findings, nil
}

const schemaFile = "schema.graphqls"

// drop turns the elements at the lines of findings into comments: stored keys first, because a read can be rejected for
// items of a type that is left out. It reports whether there was one.
func (m *model) drop(findings directives.Findings) bool {
	for _, kind := range [][]lined{m.keyElements(), m.readElements(), m.fieldElements()} {
		dropped := false
		for _, f := range findings {
			i := slices.IndexFunc(kind, func(e lined) bool {
				return e.self().fault == "" && e.self().has(f)
			})
			if i >= 0 {
				m.dropElement(kind[i], f)
				dropped = true
			}
		}
		if dropped {
			return true
		}
	}
	return m.dropUnreadable(findings)
}

// dropElement turns the line of a finding into a comment, or what the finding is about.
func (m *model) dropElement(e lined, f directives.Finding) {
	if r, isRead := e.(*read); isRead && r.plain != nil {
		r.arguments, r.directive, r.plain = r.plain.arguments, r.plain.directive, nil
		r.line, r.last = 0, 0 // Other findings are about what it was.
		return
	}
	what := place.ReplaceAllString(f.What, "") // The line in this text is not that in the final one.
	m.omit("%s: %s", f.Coordinate, what)
	switch e := e.(type) {
	case *field:
		if e.unique != "" {
			e.unique = "" // The field itself may be right.
			return
		}
		m.dropField(e, what)
	case *typ:
		m.dropType(e, what)
	case *storedType:
		m.dropStored(e, what)
	case *index:
		m.dropIndex(e, what)
	default:
		e.self().fault = what
	}
}

// dropUnreadable leaves out the types that findings about @table name: the keys of its indexes can be attributes whose
// values have no text order. It reports whether there was one.
func (m *model) dropUnreadable(findings directives.Findings) bool {
	dropped := false
	for _, f := range findings {
		i := slices.IndexFunc(m.types, func(t *typ) bool { return t.fault == "" && t.name == f.Coordinate })
		if i >= 0 {
			m.omit("%s: %s", f.Coordinate, f.What)
			m.dropType(m.types[i], f.What)
			dropped = true
		}
	}
	return dropped
}

// place matches a place of the schema in a finding.
var place = regexp.MustCompile(` \(` + regexp.QuoteMeta(schemaFile) + `:[0-9:]+\)`)

// dropField leaves out a field, and its type if the field is part of its key.
func (m *model) dropField(f *field, why string) {
	for _, t := range m.types {
		if t.fault == "" && slices.Contains(t.fields, f) && t.isInKey(f.variable) {
			if f.attribute != "" {
				m.unfitInKeys = append(m.unfitInKeys, f.attribute)
			}
			m.dropType(t, why)
		}
	}
	f.fault = why
}

// dropIndex leaves out an entry, and those of the copies behind it: the n-th @index of a name belongs to the n-th
// stored item.
func (m *model) dropIndex(ix *index, why string) {
	for _, t := range m.types {
		found := false
		for _, s := range t.stored {
			other := s.entry(ix.name)
			if found = found || other == ix; found && other != nil {
				other.fault = why
			}
		}
	}
}

// dropStored leaves out a copy, or the type if it is its item.
func (m *model) dropStored(s *storedType, why string) {
	s.fault = why
	for _, t := range m.types {
		switch i := slices.Index(t.stored, s); {
		case i == 0 && t.fault == "":
			m.dropType(t, why)
		case i > 0:
			for _, entry := range s.entries {
				m.unclassified = append(m.unclassified, unclassified{entry, why})
			}
			t.stored = slices.Delete(t.stored, i, i+1)
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
