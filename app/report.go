package app

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/prices"
)

// report is what `diff` prints.
type report struct {
	Changes    contract.Changes    `json:"changes"`
	Operations []prices.Comparison `json:"operations,omitempty"`
	// Migration is what stored objects need, by --data.
	Migration *run.Estimate `json:"migration,omitempty"`
	// Accepted are the names of --accept that apply, Stale those that do not.
	Accepted []string `json:"accepted,omitempty"`
	Stale    []string `json:"stale,omitempty"`

	// UsedBy are the operations that use what a breaking change is about, by its path.
	UsedBy map[string][]string `json:"usedBy,omitempty"`

	hasOperations bool
}

// accept sets which names of --accept apply.
func (r *report) accept(names []string) {
	for _, name := range names {
		isAbout := func(c contract.Change) bool { return c.Path == name }
		isOf := func(c prices.Comparison) bool { return c.Operation == name && len(c.Faults) > 0 }
		if slices.ContainsFunc(r.Changes.Breaches(), isAbout) || slices.ContainsFunc(r.Operations, isOf) {
			r.Accepted = append(r.Accepted, name)
		} else {
			r.Stale = append(r.Stale, name)
		}
	}
}

func (r *report) isAccepted(name string) bool { return slices.Contains(r.Accepted, name) }

// breaches returns the changes, and the operations, that are not accepted.
func (r *report) breaches() (changes contract.Changes, operations []prices.Comparison) {
	for _, c := range r.Changes.Breaches() {
		if !r.isAccepted(c.Path) {
			changes = append(changes, c)
		}
	}
	for _, o := range r.Operations {
		if len(o.Faults) > 0 && !r.isAccepted(o.Operation) {
			operations = append(operations, o)
		}
	}
	return changes, operations
}

// breachError is the error of a comparison with changes that break the contract.
type breachError struct{ changes, data, operations []string }

// Error returns what to do.
func (e *breachError) Error() string {
	var parts []string
	if n := len(e.changes); n > 0 {
		parts = append(parts, count(n, "breaking change", "breaking changes"))
	}
	if n := len(e.data); n > 0 {
		parts = append(parts, count(n, "change that needs data", "changes that need data"))
	}
	if n := len(e.operations); n > 0 {
		parts = append(parts, count(n, "operation that fails or costs more", "operations that fail or cost more"))
	}
	return fmt.Sprintf("%s: do what is proposed above, or accept it, as with --accept='%s'",
		strings.Join(parts, " and "), slices.Concat(e.changes, e.data, e.operations)[0])
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// breach returns a breachError, or nil.
func (r *report) breach() error {
	changes, operations := r.breaches()
	if len(changes)+len(operations) == 0 {
		return nil
	}
	e := &breachError{}
	for _, c := range changes {
		if c.Level == contract.NeedsData {
			e.data = append(e.data, c.Path)
		} else {
			e.changes = append(e.changes, c.Path)
		}
	}
	for _, o := range operations {
		e.operations = append(e.operations, o.Operation)
	}
	return e
}

// write writes the report in a format.
func (r *report) write(w io.Writer, format string) error {
	var text string
	switch format {
	case "json":
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(r)
	case "markdown":
		text = r.markdown()
	case "github":
		text = r.annotations()
	default:
		text = r.text()
	}
	_, err := io.WriteString(w, text)
	return err
}

func (r *report) text() string {
	var b strings.Builder
	b.WriteString(r.annotated().String())
	if r.hasOperations {
		fmt.Fprintf(&b, "\nPRICES at worst, of %s\n", count(len(r.Operations), "operation", "operations"))
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range r.rows() {
			_, _ = fmt.Fprintln(table, "  "+strings.Join(row, "\t")) // a Builder returns no error
		}
		_ = table.Flush()
	}
	if r.Migration != nil && r.needsMigration() {
		b.WriteString("\n" + stepsText(*r.Migration, "migrate finish"))
		b.WriteString(hotText(r.Migration.Hot))
	}
	for _, note := range r.notes() {
		b.WriteString("\n" + note)
	}
	if len(r.notes()) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// needsMigration reports whether stored objects need anything.
func (r *report) needsMigration() bool {
	return slices.ContainsFunc(r.Migration.Parts, func(p migrate.Part) bool { return !p.IsFree })
}

// rows returns the table of prices with its head.
func (r *report) rows() [][]string {
	rows := [][]string{prices.Columns}
	for _, o := range r.Operations {
		rows = append(rows, o.Row())
	}
	return rows
}

// notes returns what is said about operations, and about what is accepted.
func (r *report) notes() []string {
	var notes []string
	for _, o := range r.Operations {
		for _, fault := range o.Faults {
			note := fmt.Sprintf("%s (%s): %s", o.Operation, o.Place, fault)
			if r.isAccepted(o.Operation) {
				note += " (accepted)"
			}
			notes = append(notes, note)
		}
	}
	for _, name := range r.Stale {
		notes = append(notes, fmt.Sprintf("--accept=%s is about nothing that breaks or needs data: remove it", name))
	}
	return notes
}

// annotated returns the changes with the operations that they concern, and without fixes of what is accepted.
func (r *report) annotated() contract.Changes {
	changes := slices.Clone(r.Changes)
	for i := range changes {
		c := &changes[i]
		if c.Level != contract.Breaking && c.Level != contract.NeedsData {
			continue
		}
		if users := r.UsedBy[c.Path]; c.Level == contract.NeedsData {
			// It concerns what is stored, whatever operations use.
		} else if r.hasOperations && len(users) == 0 {
			c.What += "; no listed operation uses it"
		} else if r.hasOperations {
			c.What += "; used by " + strings.Join(users, ", ")
		}
		if c.IsBreach() && r.isAccepted(c.Path) {
			c.What, c.Fix = c.What+" (accepted)", ""
		}
	}
	return changes
}
