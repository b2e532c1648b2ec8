package platform

import (
	"os"
	"syscall"
)

// Child returns the attributes of a child process that has a process group of its own and that the kernel kills when
// this process ends in any way. The goroutine that starts it must stay locked to its thread: Linux sends the signal
// when that ends.
func Child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// Bind does nothing: what [Child] asks of the kernel is enough.
func Bind(*os.Process) (release func(), err error) { return func() {}, nil }
