package local

import "syscall"

// childAttributes returns the attributes of a child process that has a process group of its own and
// that the kernel kills when this process ends in any way.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
