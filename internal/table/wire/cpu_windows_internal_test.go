//go:build windows

package wire

import (
	"testing"
	"time"
)

func cpu(b *testing.B) time.Duration {
	b.Fatal("CPU time is measured on Unix only")
	return 0
}
