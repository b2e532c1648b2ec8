package importer

import (
	"slices"
	"strings"
)

// printUnions writes the unions of the reads.
func (m *model) printUnions(p *printer) {
	var nodes []string
	for _, r := range m.reads() {
		if r.paged && !slices.Contains(nodes, r.result) {
			nodes = append(nodes, r.result)
		}
	}
	for _, u := range m.unions {
		if slices.Contains(nodes, u.name) {
			p.write("\n%s", quote("What a partition has."))
			p.write("union %s = %s", u.name, strings.Join(u.types, " | "))
		}
	}
}

func (m *model) printQuery(p *printer) {
	if len(m.queries) == 0 {
		return
	}
	hasSome := slices.ContainsFunc(m.queries, func(r *read) bool { return r.fault == "" })
	p.write("")
	if hasSome {
		p.write("extend type Query {")
	}
	for _, r := range m.queries {
		m.printRead(p, r)
	}
	if hasSome {
		p.write("}")
	}
}
