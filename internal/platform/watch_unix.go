//go:build unix

package platform

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// watch starts a shell that kills a child when this process ends in any way: it waits for the end of a pipe, whose
// other end only this process has. It works on all systems with Unix's pipes; Linux needs none of it.
func watch(child *os.Process) (release func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // the shell has its own
	shell := exec.Command("/bin/sh", "-c", `read -r _; kill -9 "$0"`, strconv.Itoa(child.Pid))
	shell.Stdin = r
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C does not reach it
	if err := shell.Start(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return func() {
		// The process ID may be that of another process by now.
		_ = shell.Process.Kill()
		_ = shell.Wait()
		_ = w.Close()
	}, nil
}
