package randomtable

import (
	"fmt"
	"slices"
	"strings"
)

// sdl returns the file of a folder with the schema.
func (m *tableModel) sdl() string {
	var b strings.Builder
	typeAttribute := "null"
	if m.typeAttribute != "" {
		typeAttribute = fmt.Sprintf("%q", m.typeAttribute)
	}
	sk := "null"
	if m.sk != "" {
		sk = fmt.Sprintf("%q", m.sk)
	}
	fmt.Fprintf(&b, "extend schema @table(pk: %q, sk: %s, type: %s, delimiter: %q",
		m.pk, sk, typeAttribute, m.delimiter)
	if len(m.indexes) > 0 {
		b.WriteString(", indexes: [\n")
		for _, x := range m.indexes {
			fmt.Fprintf(&b, "  {name: %q, pk: %q", x.name, x.pk)
			if x.sk != "" {
				fmt.Fprintf(&b, ", sk: %q", x.sk)
			}
			if x.projection != "" {
				fmt.Fprintf(&b, ", projection: %s", x.projection)
			}
			if len(x.include) > 0 {
				fmt.Fprintf(&b, ", include: [%s]", quoted(x.include))
			}
			if x.isLocal {
				b.WriteString(", local: true")
			}
			b.WriteString("}\n")
		}
		b.WriteString("]")
	}
	b.WriteString(")\n\nenum Mode { " + strings.Join(modes, " ") + " }\n\n")
	for _, t := range m.types {
		m.writeType(&b, t)
	}
	b.WriteString("type Query {\n")
	for _, p := range m.patterns {
		if p.on == nil {
			b.WriteString("  " + m.patternText(p) + "\n")
		}
	}
	b.WriteString("}\n")
	var unions []string
	for _, p := range m.patterns {
		if p.union != "" && !slices.Contains(unions, p.union) {
			unions = append(unions, p.union)
			var names []string
			for _, t := range p.types {
				names = append(names, t.name)
			}
			fmt.Fprintf(&b, "union %s = %s\n", p.union, strings.Join(names, " | "))
		}
	}
	return b.String()
}

func quoted(all []string) string {
	var texts []string
	for _, text := range all {
		texts = append(texts, fmt.Sprintf("%q", text))
	}
	return strings.Join(texts, ", ")
}

func (m *tableModel) writeType(b *strings.Builder, t *typ) {
	d := m.delimiter
	fmt.Fprintf(b, "type %s", t.name)
	if t.isNode {
		b.WriteString(" implements Node")
	}
	for i, s := range t.items {
		directive := "@item"
		if i > 0 {
			directive = "@copy"
		}
		fmt.Fprintf(b, "\n  %s(pk: %q", directive, s.pk.text(d, nil))
		if m.sk != "" {
			fmt.Fprintf(b, ", sk: %q", s.sk.text(d, nil))
		}
		if i == 0 && m.typeAttribute != "" && t.value != t.name {
			fmt.Fprintf(b, ", type: %q", t.value)
		}
		if i == 0 && len(t.constants) > 0 {
			var all []string
			for _, c := range t.constants {
				all = append(all, fmt.Sprintf("{name: %q, value: %s}", c.name, c.literal))
			}
			fmt.Fprintf(b, ", constants: [%s]", strings.Join(all, ", "))
		}
		if i == 0 && t.expires {
			fmt.Fprintf(b, ", expires: %q", expiryAttribute)
		}
		if s.shards > 0 {
			fmt.Fprintf(b, ", shards: %d", s.shards)
		}
		if s.latest != nil {
			fmt.Fprintf(b, ", latest: %q", s.latest.name)
		}
		b.WriteString(")")
	}
	for _, s := range t.entries {
		fmt.Fprintf(b, "\n  @index(name: %q, pk: %q", s.index.name, s.pk.text(d, nil))
		if len(s.sk) > 0 {
			fmt.Fprintf(b, ", sk: %q", s.sk.text(d, nil))
		}
		if s.shards > 0 {
			fmt.Fprintf(b, ", shards: %d", s.shards)
		}
		b.WriteString(")")
	}
	if t.mutable {
		b.WriteString("\n  @mutable(create: [\"PUBLIC\"], update: [\"PUBLIC\"], delete: [\"PUBLIC\"])")
	}
	b.WriteString(" {\n")
	if t.isNode && t.field("id") == nil {
		b.WriteString("  id: ID!\n")
	}
	for _, f := range t.fields {
		b.WriteString("  " + f.name + ": " + f.kind.gql)
		if !f.nullable {
			b.WriteString("!")
		}
		var stored []string
		switch {
		case f.noAttribute:
			stored = append(stored, "name: null")
		case f.attr != f.name:
			stored = append(stored, fmt.Sprintf("name: %q", f.attr))
		}
		if f.kind.as != "" {
			stored = append(stored, "as: "+f.kind.as)
		}
		if len(stored) > 0 {
			b.WriteString(" @stored(" + strings.Join(stored, ", ") + ")")
		}
		b.WriteString("\n")
	}
	for _, p := range m.patterns {
		if p.on == t {
			b.WriteString("  " + m.patternText(p) + "\n")
		}
	}
	b.WriteString("}\n\n")
}

func (t *typ) field(name string) *field {
	for _, f := range t.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// prefix returns the parts of the sort key that the condition has.
func (p *pattern) prefix() template { return p.shape.sk[:p.fixed] }

// argument is an argument of a field.
type argument struct {
	field    *field
	optional bool
}

// given returns the names of the parent's fields that give values, by field of the shape.
func (p *pattern) given() map[*field]string {
	names := map[*field]string{}
	if p.on == nil {
		return names
	}
	for _, f := range append(p.shape.pk.fields(), p.prefix().fields()...) {
		if own := p.source(f); own != nil {
			names[f] = own.name
		}
	}
	return names
}

// source returns the field of the parent that gives the value of a field of the shape; nil if an argument does.
func (p *pattern) source(f *field) *field {
	switch {
	case p.on == nil:
		return nil
	case f.of == p.on:
		return p.on.key()
	case p.on == p.shape.typ || slices.Contains(p.on.fields, f):
		return f
	}
	for _, own := range p.on.fields {
		if own.of != nil && own.of == p.shape.typ && f == p.shape.typ.key() {
			return own
		}
	}
	return nil
}

// arguments returns the arguments that are no range.
func (p *pattern) arguments() []argument {
	var all []argument
	add := func(f *field, optional bool) {
		if p.source(f) == nil && !slices.ContainsFunc(all, func(a argument) bool { return a.field == f }) {
			all = append(all, argument{f, optional})
		}
	}
	for _, part := range p.shape.pk {
		if part.field != nil && (part.bucket == "" || part.field != p.ranged) {
			add(part.field, false)
		}
	}
	for i, f := range p.prefix().fields() {
		add(f, p.optional >= 0 && i >= p.optional)
	}
	return all
}

func (m *tableModel) patternText(p *pattern) string {
	var arguments []string
	for _, a := range p.arguments() {
		text := a.field.name + ": " + a.field.kind.gql
		if !a.optional {
			text += "!"
		}
		arguments = append(arguments, text)
	}
	if p.ranged != nil {
		text := p.ranged.name + ": " + p.rangeType()
		if p.required {
			text += "!"
		}
		arguments = append(arguments, text)
	}
	text := p.name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	result := p.types[0].name
	if p.union != "" {
		result = p.union
	}
	switch p.result {
	case "one":
		text += ": " + result
	case "list":
		text += ": [" + result + "!]"
	default:
		text += ": " + result + "Connection"
	}
	names := p.given()
	pk := p.shape.pk.text(m.delimiter, names)
	sk := p.prefix().text(m.delimiter, names)
	switch {
	case p.isGet && m.sk == "":
		return text + fmt.Sprintf(" @get(pk: %q)", pk)
	case p.isGet:
		return text + fmt.Sprintf(" @get(pk: %q, sk: %q)", pk, sk)
	case p.partial:
		if sk != "" && !p.shape.sk[p.fixed].glued {
			sk += m.delimiter
		}
		sk += p.shape.sk[p.fixed].literal
	case p.fixed > 0 && p.fixed < len(p.shape.sk) && p.shape.sk[p.fixed-1].field == nil:
		sk += m.delimiter
	}
	text += fmt.Sprintf(" @query(pk: %q", pk)
	if p.shape.index != nil {
		text += fmt.Sprintf(", index: %q", p.shape.index.name)
	}
	if sk != "" {
		text += fmt.Sprintf(", sk: %q", sk)
	}
	if p.descending {
		text += ", order: DESC"
	}
	if p.result == "list" {
		text += ", atMost: 100"
	}
	return text + ")"
}

func (p *pattern) rangeType() string {
	switch gql := p.ranged.kind.gql; gql {
	case "Time", "Date", "Int", "Int64", "Float":
		return gql + "Range"
	}
	return "StringRange"
}
