package importer

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys/gen/directives"
)

// printConnections writes the unions and the connection types of the reads.
func (m *model) printConnections(p *printer) {
	var nodes []string
	for _, r := range m.reads() {
		if r.paged && !slices.Contains(nodes, r.result) {
			nodes = append(nodes, r.result)
		}
	}
	slices.Sort(nodes)
	for _, u := range m.unions {
		if slices.Contains(nodes, u.name) {
			p.write("\n%s", quote("What a partition has."))
			p.write("union %s = %s", u.name, strings.Join(u.types, " | "))
		}
	}
	for _, name := range nodes {
		p.write("\n%s\ntype %sConnection {", quote("A page of "+name+"."), name)
		p.write("  edges: [%sEdge!]!\n  nodes: [%s!]!\n  pageInfo: PageInfo!\n}", name, name)
		p.write("\n%s\ntype %sEdge {", quote("One of a page of "+name+"."), name)
		p.write("  cursor: String!\n  node: %s!\n}", name)
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

// shared are scalars and inputs that the schema may use.
var shared = []struct{ name, declaration string }{
	{"Date", `"A day, yyyy-mm-dd."
scalar Date`},
	{"DateRange", `"A span of days. Both ends are inclusive, an absent end is open."
input DateRange {
  from: Date
  to: Date
}`},
	{"Int64", `"A whole number of 64 bits, a string in JSON."
scalar Int64`},
	{"Int64Range", `"A span of whole numbers of 64 bits. Both ends are inclusive, an absent end is open."
input Int64Range {
  from: Int64
  to: Int64
}`},
	{"IntRange", `"A span of whole numbers. Both ends are inclusive, an absent end is open."
input IntRange {
  from: Int
  to: Int
}`},
}

// printShared declares what the schema uses of shared, and what not every schema has.
func printShared(p *printer) {
	for _, s := range shared {
		_, declaration, _ := strings.Cut(s.declaration, "\n")
		first, _, _ := strings.Cut(declaration, "\n")
		text := p.String()
		isUsed := strings.Contains(text, ": "+s.name) || strings.Contains(text, ": ["+s.name)
		if isUsed && !strings.Contains(directives.NodeDefinitions, first) {
			p.write("\n%s", s.declaration)
		}
	}
}
