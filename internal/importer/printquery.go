package importer

import (
	"slices"
	"strings"
)

// printUnions writes the unions of the reads.
func printUnions(m *model, p *printer) {
	var nodes []string
	for _, r := range reads(m) {
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
func printQuery(m *model, p *printer) {
	p.write("\nextend type Query {")
	for _, r := range m.queries {
		printRead(m, p, r)
	}
	if !slices.ContainsFunc(m.queries, func(r *read) bool { return r.fault == "" }) {
		p.write("  node(id: ID!): Node")
	}
	p.write("}")
}

// maxWidth is the width of a line.
const maxWidth = 115

func printRead(m *model, p *printer, r *read) {
	result := r.result
	if r.paged {
		result += "Connection"
	}
	texts := make([]string, len(r.arguments))
	for i, a := range r.arguments {
		texts[i] = a.name + ": " + a.typ
	}
	text := r.name
	if len(texts) > 0 {
		text += "(" + strings.Join(texts, ", ") + ")"
	}
	text += ": " + result
	if len(text)+len(r.directive) > maxWidth {
		p.element(r, text+"\n  "+r.directive)
		return
	}
	p.element(r, text+" "+r.directive)
}
