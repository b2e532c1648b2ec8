//go:build race

package gateway_test

// slowdown is what the race detector makes of bounds on the processor.
const slowdown = 20
