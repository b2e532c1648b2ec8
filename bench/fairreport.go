package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// fairResult is what was measured of one attack.
type fairResult struct {
	attack     string
	rounds     []fairRound
	failed     int // of the well-behaved caller's operations beside the attack
	peakMemory float64
}

// fairRound has how long the caller's operations took, sorted, and the answers that the hostile caller got each second.
type fairRound struct {
	alone, beside []time.Duration
	answers       float64
}

// at returns a percentile of sorted times, in milliseconds.
func at(part float64, took []time.Duration) float64 {
	return float64(took[int(part*float64(len(took)-1))]) / 1e6
}

// of returns the median of a metric over the rounds.
func (r fairResult) of(metric func(fairRound) float64) float64 {
	values := make([]float64, len(r.rounds))
	for i, round := range r.rounds {
		values[i] = metric(round)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// report returns the results as Markdown.
func (c *fairCommand) report(results []fairResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s on %d cores of %s. ",
		time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.NumCPU(), processor())
	fmt.Fprintf(&b, "%d operations each second, %d hostile connections, the median of %d rounds of %v.\n\n",
		c.Rate, c.Connections, c.Rounds, c.Window)
	var rows [][]string
	for _, r := range results {
		row := []string{r.attack}
		for _, part := range []float64{.5, .99} {
			alone := r.of(func(round fairRound) float64 { return at(part, round.alone) })
			beside := r.of(func(round fairRound) float64 { return at(part, round.beside) })
			ratio := r.of(func(round fairRound) float64 { return at(part, round.beside) / at(part, round.alone) })
			row = append(row, fmt.Sprintf("%.2f / %.2f", alone, beside), fmt.Sprintf("%.1f", ratio))
		}
		answers := r.of(func(round fairRound) float64 { return round.answers })
		rows = append(rows, append(row, fmt.Sprint(r.failed), fmt.Sprintf("%.0f", answers),
			fmt.Sprintf("%.0f", r.peakMemory/(1<<20))))
	}
	writeTable(&b, []string{
		"attack", "p50 ms alone / attacked", "ratio", "p99 ms alone / attacked", "ratio",
		"failed", "answers to the attacker each second", "peak MB",
	}, rows)
	return b.String()
}
