package price

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteTo writes the explanation as text.
func (x Explanation) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for i, wave := range x.Waves {
		requests := counted(wave.Requests, "request")
		if wave.RoundTrips > 1 {
			requests += " in " + counted(wave.RoundTrips, "round trip")
		}
		fmt.Fprintf(&b, "wave %d: %s, %s\n", i+1, requests, counted(wave.ReadUnits, "read unit"))
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, r := range wave.Reads {
			costs := plain(r.ReadUnits)
			if r.WriteUnits > 0 {
				costs += " and " + plain(r.WriteUnits) + " to write"
			}
			line := fmt.Sprintf("  %s\t%s\t%s × %s", r.Kind, r.Field, plain(r.Times), costs)
			if r.Condition != "" {
				line += "\t" + r.Condition
			}
			_, _ = fmt.Fprintln(table, line)
		}
		if err := table.Flush(); err != nil {
			return 0, err
		}
		for _, r := range wave.Reads {
			if err := writeWrites(&b, r.Writes); err != nil {
				return 0, err
			}
			if r.Sweep != "" {
				fmt.Fprintf(&b, "    afterwards, write units of the sweep: %s\n", r.Sweep)
			}
		}
	}
	for _, n := range x.NotReady {
		fmt.Fprintf(&b, "NOT_READY %s: %s\n", n.Field, n.Reason)
	}
	for _, p := range x.Problems {
		fmt.Fprintf(&b, "not read: %s: %s\n", p.Field, p.Reason)
	}
	if x.Cut {
		b.WriteString("and more: fragments repeat what they select\n")
	}
	fmt.Fprintf(&b, "at worst: %s, %s, %s",
		counted(x.roundTrips(), "wave"), counted(x.Requests, "request"), counted(x.ReadUnits, "read unit"))
	if x.WriteUnits > 0 {
		fmt.Fprintf(&b, ", %s", counted(x.WriteUnits, "write unit"))
	}
	fmt.Fprintf(&b, ", %s in the answer\n", counted(x.Objects, "object"))
	if x.Event != nil {
		b.WriteString("each event:\n")
		if _, err := x.Event.WriteTo(&b); err != nil {
			return 0, err
		}
	}
	written, err := io.WriteString(w, b.String())
	return int64(written), err
}

// roundTrips returns how many waves are waited for.
func (x *Explanation) roundTrips() (n int) {
	for _, w := range x.Waves {
		n += max(1, w.RoundTrips)
	}
	return n
}

// writeWrites writes a line for each item that a mutation writes.
func writeWrites(w io.Writer, writes []ExplainedWrite) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range writes {
		_, _ = fmt.Fprintf(table, "    %s\t%s\t%s\t%s", one.Action, one.Item, plain(one.Units), one.Key)
		if one.Times > 1 {
			_, _ = fmt.Fprintf(table, ", %d times", one.Times)
		}
		if len(one.Indexes) > 0 {
			_, _ = fmt.Fprintf(table, ", in %s", strings.Join(one.Indexes, ", "))
		}
		if len(one.Conditions) > 0 {
			_, _ = fmt.Fprintf(table, ", if %s", strings.Join(one.Conditions, " AND "))
		}
		_, _ = fmt.Fprintln(table)
	}
	return table.Flush()
}

// counted returns a number with what it counts: a singular, which gets an s for any number but 1.
func counted[N int | float64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return plain(float64(n)) + " " + what + "s"
}
