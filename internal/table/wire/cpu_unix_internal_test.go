//go:build unix

package wire

import (
	"syscall"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
)

// cpu returns the CPU time of this process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	fatal.If(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
