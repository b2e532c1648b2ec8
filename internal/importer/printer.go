package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
)

// printer writes the schema and remembers the lines of each element.
type printer struct {
	bytes.Buffer
	line  int
	lines []lines
}

// lines are those of an element, from 1.
type lines struct {
	of          lined
	first, last int
}

// schemaFile is the name of the schema in findings.
const schemaFile = "schema.graphqls"

// at returns the element whose lines a finding is about, nil for none.
func (p *printer) at(f directives.Finding) lined {
	for _, l := range p.lines {
		if f.File == schemaFile && l.first <= f.Line && f.Line <= l.last {
			return l.of
		}
	}
	return nil
}

func (p *printer) write(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.line += strings.Count(text, "\n") + 1
	p.WriteString(text + "\n")
}

// element writes an element, as a comment with the reason if it has a fault.
func (p *printer) element(e lined, text string) {
	const indent = "  "
	if e.self().fault == "" {
		first := p.line + 1
		p.write("%s%s", indent, strings.ReplaceAll(text, "\n", "\n"+indent))
		p.lines = append(p.lines, lines{e, first, p.line})
		return
	}
	p.write("%s# %s", indent, strings.ReplaceAll(text, "\n", "\n"+indent+"# "))
	for line := range strings.SplitSeq(e.self().fault, "\n") {
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

// quoted returns a template as a GraphQL text, with the names that name returns for its variables.
func (t *layout) quoted(of template, name func(variable string) string) string {
	return quote(t.text(of, name))
}

func (t *layout) text(of template, name func(variable string) string) string {
	renamed := slices.Clone(of)
	for i, s := range renamed {
		if s.Variable != "" {
			renamed[i].Variable = name(s.Variable)
		}
	}
	return keys.Join(renamed, t.Delimiter)
}

// key returns the arguments of a directive with a primary key.
func (t *layout) key(pk, sk template, name func(string) string) string {
	text := "pk: " + t.quoted(pk, name)
	if t.HasSortKey() {
		text += ", sk: " + t.quoted(sk, name)
	}
	return text
}

// constant returns an attribute that all items of a type have as an argument of @item.
func constant(attribute, value string) string {
	return "{name: " + quote(attribute) + ", value: " + quote(value) + "}"
}

func itemCount(n float64) string {
	if n < 1.5 {
		return "1 item"
	}
	return fmt.Sprintf("%.0f items", n)
}
