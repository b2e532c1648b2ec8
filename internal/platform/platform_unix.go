//go:build unix

package platform

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks a file until it is closed or the process ends. The error is that another process has locked it.
func Lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// IsSilent reports whether a socket has received nothing that was not read, not even the end. It does not wait. What it
// reads is lost, so the connection is useless unless the result is true. The buffer has at least one byte.
func IsSilent(socket uintptr, buffer []byte) bool {
	n, err := syscall.Read(int(socket), buffer)
	return n <= 0 && (errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EWOULDBLOCK))
}

// IsReset reports whether the other side of a connection has closed it without reading everything.
func IsReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// IsAddressInUse reports whether a process listens on the address already.
func IsAddressInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// IsNoAddress reports whether the machine lacks the address, or all of its family.
func IsNoAddress(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)
}
