package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// of returns the median of a metric over the windows.
func (r liveResult) of(metric func(liveWindow) float64) float64 {
	values := make([]float64, len(r.windows))
	for i, w := range r.windows {
		values[i] = metric(w)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// cpuPer returns the mean CPU time for each of what is counted, over all windows: garbage is collected in few of them.
func (r liveResult) cpuPer(count func(liveWindow) int) string {
	var cpu time.Duration
	n := 0
	for _, w := range r.windows {
		cpu += w.cpu
		n += count(w)
	}
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", float64(cpu)/float64(n)/1e3)
}

// report returns the results as Markdown.
func (c *liveCommand) report(results []liveResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s on %d cores of %s. ",
		time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.NumCPU(), processor())
	fmt.Fprintf(&b, "%d subscribers on %d WebSockets, %d windows of %v: the mean of CPU times, the median of others.\n\n",
		c.Subscribers, c.Connections, c.Rounds, c.Window)
	var rows [][]string
	for _, r := range results {
		row := []string{
			r.name,
			fmt.Sprintf("%.3g", r.of(func(w liveWindow) float64 { return float64(w.changes) / w.lasted.Seconds() })),
			fmt.Sprintf("%.0f", r.of(func(w liveWindow) float64 { return float64(len(w.took)) / w.lasted.Seconds() })),
		}
		for _, part := range []float64{.5, .99} {
			row = append(row, perEvent(r, "%.0f", func(w liveWindow) float64 { return at(part, w.took) }))
		}
		rows = append(rows, append(row,
			fmt.Sprintf("%.1f", r.of(func(w liveWindow) float64 { return float64(w.idle) / float64(time.Millisecond) })),
			r.cpuPer(func(w liveWindow) int { return w.changes }),
			r.cpuPer(func(w liveWindow) int { return len(w.took) }),
			fmt.Sprintf("%.1f", r.memory/1024)))
	}
	writeTable(&b, []string{
		"a change concerns", "changes each second", "events each second", "p50 ms", "p99 ms",
		"idle CPU ms each second", "CPU µs per change", "CPU µs per event", "KB per subscriber",
	}, rows)
	return b.String()
}

// perEvent returns the median of a metric over the windows, or a dash if there are no events.
func perEvent(r liveResult, format string, metric func(liveWindow) float64) string {
	if len(r.windows[0].took) == 0 {
		return "–"
	}
	return fmt.Sprintf(format, r.of(metric))
}
