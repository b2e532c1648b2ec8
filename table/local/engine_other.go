//go:build unix && !linux

package local

import "syscall"

// childAttributes put a child in a process group of its own. Only Linux can
// tie its life to this process's.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
