//go:build unix

package storetest

import (
	"os"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

// Pause stops the process until Resume. Its connections stay open and nothing is answered.
func (s *Server) Pause(tb testing.TB) { s.signal(tb, syscall.SIGSTOP) }

// Resume continues a process after Pause.
func (s *Server) Resume(tb testing.TB) { s.signal(tb, syscall.SIGCONT) }

func (s *Server) signal(tb testing.TB, signal os.Signal) {
	tb.Helper()
	fatal.If(tb, s.cmd.Process.Signal(signal))
}
