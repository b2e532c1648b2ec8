package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// report returns the results as Markdown, whose tables can also be read in a terminal.
func (c *runCommand) report(results []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Ratios are those to %s: the median of the rounds (least–greatest).\n", machine(), baseline)
	cpu := c.busiest()
	summary(&b, fmt.Sprintf("CPU time, %s", cpu), results, cpu, cpuOf)
	for _, delay := range c.Delay {
		alone := setting{delay, slices.Min(c.Concurrency)}
		summary(&b, fmt.Sprintf("p50, %s", alone), results, alone, percentile(.5))
	}
	for _, name := range distinct(results, func(r result) string { return r.operation }) {
		fmt.Fprintf(&b, "\n### %s\n\n", name)
		c.details(&b, resultsOf(results, name))
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
	systems := distinct(results, func(r result) string { return r.system })
	systems = slices.DeleteFunc(systems, func(name string) bool { return name == baseline })
	header := append([]string{"operation"}, systems...)
	var rows [][]string
	for _, name := range distinct(results, func(r result) string { return r.operation }) {
		row := []string{name}
		all := resultsOf(results, name)
		for _, system := range systems {
			i := slices.IndexFunc(all, func(r result) bool { return r.system == system })
			if i < 0 {
				row = append(row, "")
				continue
			}
			ratio := all[i].ratio(all[baselineIn(all)], s, metric)
			row = append(row, fmt.Sprintf("%.2f (%.2f–%.2f)", ratio.median, ratio.min, ratio.max))
		}
		rows = append(rows, row)
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

// resultsOf returns those of one operation.
func resultsOf(results []result, operation string) []result {
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
