//go:build unix

package crowd

import (
	"syscall"
	"testing"
)

// pause stops a gateway until another one reads the stream. It then goes on with what it has read.
func (r *replicas) pause(t *testing.T, i int) {
	r.All[i].Signal(t, syscall.SIGSTOP)
	r.holder(t, i)
	r.All[i].Signal(t, syscall.SIGCONT)
}
