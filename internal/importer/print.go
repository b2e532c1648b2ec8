package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// printSchema returns the schema with the lines of its elements.
func printSchema(m *model) *printer {
	p := &printer{}
	printTable(m, p)
	for _, t := range m.types {
		if t.fault == "" {
			printType(m, p, t)
		}
	}
	for _, o := range usedObjects(m.types) {
		about := quote("An object inside an item. Updates keep what it has beyond these fields.")
		p.write("\n%s\ntype %s {", about, o.name)
		for _, f := range o.fields {
			p.write("  %s: %s%s", f.name, f.text(), f.stored())
		}
		p.write("}")
	}
	printUnions(m, p)
	printQuery(m, p)
	return p
}

// printTable writes @table.
func printTable(m *model, p *printer) {
	sample := ""
	if m.partial {
		sample = ", a sample of the table"
	}
	p.write("# A proposal from %s%s.", itemCount(float64(m.items)), sample)
	p.write("# Read it before you use it: what an item can have is known from these items only.")
	if !m.described && len(m.Indexes) > 0 {
		p.write("# An export does not have the names of indexes. Those below follow from attributes: correct them.")
	}
	p.write("extend schema")
	p.write("  @table(")
	p.write("    pk: %s", quote(m.PK.String()))
	if m.HasSortKey() {
		p.write("    sk: %s", quote(m.SK.String()))
	} else {
		p.write("    sk: null # the table has none")
	}
	switch {
	case m.Type == "":
		p.write("    type: null # types are recognised by their keys")
	case m.isConstant:
		p.write("    type: null # keys of several types can be equal: a constant is what tells them apart")
	default:
		p.write("    type: %s", quote(m.Type))
	}
	if m.Delimiter != keys.Delimiter {
		p.write("    delimiter: %s", quote(m.Delimiter))
	}
	if len(m.Indexes) > 0 {
		p.write("    indexes: [")
		for _, ix := range m.Indexes {
			p.write("      %s", tableIndex(ix))
		}
		p.write("    ]")
	}
	p.write("  )")
}

func tableIndex(ix stored.IndexLayout) string {
	text := "{ name: " + quote(ix.Name) + ", pk: " + quoteKey(ix.PK)
	if len(ix.SK) > 0 {
		text += ", sk: " + quoteKey(ix.SK)
	}
	if ix.Local {
		text += ", local: true"
	}
	if ix.Projection != stored.All {
		text += ", projection: " + ix.Projection.String()
	}
	if ix.Projection == stored.Include {
		text += ", include: " + quoteList(ix.Include)
	}
	return text + " }"
}

// usedObjects returns the object types of the fields, by name.
func usedObjects(types []*typ) []*object {
	var used []*object
	var add func(fields []*field)
	add = func(fields []*field) {
		for _, f := range fields {
			if f.object != nil && f.fault == "" && !slices.Contains(used, f.object) {
				used = append(used, f.object)
				add(f.object.fields)
			}
		}
	}
	for _, t := range types {
		if t.fault == "" {
			add(t.fields)
		}
	}
	slices.SortFunc(used, func(a, b *object) int { return cmp.Compare(a.name, b.name) })
	return used
}

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
		printRead(p, r)
	}
	if !slices.ContainsFunc(m.queries, func(r *read) bool { return r.fault == "" }) {
		p.write("  node(id: ID!): Node")
	}
	p.write("}")
}
