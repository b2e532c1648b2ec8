package directives

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// writeMutations writes the list of mutations without hand-written Go, if there are any.
func (s *Schema) writeMutations(b *bytes.Buffer) {
	if len(s.Mutations) == 0 {
		return
	}
	b.WriteString("\n## Mutations\n\n")
	from := "`@mutable`"
	if slices.ContainsFunc(s.Mutations, func(m *design.Mutation) bool { return m.Kind == design.ActionMutation }) {
		from += " and `@step`"
	}
	b.WriteString("What the mutations that follow from " + from + " read and write. Several items are written in one\n" +
		"transaction, which counts each of them twice; a single one is written without a transaction. Each item\n" +
		"counts with the largest size of its type, and a claim with the longest key and id that it can have. Reads\n" +
		"before the write are strongly consistent.\n\n")
	b.WriteString("| Mutation | Reads | Writes | Read units at worst | Write units at worst |\n" +
		"| --- | --- | --- | --- | --- |\n")
	for _, m := range s.Mutations {
		p := s.MutationPattern(m)
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", m.Name, p.Reads, p.Writes, p.ReadUnits, p.WriteUnits)
	}
	s.writeSweeps(b)
}

// MutationPattern is what a mutation without hand-written Go reads and writes at worst, as Markdown.
type MutationPattern struct{ Reads, Writes, ReadUnits, WriteUnits string }

// MutationPattern returns what a mutation reads and writes.
func (s *Schema) MutationPattern(m *design.Mutation) MutationPattern {
	work := write.WorkloadOf(s.Design, m, nil)
	return MutationPattern{
		Reads: s.reads(m, work), Writes: writes(work), ReadUnits: number(work.ReadUnits),
		WriteUnits: strconv.Itoa(work.Units()),
	}
}

// writeSweeps writes what the sweep consumes after mutations that leave something to it.
func (s *Schema) writeSweeps(b *bytes.Buffer) {
	for _, m := range s.Mutations {
		var parts []string
		for _, u := range write.SweepUnitsOf(s.Design, m) {
			parts = append(parts, fmt.Sprintf("%d for each `%s`", u.Units, u.Type))
		}
		if parts != nil {
			fmt.Fprintf(b, "\nAfter `%s`, the sweep consumes at most %s in write units.\n", m.Name, strings.Join(parts, ", "))
		}
	}
}

// reads describes what a mutation reads before it writes.
func (s *Schema) reads(m *design.Mutation, work write.Workload) string {
	switch {
	case work.Reads == 0:
		return "nothing"
	case m.Kind == design.ActionMutation:
		return s.actionReads(m)
	case m.Kind == design.CreateMutation:
		return fmt.Sprintf("with an idempotency key: its claim, and the `%s` of an earlier attempt", m.Type)
	default:
		var parts []string
		for _, f := range s.Below(s.Type(m.Type)) {
			if m.Kind == design.DeleteMutation && s.IsWhole(s.Type(m.Type)) {
				parts = append(parts, "`"+f.Coordinate()+"`")
			}
		}
		if len(parts) < work.Reads {
			parts = append([]string{"the `" + m.Type + "`"}, parts...)
		}
		return strings.Join(parts, "; ")
	}
}

// actionReads describes what an action reads before it writes.
func (s *Schema) actionReads(m *design.Mutation) string {
	var parts, created []string
	for i := range m.Steps {
		step, the := &m.Steps[i], "the"
		if step.Each != "" {
			the = "each"
		}
		if step.Kind == design.CreateStep {
			created = append(created, ", "+the+" `"+step.Type+"` of an earlier attempt")
		}
		if s.ReadsBefore(m, step) {
			parts = append(parts, the+" `"+step.Type+"`")
		}
	}
	if m.HasIdempotencyKey {
		parts = append(parts, "with an idempotency key: its claim"+strings.Join(created, ""))
	}
	return strings.Join(parts, "; ")
}

// writes describes the items that a mutation writes at most.
func writes(work write.Workload) string {
	parts := make([]string, len(work.Writes))
	for i, w := range work.Writes {
		parts[i] = itemWrite(w)
	}
	return strings.Join(parts, "; ")
}

func itemWrite(w write.ItemWrite) string {
	key := fmt.Sprintf("`%s`", w.Shape.PK)
	if sk := w.Shape.SK.String(); sk != "" {
		key += fmt.Sprintf(", `%s`", sk)
	}
	verb := map[write.ActionKind]string{
		write.ActionPut: "put", write.ActionUpdate: "update", write.ActionDelete: "delete", write.ActionCheck: "check",
	}[w.Kind]
	text := ""
	switch w.Part {
	case write.ObjectPart:
		text = fmt.Sprintf("%s item %s", verb, key)
	case write.CopyPart:
		text = fmt.Sprintf("%s copy %s", verb, key)
	case write.ClaimPart:
		text = fmt.Sprintf("%s the claim of `%s` `%s`", verb, w.Attribute, w.Shape.PK)
	case write.CounterPart:
		text = fmt.Sprintf("count in `%s.%s`", w.Type, strings.Join(append([]string{w.Attribute}, w.Others...), "`, `"))
	case write.OncePart:
		return "put the claim of an idempotency key"
	case write.ParentPart:
		text = fmt.Sprintf("check item %s", key)
	case write.DeletionPart:
		return "put the item in the list of the sweep"
	case write.BelowPart:
		text = fmt.Sprintf("%s %d items %s", verb, w.Times, key)
	}
	if w.Times > 1 && w.Part != write.BelowPart {
		text = fmt.Sprintf("%d times: %s", w.Times, text)
	}
	if len(w.Indexes) > 0 {
		text += " with its entry in " + strings.Join(w.Indexes, ", ")
	}
	return text
}
