package app

import (
	"fmt"
	"strings"

	"github.com/partita/partita/internal/gen/contract"
)

// markdown returns the report for the comment of a pull request, or the summary of a job.
func (r *report) markdown() string {
	var b strings.Builder
	b.WriteString("### Changes of the API\n")
	if len(r.Changes) == 0 {
		b.WriteString("\nNone.\n")
	}
	for _, group := range r.annotated().Groups() {
		if len(group.Changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n**%s: %d**\n\n", group.Title, len(group.Changes))
		for _, c := range group.Changes.Folded() {
			fmt.Fprintf(&b, "- `%s`: %s", strings.ReplaceAll(c.Path, ", ", "`, `"), escaped(c.What))
			if c.Fix != "" {
				fmt.Fprintf(&b, ". To do: %s", escaped(c.Fix))
			}
			b.WriteByte('\n')
		}
	}
	if r.hasOperations {
		b.WriteString("\n### Prices at worst\n\n")
		for i, row := range r.rows() {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				b.WriteString("| --- |" + strings.Repeat(" ---: |", len(row)-1) + "\n")
			}
		}
	}
	for i, note := range r.notes() {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + escaped(note) + "\n")
	}
	return b.String()
}

// escaped returns a text that Markdown shows as it is.
func escaped(text string) string {
	return strings.NewReplacer("<", "&lt;", "|", `\|`, "*", `\*`, "_", `\_`).Replace(text)
}

// annotations returns the workflow commands with which GitHub Actions annotates files: an error for each breach, and a
// warning for what is dangerous.
//
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
func (r *report) annotations() string {
	var b strings.Builder
	annotate := func(command string, c contract.Change) {
		place := ""
		if c.File != "" && !c.InBase {
			place = fmt.Sprintf("file=%s,line=%d,", property(c.File), c.Line)
		}
		text := c.What
		if c.Fix != "" {
			text += "\nTo do: " + c.Fix
		}
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", command, place, property(c.Path), message(text))
	}
	for _, c := range r.annotated() {
		switch {
		case c.IsBreach() && !r.isAccepted(c.Path):
			annotate("error", c)
		case c.Level == contract.Dangerous:
			annotate("warning", c)
		}
	}
	for _, o := range r.Operations {
		command := "error"
		if r.isAccepted(o.Operation) {
			command = "notice"
		}
		for _, fault := range o.Faults {
			fmt.Fprintf(&b, "::%s title=%s::%s\n", command, property(o.Operation), message(fault))
		}
	}
	for _, name := range r.Stale {
		fmt.Fprintf(&b, "::notice title=%s::--accept is about nothing that breaks or needs data: remove it\n", property(name))
	}
	return b.String()
}

// message and property return a text as a part of a workflow command.
func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(text))
}
