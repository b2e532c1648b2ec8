package app

import (
	"context"
	"errors"
	"log/slog"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryRatio is the default of GOMEMLIMIT as a part of the container's limit. The rest is for what is not the Go
// runtime's: the pages of the binary and of the kernel.
const memoryRatio = 0.9

// setMemory sets the memory limit of a process that serves. The environment variable of the Go runtime, GOMEMLIMIT,
// takes precedence. GOGC has Go's default.
//
// https://go.dev/doc/gc-guide
func setMemory(ctx context.Context, log *slog.Logger) {
	_, err := memlimit.Set(memlimit.WithRatio(memoryRatio))
	if err != nil && !errors.Is(err, memlimit.ErrCgroupsNotSupported) { // only Linux has containers of this kind
		log.WarnContext(ctx, "the memory limit of the container is unknown: set GOMEMLIMIT", "error", err.Error())
	}
}
