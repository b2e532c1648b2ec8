//go:build unix && !linux

package platform

import "syscall"

// Child returns the attributes of a child process that has a process group of its own. Only Linux can kill it when this
// process ends.
func Child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
