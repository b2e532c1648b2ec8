package main

import (
	"slices"
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

// of returns the median of a metric over the rounds.
func (r fairResult) of(metric func(fairRound) float64) float64 {
	values := make([]float64, len(r.rounds))
	for i, round := range r.rounds {
		values[i] = metric(round)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
