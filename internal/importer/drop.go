package importer

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/partita/partita/internal/gen/directives"
)

// drop turns the elements at the lines of findings into comments: stored keys first, because a read can be rejected for
// items of a type that is left out. It reports whether there was one.
func drop(m *model, p *printer, findings directives.Findings) bool {
	for rank := range 3 {
		dropped := false
		for _, f := range findings {
			if e := p.at(f); e != nil && e.self().fault == "" && rankOf(e) == rank {
				dropElement(m, p, e, f)
				dropped = true
			}
		}
		if dropped {
			return true
		}
	}
	return dropUnreadable(m, findings)
}

// rankOf orders elements: keys, reads, fields.
func rankOf(e lined) int {
	switch e.(type) {
	case *read:
		return 1
	case *field:
		return 2
	}
	return 0
}

// dropElement turns the line of a finding into a comment, or what the finding is about.
func dropElement(m *model, p *printer, e lined, f directives.Finding) {
	if r, isRead := e.(*read); isRead && r.plain != nil {
		r.arguments, r.directive, r.plain = r.plain.arguments, r.plain.directive, nil
		p.lines = slices.DeleteFunc(p.lines, func(l lines) bool { return l.of == e }) // Others are about what it was.
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
		dropField(m, e, what)
	case *typ:
		dropType(m, e, what)
	case *storedType:
		dropStored(m, e, what)
	case *index:
		dropIndex(m.types, e, what)
	default:
		e.self().fault = what
	}
}

// dropUnreadable leaves out the types that findings about @table name: the keys of its indexes can be attributes whose
// values have no text order. It reports whether there was one.
func dropUnreadable(m *model, findings directives.Findings) bool {
	dropped := false
	for _, f := range findings {
		t := find(m.types, func(t *typ) bool { return t.fault == "" && t.name == f.Coordinate })
		if t != nil {
			m.omit("%s: %s", f.Coordinate, f.What)
			dropType(m, t, f.What)
			dropped = true
		}
	}
	return dropped
}

// place matches a place of the schema in a finding.
var place = regexp.MustCompile(` \(` + regexp.QuoteMeta(schemaFile) + `:[0-9:]+\)`)

// dropField leaves out a field, and its type if the field is part of its key.
func dropField(m *model, f *field, why string) {
	for _, t := range m.types {
		if t.fault == "" && slices.Contains(t.fields, f) && t.isInKey(f.variable) {
			if f.attribute != "" {
				m.unfitInKeys = append(m.unfitInKeys, f.attribute)
			}
			dropType(m, t, why)
		}
	}
	f.fault = why
}

// dropIndex leaves out an entry, and those of the copies behind it: the n-th @index of a name belongs to the n-th
// stored item.
func dropIndex(types []*typ, ix *index, why string) {
	for _, t := range types {
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
func dropStored(m *model, s *storedType, why string) {
	s.fault = why
	for _, t := range m.types {
		switch i := slices.Index(t.stored, s); {
		case i == 0 && t.fault == "":
			dropType(m, t, why)
		case i > 0:
			m.unclassified = append(m.unclassified, withReason(s.entries, why)...)
			t.stored = slices.Delete(t.stored, i, i+1)
		}
	}
}

// dropType leaves out a type, and all fields that return it.
func dropType(m *model, t *typ, why string) {
	t.fault = why
	m.unclassified = append(m.unclassified, withReason(t.entries(), why)...)
	gone := []string{t.name}
	for _, u := range m.unions {
		if slices.Contains(u.types, t.name) {
			gone = append(gone, u.name)
		}
	}
	for _, r := range reads(m) {
		if slices.Contains(gone, r.result) {
			r.fault = fmt.Sprintf("type %s was left out: %s", t.name, why)
		}
	}
}
