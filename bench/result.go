package main

import (
	"slices"
	"time"
)

// setting is what is the same in all windows that are compared with each other.
type setting struct {
	delay       time.Duration
	concurrency int
}

// sample is what was measured in one window. All but took are of one operation, on average.
type sample struct {
	took           []time.Duration // of all operations, sorted
	cpu            time.Duration   // user and system time of the process
	objects, bytes float64         // allocated
	requests       float64         // to DynamoDB
}

// result is what one system needs for one operation.
type result struct {
	operation, system string
	peakMemory        float64              // in bytes, at the greatest concurrency
	samples           map[setting][]sample // one for each round
}

func cpuOf(s sample) float64 { return float64(s.cpu) }

func objectsOf(s sample) float64 { return s.objects }

func bytesOf(s sample) float64 { return s.bytes }

func requestsOf(s sample) float64 { return s.requests }

// percentile returns the time within which a share of the operations, from 0 to 1, was answered.
func percentile(share float64) func(sample) float64 {
	return func(s sample) float64 { return float64(s.took[min(int(share*float64(len(s.took))), len(s.took)-1)]) }
}

// median returns the median of a metric over the rounds.
func (r result) median(s setting, metric func(sample) float64) float64 {
	return newSpread(valuesOf(r.samples[s], metric)).median
}

// ratio returns how many times as much this system needs as the other one, in each round.
func (r result) ratio(other result, s setting, metric func(sample) float64) spread {
	ratios := valuesOf(r.samples[s], metric)
	for i, v := range valuesOf(other.samples[s], metric) {
		ratios[i] /= v
	}
	return newSpread(ratios)
}

func valuesOf[T any](all []T, metric func(T) float64) []float64 {
	values := make([]float64, len(all))
	for i, one := range all {
		values[i] = metric(one)
	}
	return values
}

// middle returns the median of a metric over the rounds: of two, the greater one.
func middle[T any](rounds []T, metric func(T) float64) float64 {
	sorted := slices.Sorted(slices.Values(valuesOf(rounds, metric)))
	return sorted[len(sorted)/2]
}

// spread is the least, the median and the greatest of some values.
type spread struct{ min, median, max float64 }

func newSpread(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	median := sorted[middle]
	if len(sorted)%2 == 0 {
		median = (sorted[middle-1] + median) / 2
	}
	return spread{sorted[0], median, sorted[len(sorted)-1]}
}

// at returns a percentile of sorted times, in milliseconds.
func at(part float64, took []time.Duration) float64 {
	return float64(took[int(part*float64(len(took)-1))]) / 1e6
}
