package designtools

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/designpage"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/edits"
)

// checked is the result of check_schema.
type checked struct {
	// Findings are what must be corrected, and Hints what to look at again.
	Findings []finding `json:"findings" jsonschema:"what must be corrected before the schema can be served"`
	Hints    []hint    `json:"hints" jsonschema:"what to look at again in a schema that can be served"`
	// Patterns is how many fields read the table, in a schema without findings.
	Patterns int `json:"patterns" jsonschema:"how many fields read the table; 0 with findings"`
	LeftOut  int `json:"leftOut,omitempty" jsonschema:"how many findings are not in the result"`
}

type finding struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column" jsonschema:"the character of the line, from 1"`
	Coordinate string `json:"coordinate" jsonschema:"the type or the field"`
	Message    string `json:"message"`
	Fix        string `json:"fix" jsonschema:"what to do"`
	Edits      []edit `json:"edits,omitempty" jsonschema:"carry the fix out; none if a person has to decide"`
}

// edit is a change of a file. Lines and columns count from 1, columns in characters; the end is exclusive.
type edit struct {
	File        string `json:"file"`
	StartLine   int    `json:"startLine"`
	StartColumn int    `json:"startColumn"`
	EndLine     int    `json:"endLine"`
	EndColumn   int    `json:"endColumn"`
	OldText     string `json:"oldText"`
	NewText     string `json:"newText"`
}

type hint struct {
	About   string `json:"about"`
	Place   string `json:"place,omitempty" jsonschema:"file:line:column"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

func (t *tools) addCheck(server *mcp.Server) {
	add(t, server, checkTool,
		"Finds what is wrong with a schema as the design of a table, each with its place, a fix and the edits that carry it "+
			"out, and what to look at again: copies that nothing reads, partitions that may become hot.",
		func(ctx context.Context, in schemaInput) result[checked] {
			files, err := t.read(in)
			if err != nil {
				return result[checked]{err: err}
			}
			return shown(check(ctx, files), nil)
		})
}

// check returns the findings of files. The edits of a fix are left out when the time of the call is over.
func check(ctx context.Context, files schemaFiles) checked {
	c := checked{Findings: []finding{}, Hints: []hint{}}
	found := files.findings(files.sources)
	c.LeftOut = len(found) - len(limited(found))
	for _, f := range limited(found) {
		one := finding{f.File, f.Line, f.Column, f.Coordinate, f.What, f.Fix, nil}
		if ctx.Err() == nil {
			for _, change := range edits.Changes(files.sources, f, files.findings) {
				one.Edits = append(one.Edits, editOf(change))
			}
		}
		c.Findings = append(c.Findings, one)
	}
	if schema, err := folder.Load(files.sources, files.hasGo); err == nil {
		c.Patterns, c.Hints = len(schema.Fields), hintsOf(schema)
	}
	return c
}

func hintsOf(s *directives.Schema) []hint {
	hints := []hint{}
	for _, f := range designpage.New(designpage.Options{HasFiles: true}, s).Findings {
		hints = append(hints, hint{f.Where.Text, f.At, f.What, f.Fix})
	}
	return hints
}

func editOf(c edits.Change) edit {
	e := edit{File: c.File.Name, OldText: c.File.Input[c.Start:c.End], NewText: c.Text}
	e.StartLine, e.StartColumn = placeAt(c.File.Input, c.Start)
	e.EndLine, e.EndColumn = placeAt(c.File.Input, c.End)
	return e
}

// placeAt returns the line and the column of a byte.
func placeAt(text string, at int) (line, column int) {
	before := text[:at]
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

// text returns the result for an agent.
func (c checked) text() string {
	var b strings.Builder
	for _, f := range c.Findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n    %s\n", f.File, f.Line, f.Column, f.Coordinate, f.Message,
			strings.ReplaceAll(f.Fix, "\n", "\n    "))
		for _, e := range f.Edits {
			fmt.Fprintf(&b, "    edit: %s\n", e)
		}
	}
	if c.LeftOut > 0 {
		fmt.Fprintf(&b, "%s more: correct these first.\n", counted(c.LeftOut, "finding"))
	}
	if len(c.Findings) > 0 {
		fmt.Fprintf(&b, "The schema cannot be served: %s to correct.\n", counted(len(c.Findings)+c.LeftOut, "finding"))
		return b.String()
	}
	for _, h := range c.Hints {
		fmt.Fprintf(&b, "hint: %s (%s): %s %s\n", h.About, h.Place, h.Message, h.Fix)
	}
	fmt.Fprintf(&b, "The schema can be served. Access patterns: %d.\n", c.Patterns)
	return b.String()
}

// String returns the edit in one line.
func (e edit) String() string {
	at := fmt.Sprintf("%s:%d:%d", e.File, e.StartLine, e.StartColumn)
	switch {
	case e.OldText == "":
		return fmt.Sprintf("at %s insert %q", at, e.NewText)
	case e.NewText == "":
		return fmt.Sprintf("at %s remove %q", at, e.OldText)
	}
	return fmt.Sprintf("at %s replace %q by %q", at, e.OldText, e.NewText)
}
