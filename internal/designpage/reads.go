package designpage

import (
	"maps"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// link sets which patterns read which rows.
func link(s *directives.Schema, pictures []Picture) {
	for _, f := range s.Fields {
		var example map[string]string
		for _, r := range rowsOf(pictures) {
			m, isRead := r.readBy(f)
			if !isRead {
				continue
			}
			r.ReadBy = append(r.ReadBy, f.Coordinate())
			switch values := r.values(f, m); {
			case example == nil:
				example = values
			case f.Result == design.One && f.Kind != design.Nodes || !maps.Equal(values, example):
				continue
			}
			r.ReadIn = append(r.ReadIn, f.Coordinate())
		}
	}
}

func rowsOf(pictures []Picture) []*Row {
	var all []*Row
	for _, p := range pictures {
		for _, c := range p.Partitions {
			all = append(all, c.Rows...)
		}
	}
	return all
}

// readBy reports whether the field reads such items as the row, and how its condition selects them.
func (r *Row) readBy(f *design.Field) (m design.Match, is bool) {
	if r.kind.of == nil {
		return m, false // It is a claim.
	}
	m, _ = r.kind.matchOf(f)
	is = r.kind.isReadBy(f)
	for name, text := range m.Constants {
		is = is && r.example.text(name) == text
	}
	return m, is
}

// values returns the values of a pattern's variables with which it reads the row. A time of which only the bucket
// counts is no such value: the pattern reads all times in it, or several buckets.
func (r *Row) values(f *design.Field, m design.Match) map[string]string {
	values := map[string]string{}
	for own, variable := range m.Variables {
		isBucketed := m.Shape.PK.Bucket(own) > 0 && !f.SK.Has(variable)
		if !isBucketed && (f.Bucketed() == "" || variable != f.Bucketed()) {
			values[variable] = r.example.text(own)
		}
	}
	return values
}
