package main

import (
	"fmt"
	"strings"
	"time"
)

// liveResult is what was measured of one case.
type liveResult struct {
	name        string
	subscribers int
	memory      float64 // bytes of the resident set for each subscriber
	windows     []liveWindow
}

// liveWindow has what was measured in one window.
type liveWindow struct {
	changes int
	lasted  time.Duration   // until the last change
	took    []time.Duration // of each event, from when its write was sent; sorted
	// idle is the CPU time of a second in which nothing is changed, measured just before, and cpu that of the changes:
	// without what the process would have needed in the same time.
	idle, cpu time.Duration
}

// liveTable writes a row for each case.
func liveTable(b *strings.Builder, results []liveResult) {
	var rows [][]string
	for _, r := range results {
		changes := middle(r.windows, func(w liveWindow) float64 { return float64(w.changes) / w.lasted.Seconds() })
		events := middle(r.windows, func(w liveWindow) float64 { return float64(len(w.took)) / w.lasted.Seconds() })
		idle := middle(r.windows, func(w liveWindow) float64 { return float64(w.idle) / float64(time.Millisecond) })
		row := []string{fmt.Sprint(r.subscribers), r.name, fmt.Sprintf("%.3g", changes), fmt.Sprintf("%.0f", events)}
		for _, part := range []float64{.5, .99} {
			row = append(row, perEvent(r, func(w liveWindow) float64 { return at(part, w.took) }))
		}
		rows = append(rows, append(row,
			fmt.Sprintf("%.1f", idle),
			r.cpuPer(func(w liveWindow) int { return w.changes }),
			r.cpuPer(func(w liveWindow) int { return len(w.took) }),
			fmt.Sprintf("%.1f", r.memory/1024),
			fmt.Sprintf("%.0f", r.memory*float64(r.subscribers)/1e6)))
	}
	writeTable(b, []string{
		"subscribers", "a change concerns", "changes each second", "events each second", "p50 ms", "p99 ms",
		"idle CPU ms each second", "CPU µs per change", "CPU µs per event", "KB per subscriber", "MB",
	}, rows)
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

// perEvent returns the median of a metric over the windows, or a dash if there are no events.
func perEvent(r liveResult, metric func(liveWindow) float64) string {
	if len(r.windows[0].took) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", middle(r.windows, metric))
}
