//go:build !race

package gateway_test

const slowdown = 1
