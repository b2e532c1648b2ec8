package importer

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/partita/partita/internal/gen/directives"
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
