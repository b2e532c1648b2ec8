package main

import (
	"fmt"
	"slices"
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

// perEvent returns the median of a metric over the windows, or a dash if there are no events.
func perEvent(r liveResult, format string, metric func(liveWindow) float64) string {
	if len(r.windows[0].took) == 0 {
		return "–"
	}
	return fmt.Sprintf(format, r.of(metric))
}

// liveResult is what was measured of one case.
type liveResult struct {
	name    string
	memory  float64 // bytes of the resident set for each subscriber
	windows []liveWindow
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
