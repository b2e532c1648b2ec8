//go:build unix && !linux

package platform

import (
	"os"
	"syscall"
)

// Child returns the attributes of a child process that has a process group of its own. [Bind] makes it end with this
// process.
func Child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// Bind makes a child end when this process ends in any way. release is called when the child has ended.
func Bind(child *os.Process) (release func(), err error) { return watch(child) }
