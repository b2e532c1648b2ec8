package app

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// gcPercent is the default of GOGC. Most memory of the gateway is garbage of the last operations, so a larger heap
	// costs little: twice Go's default saves a seventh of the CPU, and four times saves little more.
	gcPercent = 200
	// memoryRatio is the default of GOMEMLIMIT as a part of the container's limit. The rest is for what is not the Go
	// runtime's: the pages of the binary and of the kernel.
	memoryRatio = 0.9
)

// setMemory sets the garbage collector of a process that serves. The environment variables of the Go runtime, GOGC and
// GOMEMLIMIT, take precedence.
//
// https://go.dev/doc/gc-guide
func setMemory(ctx context.Context, log *slog.Logger) {
	if _, isSet := os.LookupEnv("GOGC"); !isSet {
		debug.SetGCPercent(gcPercent)
	}
	if _, err := memlimit.Set(memlimit.WithRatio(memoryRatio)); err != nil {
		log.WarnContext(ctx, "the memory limit of the container is unknown: set GOMEMLIMIT", "error", err.Error())
	}
}
