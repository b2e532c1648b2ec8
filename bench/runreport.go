package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// report returns the results as Markdown, whose tables can also be read in a terminal.
func (c *runCommand) report(results []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s on %d cores of %s. Ratios are those to %s: the median of the rounds (least–greatest).\n",
		time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.NumCPU(), processor(), baseline)
	cpu := c.busiest()
	summary(&b, fmt.Sprintf("CPU time, %s", cpu), results, cpu, cpuOf)
	for _, delay := range c.Delay {
		alone := setting{delay, slices.Min(c.Concurrency)}
		summary(&b, fmt.Sprintf("p50, %s", alone), results, alone, percentile(.5))
	}
	for _, name := range distinct(results, func(r result) string { return r.operation }) {
		fmt.Fprintf(&b, "\n### %s\n\n", name)
		c.details(&b, of(results, name))
	}
	return b.String()
}

// String describes the setting for a reader.
func (s setting) String() string {
	return fmt.Sprintf("%v per DynamoDB request, concurrency %d", s.delay, s.concurrency)
}

// summary writes the ratios of a metric: a row for each operation, a column for each system.
func summary(b *strings.Builder, title string, results []result, s setting, metric func(sample) float64) {
	fmt.Fprintf(b, "\n### %s\n\n", title)
	var rows [][]string
	for _, name := range distinct(results, func(r result) string { return r.operation }) {
		row := []string{name}
		all := of(results, name)
		for _, r := range all {
			if r.system != baseline {
				ratio := r.ratio(all[baselineIn(all)], s, metric)
				row = append(row, fmt.Sprintf("%.2f (%.2f–%.2f)", ratio.median, ratio.min, ratio.max))
			}
		}
		rows = append(rows, row)
	}
	header := []string{"operation"}
	for _, name := range distinct(results, func(r result) string { return r.system }) {
		if name != baseline {
			header = append(header, name)
		}
	}
	writeTable(b, header, rows)
}

// details writes all that was measured of one operation: a row for each system.
func (c *runCommand) details(b *strings.Builder, results []result) {
	header := []string{"system", "DynamoDB requests"}
	for _, concurrency := range c.Concurrency {
		header = append(header, fmt.Sprintf("CPU s per 1,000 at %d", concurrency))
	}
	header = append(header, "allocations", "KB allocated", "peak MB")
	for _, delay := range c.Delay {
		for _, concurrency := range c.Concurrency {
			header = append(header, fmt.Sprintf("p50 / p99 ms at %d, %v", concurrency, delay))
		}
	}
	var rows [][]string
	for _, r := range results {
		row := []string{r.system, fmt.Sprintf("%.3g", r.median(c.busiest(), requestsOf))}
		for _, concurrency := range c.Concurrency {
			cpu := time.Duration(r.median(setting{c.Delay[0], concurrency}, cpuOf))
			row = append(row, fmt.Sprintf("%.3f", (1000*cpu).Seconds()))
		}
		row = append(row, fmt.Sprintf("%.0f", r.median(c.busiest(), objectsOf)),
			fmt.Sprintf("%.1f", r.median(c.busiest(), bytesOf)/1024), fmt.Sprintf("%.0f", r.peakMemory/(1<<20)))
		for _, delay := range c.Delay {
			for _, concurrency := range c.Concurrency {
				s := setting{delay, concurrency}
				row = append(row, fmt.Sprintf("%.2f / %.2f",
					r.median(s, percentile(.5))/1e6, r.median(s, percentile(.99))/1e6))
			}
		}
		rows = append(rows, row)
	}
	writeTable(b, header, rows)
}

// of returns the results of one operation.
func of(results []result, operation string) []result {
	return slices.DeleteFunc(slices.Clone(results), func(r result) bool { return r.operation != operation })
}

func baselineIn(results []result) int {
	return slices.IndexFunc(results, func(r result) bool { return r.system == baseline })
}

// distinct returns the names of the results without repetitions, in their order.
func distinct(results []result, name func(result) string) []string {
	var names []string
	for _, r := range results {
		if !slices.Contains(names, name(r)) {
			names = append(names, name(r))
		}
	}
	return names
}

// writeTable writes a Markdown table with aligned columns.
func writeTable(b *strings.Builder, header []string, rows [][]string) {
	rule := make([]string, len(header))
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
	}
	for _, row := range slices.Concat([][]string{header, rule}, rows) {
		for i, cell := range row {
			fmt.Fprintf(b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		b.WriteString("|\n")
	}
}

// processor returns the name of the processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // it has no name otherwise
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// marks are the lines around results in a file.
type marks struct{ begin, end string }

var (
	runMarks  = marks{"<!-- make bench writes from here -->\n", "<!-- to here -->\n"}
	fairMarks = marks{"<!-- bin/bench fair writes from here -->\n", "<!-- to here -->\n"}
	liveMarks = marks{"<!-- bin/bench live writes from here -->\n", "<!-- to here -->\n"}
)

// publish prints the results, and writes them between the marks of a file unless path is empty.
func publish(text, path string, m marks) error {
	if _, err := fmt.Print(text); err != nil || path == "" {
		return err
	}
	return writeBetweenMarks(path, m, text)
}

// writeBetweenMarks replaces what is between the marks of a file.
func writeBetweenMarks(path string, m marks, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(old), m.begin)
	_, after, ends := strings.Cut(rest, m.end)
	if !begins || !ends {
		return fmt.Errorf("%s must have the lines %q and %q around the results", path, m.begin, m.end)
	}
	return os.WriteFile(path, []byte(before+m.begin+"\n"+text+"\n"+m.end+after), 0o644)
}
