package local

import "syscall"

// childAttributes put a child in a process group of its own and have the kernel
// kill it when this process ends in any way.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
