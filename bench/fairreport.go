package main

import (
	"fmt"
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

// fairTable writes a row for each attack.
func fairTable(b *strings.Builder, results []fairResult) {
	var rows [][]string
	for _, r := range results {
		row := []string{r.attack}
		for _, part := range []float64{.5, .99} {
			alone := middle(r.rounds, func(round fairRound) float64 { return at(part, round.alone) })
			beside := middle(r.rounds, func(round fairRound) float64 { return at(part, round.beside) })
			ratio := middle(r.rounds, func(round fairRound) float64 { return at(part, round.beside) / at(part, round.alone) })
			row = append(row, fmt.Sprintf("%.2f / %.2f", alone, beside), fmt.Sprintf("%.1f", ratio))
		}
		answers := middle(r.rounds, func(round fairRound) float64 { return round.answers })
		rows = append(rows, append(row, fmt.Sprint(r.failed), fmt.Sprintf("%.0f", answers),
			fmt.Sprintf("%.0f", r.peakMemory/(1<<20))))
	}
	writeTable(b, []string{
		"attack", "p50 ms alone / attacked", "ratio", "p99 ms alone / attacked", "ratio",
		"failed", "answers to the attacker each second", "peak MB",
	}, rows)
}
