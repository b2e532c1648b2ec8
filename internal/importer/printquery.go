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

// printQuery writes the reads of Query. Without any, Query has node, because a schema has a Query.
func (m *model) printQuery(p *printer) {
	p.write("\nextend type Query {")
	for _, r := range m.queries {
		m.printRead(p, r)
	}
	if !slices.ContainsFunc(m.queries, func(r *read) bool { return r.fault == "" }) {
		p.write("  node(id: ID!): Node")
	}
	p.write("}")
}
