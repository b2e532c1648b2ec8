//go:build unix && !linux

package local

import "syscall"

// childAttributes returns the attributes of a child process that has a process group of its own.
// Only Linux can kill it when this process ends.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
