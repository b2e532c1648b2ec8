package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// printType writes a type with its directives and fields.
func printType(m *model, p *printer, t *typ) {
	example := t.item().entries[0]
	var key []string
	for _, name := range slices.Concat(m.PK.Names(), m.SK.Names()) {
		key = append(key, example.Text(name))
	}
	p.write("\n%s", quote(fmt.Sprintf("%s, such as %s.", itemCount(weight(t.entries())), strings.Join(key, ", "))))
	p.write("type %s implements Node", t.name)
	p.lines = append(p.lines, lines{t, p.line, p.line})
	text := "@item(" + m.key(t.item().pk, t.item().sk, t.nameOf)
	constants := t.constants
	switch typ := t.item().typ; {
	case typ != "" && m.isConstant:
		constants = append([]string{constant(m.Type, typ)}, constants...)
	case typ != "" && typ != t.name:
		text += ", type: " + quote(typ)
	}
	if len(constants) > 0 {
		text += ", constants: [" + strings.Join(constants, ", ") + "]"
	}
	if t.expires != nil {
		text += ", expires: " + quote(t.expires.name)
	}
	if n := maxBytes(t); n != defaultMaxBytes {
		text += ", maxBytes: " + strconv.Itoa(n)
	}
	p.element(t.item(), text+")")
	printIndexes(m.layout, p, t, t.item())
	for _, s := range t.stored[1:] {
		if s.note != "" {
			p.write("  # %s", s.note)
		}
		text := "@copy(" + m.key(s.pk, s.sk, t.nameOf)
		if s.latest != "" {
			text += ", latest: " + quote(t.field(s.latest).name)
		}
		p.element(s, text+")")
		printIndexes(m.layout, p, t, s)
	}
	p.write("{")
	for _, f := range t.fields {
		if f.note != "" {
			p.write("  # %s", f.note)
		}
		text := f.name + ": " + f.text()
		if f.required {
			text += "!"
		}
		p.element(f, text+f.stored()+f.unique)
	}
	for _, r := range t.reads {
		printRead(p, r)
	}
	p.write("}")
}

// stored returns the directive @stored, "" if the field needs none.
func (f *field) stored() string {
	var arguments []string
	switch {
	case f.isKeyOnly:
		arguments = append(arguments, "name: null")
	case f.attribute != "" && f.attribute != f.name:
		arguments = append(arguments, "name: "+quote(f.attribute))
	}
	if f.format != keys.Plain {
		arguments = append(arguments, "as: "+f.format.String())
	}
	if len(arguments) == 0 {
		return ""
	}
	return " @stored(" + strings.Join(arguments, ", ") + ")"
}

func printIndexes(table *layout, p *printer, t *typ, s *storedType) {
	for _, ix := range s.indexes {
		if ix.isDerived {
			continue
		}
		if ix.note != "" {
			p.write("  # %s", ix.note)
		}
		text := "@index(name: " + quote(ix.name) + ", pk: " + table.quoted(ix.pk, t.nameOf) +
			", sk: " + table.quoted(ix.sk, t.nameOf)
		// A partition key with few values has 1 explicitly, because a new index should have more.
		if ix.shards > 1 || t.hasFewValues(ix.pk) {
			text += ", shards: " + strconv.Itoa(ix.shards)
		}
		p.element(ix, text+")")
	}
}

// hasFewValues reports whether a partition key has no variables, or only those with two values.
func (t *typ) hasFewValues(pk template) bool {
	return !slices.ContainsFunc(variablesOf(pk), func(v keys.Segment) bool {
		f := t.field(v.Variable)
		return f == nil || f.typ != "Boolean"
	})
}

// defaultMaxBytes is the default of @item(maxBytes).
const defaultMaxBytes = 4096

// maxBytes returns at least twice the size of the largest item that was seen.
func maxBytes(t *typ) int {
	largest := 0
	for _, e := range t.entries() {
		largest = max(largest, e.Size())
	}
	n := defaultMaxBytes
	for n < 2*largest {
		n *= 2
	}
	return min(n, item.MaxBytes)
}

// maxWidth is the width of a line.
const maxWidth = 115

func printRead(p *printer, r *read) {
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
