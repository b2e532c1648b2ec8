package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// element is some lines of the schema that settle may turn into a comment.
type element struct {
	// fault is why the lines are a comment, "" for lines of the schema.
	fault string
	// line is the first line and last the last one, from 1; both are 0 for a comment.
	line, last int
}

// has reports whether a finding is about one of the lines.
func (e *element) has(f directives.Finding) bool {
	return f.File == schemaFile && e.line <= f.Line && f.Line <= e.last
}

func (e *element) self() *element { return e }

// lined is a part of the model that is printed as lines.
type lined interface{ self() *element }

// printer writes the schema and remembers the line of each element.
type printer struct {
	bytes.Buffer
	line int
}

func (p *printer) write(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.line += strings.Count(text, "\n") + 1
	p.WriteString(text + "\n")
}

// element writes an element, as a comment with the reason if it has a fault.
func (p *printer) element(e lined, text string) {
	const indent = "  "
	self := e.self()
	self.line = p.line + 1
	if self.fault == "" {
		p.write("%s%s", indent, strings.ReplaceAll(text, "\n", "\n"+indent))
		self.last = p.line
		return
	}
	self.line, self.last = 0, 0
	p.write("%s# %s", indent, strings.ReplaceAll(text, "\n", "\n"+indent+"# "))
	for line := range strings.SplitSeq(self.fault, "\n") {
		p.write("%s#   %s", indent, line)
	}
}

// quote returns a text as GraphQL has it, which is as JSON has it.
func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // A text can always be encoded.
	return strings.TrimSuffix(b.String(), "\n")
}

// quoteList returns a list of texts.
func quoteList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// quoteKey returns the attributes of a key: a list, or the only one.
func quoteKey(k keys.KeyAttributes) string {
	if len(k) == 1 {
		return quote(k[0].Name)
	}
	return quoteList(k.Names())
}

// print returns the text of the schema.
func (m *model) print() string {
	p := &printer{}
	m.printTable(p)
	for _, t := range m.types {
		if t.fault == "" {
			m.printType(p, t)
		}
	}
	for _, o := range m.usedObjects() {
		about := quote("An object inside an item. Updates keep what it has beyond these fields.")
		p.write("\n%s\ntype %s {", about, o.name)
		for _, f := range o.fields {
			p.write("  %s: %s%s", f.name, f.text(), f.stored())
		}
		p.write("}")
	}
	m.printUnions(p)
	m.printQuery(p)
	return p.String()
}

func nonNull(f *field) string {
	if f.required {
		return "!"
	}
	return ""
}

// printTable writes @table.
func (m *model) printTable(p *printer) {
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

// printType writes a type with its directives and fields.
func (m *model) printType(p *printer, t *typ) {
	example := t.item().entries[0]
	var key []string
	for _, name := range slices.Concat(m.PK.Names(), m.SK.Names()) {
		key = append(key, example.Text(name))
	}
	p.write("\n%s", quote(fmt.Sprintf("%s, such as %s.", itemCount(weight(t.entries())), strings.Join(key, ", "))))
	t.line, t.last = p.line+1, p.line+1
	p.write("type %s implements Node", t.name)
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
	m.printIndexes(p, t, t.item())
	for _, s := range t.stored[1:] {
		if s.note != "" {
			p.write("  # %s", s.note)
		}
		text := "@copy(" + m.key(s.pk, s.sk, t.nameOf)
		if s.latest != "" {
			text += ", latest: " + quote(t.field(s.latest).name)
		}
		p.element(s, text+")")
		m.printIndexes(p, t, s)
	}
	p.write("{")
	for _, f := range t.fields {
		if f.note != "" {
			p.write("  # %s", f.note)
		}
		p.element(f, f.name+": "+f.text()+nonNull(f)+f.stored()+f.unique)
	}
	for _, r := range t.reads {
		m.printRead(p, r)
	}
	p.write("}")
}

func itemCount(n float64) string {
	if n < 1.5 {
		return "1 item"
	}
	return fmt.Sprintf("%.0f items", n)
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

func (m *model) printIndexes(p *printer, t *typ, s *storedType) {
	for _, ix := range s.indexes {
		if ix.isDerived {
			continue
		}
		if ix.note != "" {
			p.write("  # %s", ix.note)
		}
		text := "@index(name: " + quote(ix.name) + ", pk: " + m.quoted(ix.pk, t.nameOf) +
			", sk: " + m.quoted(ix.sk, t.nameOf)
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

// defaultMaxBytes is the default of @item(maxBytes), and itemLimit the largest item of DynamoDB.
const (
	defaultMaxBytes = 4096
	itemLimit       = 409600
)

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
	return min(n, itemLimit)
}

// key returns the arguments of a directive with a primary key.
func (m *model) key(pk, sk template, name func(string) string) string {
	text := "pk: " + m.quoted(pk, name)
	if m.HasSortKey() {
		text += ", sk: " + m.quoted(sk, name)
	}
	return text
}

// maxWidth is the width of a line.
const maxWidth = 115

func (m *model) printRead(p *printer, r *read) {
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

// reads returns the fields of the schema that read something.
func (m *model) reads() []*read {
	var all []*read
	for _, t := range m.types {
		if t.fault == "" {
			all = append(all, t.reads...)
		}
	}
	all = append(all, m.queries...)
	return slices.DeleteFunc(all, func(r *read) bool { return r.fault != "" })
}

// usedObjects returns the object types of the fields, by name.
func (m *model) usedObjects() []*object {
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
	for _, t := range m.types {
		if t.fault == "" {
			add(t.fields)
		}
	}
	slices.SortFunc(used, func(a, b *object) int { return cmp.Compare(a.name, b.name) })
	return used
}
