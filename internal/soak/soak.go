// Package soak says how much those tests do that kill processes or draw random cases. Each has a short form, with the
// same cases in each run, and a long one, with others:
//
//	SOAK=20 SOAK_SEED=7 go test -count=1 ./internal/shop/crowd
//
// The cases of package rapid follow it in a test that imports this package.
//
// A test passes however busy the machine is: it waits for an event, and never for a time. To see what chance does to
// one, run its binary on one CPU, and stop it for moments:
//
//	go test -c -o /tmp/stream.test ./internal/live/stream && cd internal/live/stream
//	GOMAXPROCS=1 taskset -c 0 /tmp/stream.test -test.count=10 & pid=$!
//	while kill -STOP $pid 2>&-; do sleep 0.3; kill -CONT $pid; sleep 0.3; done
package soak

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"strconv"

	_ "pgregory.net/rapid" // its flags
)

// Seed is what random cases follow from: SOAK_SEED, or 1.
var Seed = setting("SOAK_SEED")

var factor = setting("SOAK")

// Times returns how many cases a test has whose short form has n: SOAK times as many, if that is set.
func Times(n int) int { return n * int(factor) }

// Some returns n of the cases, at equal distances, or SOAK times as many as far as there are. With another Seed they
// are others.
func Some[T any](cases []T, n int) []T {
	if n = Times(n); n >= len(cases) {
		return cases
	}
	first := int(Seed % uint64(len(cases)))
	some := make([]T, n)
	for i := range some {
		some[i] = cases[(first+i*len(cases)/n)%len(cases)]
	}
	return some
}

// Seeds returns the seeds of as many cases as Times.
func Seeds(n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range uint64(Times(n)) {
			if !yield(Seed + i) {
				return
			}
		}
	}
}

func init() {
	const short = 100 // rapid's own default
	for name, value := range map[string]string{
		"rapid.checks": strconv.Itoa(Times(short)), "rapid.seed": strconv.FormatUint(Seed, 10),
	} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// setting returns the value of an environment variable, or 1.
func setting(name string) uint64 {
	text, is := os.LookupEnv(name)
	if !is {
		return 1
	}
	value, err := strconv.ParseUint(text, 10, 32)
	if err != nil || value == 0 {
		panic(fmt.Sprintf("%s=%s is no number from 1", name, text))
	}
	return value
}
