package bill

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRows is how many rows a table of the text has. What is left is in one more row; the JSON has all.
const maxRows = 50

// WriteText writes tables of the amounts by operation, caller, tenant, table or index, and month, each with the total.
// A table that is about nothing that is known is left out. The last one compares both modes of capacity.
func (b *Bill) WriteText(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "DynamoDB %s, prices of %s on %s in %s, table class %s\n",
		b.Capacity, b.Region, b.PricesOf, b.Currency, b.TableClass)
	months := b.table("MONTH", "", false, func(c *Charge) string { return c.Month })
	months.isByName = true
	for _, t := range []table{
		b.table("OPERATION", unnamed, true, func(c *Charge) string { return c.Operation }),
		b.table("CALLER", "", false, func(c *Charge) string { return c.Caller }),
		b.table("TENANT", "(none)", false, func(c *Charge) string { return c.Tenant }),
		b.resources(), months,
	} {
		if t.isKnown {
			t.write(&out, b)
		}
	}
	if b.Comparison != nil {
		b.Comparison.write(&out)
	}
	for i, note := range b.Notes {
		if i == 0 {
			out.WriteByte('\n')
		}
		out.WriteString(printable(note) + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// table is a table of the text.
type table struct {
	title    string
	hasCalls bool
	rows     map[string]*row
	// isKnown is set if at least one row has a name.
	isKnown bool
	// isByName is set if the rows are in the order of their names.
	isByName bool
}

type row struct {
	name string
	Usage
	gbMonths Quantity
	amount   Amount
}

func (r *row) add(other row) {
	r.Usage.add(other.Usage)
	r.gbMonths += other.gbMonths
	r.amount = r.amount.plus(other.amount)
}

func (t *table) add(r row) {
	if t.rows[r.name] == nil {
		t.rows[r.name] = &row{name: r.name}
	}
	t.rows[r.name].add(r)
}

// table returns the table with a row for each name of charges. Storage and streams without a name have rows of their
// own.
func (b *Bill) table(title, none string, isKnown bool, name func(*Charge) string) table {
	t := table{title: title, hasCalls: true, rows: map[string]*row{}, isKnown: isKnown}
	for i := range b.Charges {
		c := &b.Charges[i]
		named := name(c)
		t.isKnown = t.isKnown || named != ""
		if c.Item != ItemRequests && named == "" {
			named = "(" + c.Item + ")"
		}
		used := Usage{Calls: c.Calls, ReadUnits: c.ReadUnits, WriteUnits: c.WriteUnits}
		t.add(row{name: cmp.Or(named, none), Usage: used, amount: c.Amount})
	}
	return t
}

// resources returns the table with a row for the table and each index.
func (b *Bill) resources() table {
	t := table{title: "TABLE OR INDEX", rows: map[string]*row{}}
	for _, c := range b.Charges {
		for _, p := range c.Parts {
			t.isKnown = t.isKnown || p.Resource != ""
			t.add(row{
				name: cmp.Or(p.Resource, undivided), Usage: Usage{ReadUnits: p.ReadUnits, WriteUnits: p.WriteUnits},
				gbMonths: p.GBMonths, amount: p.Amount,
			})
		}
		if len(c.Parts) == 0 && c.Amount > 0 {
			t.add(row{name: "(" + c.Item + ")", gbMonths: c.GBMonths, amount: c.Amount})
		}
	}
	return t
}

// sorted returns the rows, the most expensive first if not by name, and at most maxRows and one for the others.
func (t *table) sorted() []row {
	var rows []row
	for _, r := range t.rows {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b row) int {
		if t.isByName {
			return cmp.Compare(a.name, b.name)
		}
		return cmp.Or(cmp.Compare(b.amount, a.amount), cmp.Compare(a.name, b.name))
	})
	if len(rows) <= maxRows+1 {
		return rows
	}
	others := row{name: fmt.Sprintf("(%d others)", len(rows)-maxRows)}
	for _, r := range rows[maxRows:] {
		others.add(r)
	}
	return append(rows[:maxRows:maxRows], others)
}

// write writes the rows, with their sum as the last one.
func (t *table) write(out *strings.Builder, b *Bill) {
	lines := [][]string{t.cells(t.title, "calls", "read units", "write units", "GB-months", b.Currency)}
	total := row{name: "total"}
	for _, r := range t.sorted() {
		total.add(r)
		lines = append(lines, t.line(r))
	}
	lines = append(lines, t.line(total))
	align(out, lines)
}

// align writes lines of cells below each other, after an empty line.
func align(out *strings.Builder, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	out.WriteByte('\n')
	for _, line := range lines {
		fmt.Fprintf(out, "%-*s", widths[0], line[0])
		for i, cell := range line[1:] {
			fmt.Fprintf(out, "  %*s", widths[i+1], cell)
		}
		out.WriteByte('\n')
	}
}

// undivided is the name of a row of units that are not divided between table and indexes.
const undivided = "(not divided)"

// write writes a row for the table and each index, and what is used of their capacity.
func (c *Comparison) write(out *strings.Builder) {
	lines := [][]string{{"CAPACITY", "read unit-hours", "used", "write unit-hours", "used", Provisioned, OnDemand}}
	for i, r := range append(slices.Clone(c.Resources), c.total()) {
		reads, writes := usedPart(r.ReadUnits, r.ReadUnitHours), usedPart(r.WriteUnits, r.WriteUnitHours)
		if !c.isDivided() && r.Resource != "" && i < len(c.Resources) { // part of it is in another row
			reads, writes = "", ""
		}
		lines = append(lines, []string{
			printable(cmp.Or(r.Resource, undivided)), r.ReadUnitHours.String(), reads, r.WriteUnitHours.String(), writes,
			r.Provisioned.String(), r.OnDemand.String(),
		})
	}
	align(out, lines)
}

// usedPart returns which part of its unit-hours a number of units is.
func usedPart(units, hours Quantity) string {
	if hours == 0 {
		return ""
	}
	return percent(float64(units) / float64(hours) / secondsOfHour)
}

func (t *table) line(r row) []string {
	return t.cells(printable(r.name), strconv.FormatInt(r.Calls, 10), r.ReadUnits.String(), r.WriteUnits.String(),
		r.gbMonths.String(), r.amount.String())
}

// cells returns the cells of a line, either with calls or with GB-months.
func (t *table) cells(name, calls, reads, writes, gbMonths, amount string) []string {
	if t.hasCalls {
		return []string{name, calls, reads, writes, amount}
	}
	return []string{name, reads, writes, gbMonths, amount}
}

// printable returns a name that does not control the terminal: those of operations are from callers.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, name)
}
