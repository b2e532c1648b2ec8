//go:build unix

package wire

import "syscall"

// canCheckIdle is set where readNow works.
const canCheckIdle = true

// readNow reads what is there without waiting. It reports whether there is nothing, not even the end.
func readNow(fd uintptr, b []byte) bool {
	n, err := syscall.Read(int(fd), b)
	return n <= 0 && (err == syscall.EAGAIN || err == syscall.EWOULDBLOCK)
}
